/** The rows of a file as batches, one transaction each. */

import type { StoredRow } from "#lib/platform/tables";
import type { FieldName } from "./fields.ts";

/** Different passwords per batch. Each hash takes a quarter of a second by design. */
const passwordsMax = 20;
/** Bytes of the stored file. Memory holds several copies. */
export const batchBytesMax = 2 * 1024 * 1024;

export class Batches {
  rows: StoredRow[] = [];
  readonly #rowsMax: number;
  readonly #passwordAt: number;
  readonly #passwords = new Set<string>();
  #start: number;
  #end: number;

  constructor(rowsMax: number, mapping: readonly (FieldName | null)[], position = 0) {
    this.#rowsMax = rowsMax;
    this.#start = position;
    this.#end = position;
    this.#passwordAt = mapping.indexOf("password");
  }

  /** Returns the previous rows if there is no room for one more. */
  add(row: StoredRow): StoredRow[] | undefined {
    const password = row.cells[this.#passwordAt] ?? "";
    const isOther = this.#passwords.size === passwordsMax && !this.#passwords.has(password);
    const isLarge = row.end - this.#start > batchBytesMax && this.rows.length > 0;
    const isFull = this.rows.length === this.#rowsMax || isOther || isLarge;
    const full = isFull ? this.rows : undefined;
    if (full) {
      this.rows = [];
      this.#passwords.clear();
      this.#start = this.#end;
    }
    this.#end = row.end;
    this.#passwords.add(password);
    this.rows.push(row);
    return full;
  }
}
