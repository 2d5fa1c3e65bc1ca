/**
 * Reads a JSON file as rows, with a column for each property. The records are the objects of an
 * array, of an array within an object such as `{"links": […]}`, or one after the other. The
 * splitter holds one record at a time and JSON.parse parses it; streaming parsers would hold texts
 * of any length and objects of any depth.
 *
 *     outside of records: containers of records are opened and closed, other values are skipped
 *     within a record or a skipped value: brackets and texts are counted until it ends
 */
import type { AppError } from "#lib/platform/errors";
import { tableError } from "./problems.ts";
import type { RecordRow, RecordTable } from "./records.ts";
import { rowTooLong } from "./row-sink.ts";
import { columnsMax, headingCharsMax, rowCharsMax } from "./schema.ts";

/** A character may take six in JSON. */
const recordCharsMax = 4 * rowCharsMax;
const depthMax = 20;
/** Properties with lists of links, such as `shortUrls` → `data` of Shlink. */
const containers = new Set([
  ...["links", "bitlinks", "urls", "shortUrls", "short_urls"],
  ...["data", "items", "results"],
]);
const nameCharsMax = 100;

export interface RecordText {
  text: string;
  line: number;
}

type Bracket = "{" | "[";
type ValueEvent = "start" | "end" | undefined;

class RecordSplitter {
  records = 0;
  #line = 1;
  readonly #path: Bracket[] = [];
  #depth = 0;
  #kept = false; // a record, not skipped
  #text = "";
  #startLine = 1;
  #inString = false;
  #escaped = false;
  #name = "";

  read(part: string): RecordText[] {
    const found: RecordText[] = [];
    let from = 0;
    for (let at = 0; at < part.length; at++) {
      const event = this.#step(part[at] ?? "");
      if (event === "start") from = at;
      else if (event === "end") found.push(...this.#endValue(part.slice(from, at + 1)));
    }
    if (this.#depth > 0 && this.#kept) this.#text += part.slice(from);
    if (this.#text.length > recordCharsMax) throw rowTooLong(this.#startLine, false);
    return found;
  }

  #step(sign: string): ValueEvent {
    if (sign === "\n") this.#line += 1;
    if (this.#inString) return this.#readString(sign);
    return this.#depth > 0 ? this.#readInside(sign) : this.#readOutside(sign);
  }

  #endValue(text: string): RecordText[] {
    const whole = this.#text + text;
    this.#text = "";
    if (!this.#kept) return [];
    this.records += 1;
    return [{ text: whole, line: this.#startLine }];
  }

  end(): void {
    if (this.#depth > 0 || this.#inString || this.#path.length > 0) {
      throw tableError("json_cut", { line: this.#depth > 0 ? this.#startLine : this.#line });
    }
    if (this.records === 0) throw tableError("json_no_records");
  }

  #readString(sign: string): undefined {
    if (sign === '"' && !this.#escaped) {
      this.#inString = false;
      return;
    }
    this.#escaped = sign === "\\" && !this.#escaped;
    if (this.#name.length < nameCharsMax) this.#name += sign;
  }

  #startString(): undefined {
    this.#inString = true;
    this.#name = "";
  }

  #readOutside(sign: string): ValueEvent {
    if (sign === "{" || sign === "[") return this.#open(sign);
    if (sign === "}" || sign === "]") return this.#close(sign);
    const isWithin = this.#path.length > 0;
    if (sign === '"' && isWithin) return this.#startString();
    // Other values may stand beside a list, such as its length.
    const allowed = isWithin ? /[\s,:\w.+-]/ : /[\s,\ufeff]/;
    if (!allowed.test(sign)) throw this.#broken();
    return undefined;
  }

  #close(bracket: "}" | "]"): undefined {
    if (this.#path.pop() !== (bracket === "}" ? "{" : "[")) throw this.#broken();
  }

  #open(bracket: Bracket): ValueEvent {
    const above = this.#path.at(-1);
    const isContainer = above === "{" ? containers.has(this.#name) : bracket === "[" && !above;
    if (isContainer) {
      this.#path.push(bracket);
      if (this.#path.length > depthMax) throw this.#tooDeep();
      return undefined;
    }
    this.#depth = 1;
    // A list within a list is not a record.
    this.#kept = bracket === "{" && above !== "{";
    this.#startLine = this.#line;
    return "start";
  }

  #readInside(sign: string): ValueEvent {
    if (sign === '"') return this.#startString();
    if (sign === "{" || sign === "[") return this.#deepen(sign);
    if (sign !== "}" && sign !== "]") return undefined;
    this.#depth -= 1;
    return this.#depth === 0 ? "end" : undefined;
  }

  #deepen(bracket: Bracket): undefined {
    if (this.#isListOfRoot(bracket)) {
      // The object was not a record, but has a list of them.
      this.#path.push("{", bracket);
      this.#depth = 0;
      this.#text = "";
      return;
    }
    this.#depth += 1;
    if (this.#depth > depthMax) throw this.#tooDeep();
  }

  #isListOfRoot(bracket: Bracket): boolean {
    const isRoot = this.#path.length === 0 && this.#kept && this.#depth === 1;
    return isRoot && containers.has(this.#name) && (bracket === "[" || this.#name !== "data");
  }

  #broken(): AppError {
    return tableError("json_broken", { line: this.#line });
  }

  #tooDeep(): AppError {
    return tableError("json_too_deep", { line: this.#line, max: depthMax });
  }
}

type Cells = ReadonlyMap<string, string>;
type IsWhole = (name: string) => boolean;

/** The file is read twice: for the columns, then for the rows. */
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

/** A heading with a dot could be taken for a host. */
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

/** `[{"name": "print"}]` → `["print"]`; undefined for other lists */
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
