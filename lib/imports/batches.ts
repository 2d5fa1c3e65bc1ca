/** The rows of a file as batches, each of which is one transaction. */
import type { Row } from "./file.ts";
import type { FieldName } from "./schema.ts";

/** Different ones: a hash takes a quarter of a second on purpose. */
const passwordsMax = 20;

export class Batches {
  rows: Row[] = [];
  readonly #rowsMax: number;
  readonly #passwordAt: number;
  readonly #passwords = new Set<string>();

  constructor(rowsMax: number, mapping: readonly (FieldName | null)[]) {
    this.#rowsMax = rowsMax;
    this.#passwordAt = mapping.indexOf("password");
  }

  /** Answers the rows before, when there is no room for one more beside them. */
  add(row: Row): Row[] | undefined {
    const password = row.cells[this.#passwordAt] ?? "";
    const isOther = this.#passwords.size === passwordsMax && !this.#passwords.has(password);
    const full = this.rows.length === this.#rowsMax || isOther ? this.rows : undefined;
    if (full) {
      this.rows = [];
      this.#passwords.clear();
    }
    this.#passwords.add(password);
    this.rows.push(row);
    return full;
  }
}
