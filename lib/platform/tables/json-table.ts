/** The records of a JSON file as rows: one column for each property that a record has. */

import { RecordSplitter, type RecordText } from "./json-records.ts";
import { tableError } from "./problems.ts";
import type { RecordRow, RecordTable } from "./records.ts";
import { columnsMax, headingCharsMax } from "./schema.ts";

type Cells = ReadonlyMap<string, string>;
type IsWhole = (name: string) => boolean;

/** Reads a file twice: for its columns, and for its rows. */
export function jsonTable(isWhole: IsWhole): RecordTable {
  const columns = new Map<string, number>();
  const counting = new RecordSplitter();
  const reading = new RecordSplitter();
  return {
    findColumns(part) {
      for (const record of counting.read(part)) {
        for (const name of cellsOf(record, isWhole).keys()) {
          if (!columns.has(name)) columns.set(name, columns.size);
        }
        if (columns.size > columnsMax) {
          throw tableError("too_many_columns", { line: record.line, max: columnsMax });
        }
      }
    },
    columns() {
      counting.end();
      return [...columns.keys()];
    },
    readRows: (part) =>
      reading.read(part).map((record): RecordRow => {
        const cells = new Array<string>(columns.size).fill("");
        for (const [name, cell] of cellsOf(record, isWhole)) cells[columns.get(name) ?? 0] = cell;
        return { line: record.line, cells };
      }),
  };
}

function cellsOf(record: RecordText, isWhole: IsWhole): Cells {
  const cells = new Map<string, string>();
  for (const [name, value] of Object.entries(parse(record))) {
    if (isPlainObject(value) && !isWhole(name)) {
      // {"meta": {"validUntil": …}} becomes the column "meta validUntil".
      for (const [inner, one] of Object.entries(value)) {
        cells.set(nameOf(`${name} ${inner}`), cellOf(one));
      }
    } else cells.set(nameOf(name), cellOf(value));
  }
  return cells;
}

/** A heading with a dot could be a host. */
function nameOf(name: string): string {
  return name.replaceAll(".", " ").slice(0, headingCharsMax);
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object") return String(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.length === 0 ? "" : JSON.stringify(namesOf(value) ?? value);
}

/** [{"name": "print"}] → ["print"]; undefined: they are something else. */
function namesOf(list: readonly unknown[]): string[] | undefined {
  const names = list.flatMap((one) =>
    isPlainObject(one) && "name" in one && typeof one.name === "string" ? [one.name] : [],
  );
  return names.length === list.length ? names : undefined;
}

function parse({ text, line }: RecordText): object {
  try {
    const value: unknown = JSON.parse(text);
    return Object(value);
  } catch (error) {
    const at = Number(/position (\d+)/.exec(String(error))?.[1] ?? 0);
    const lines = text.slice(0, at).split("\n").length - 1;
    throw tableError("json_broken", { line: line + lines });
  }
}
