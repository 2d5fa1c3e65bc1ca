/**
 * Splits a JSON file into the texts of its records, while it is read: the objects of an array, of an array within an
 * object such as `{"links": […]}`, or one after the other. Only one record is in memory at a time; each is then parsed
 * by JSON.parse. Parsers that build values while they read hold texts of any length and objects of any depth.
 *
 *     outside of records: containers of records are opened and closed, other values are skipped
 *     within a record or a skipped value: brackets and texts are counted until it ends
 */
import type { AppError } from "#lib/platform/errors";
import { tableError } from "./problems.ts";
import { rowTooLong } from "./row-sink.ts";
import { rowCharsMax } from "./schema.ts";

/** In JSON, a character may take six. */
const recordCharsMax = 4 * rowCharsMax;
/** Objects and arrays within each other. */
const depthMax = 20;
/** Names of properties with lists of links, such as `shortUrls` → `data` of Shlink. */
const containers = new Set([
  ...["links", "bitlinks", "urls", "shortUrls", "short_urls"],
  ...["data", "items", "results"],
]);
const nameCharsMax = 100;

export interface RecordText {
  text: string;
  /** Of the file, where it starts. */
  line: number;
}

type Bracket = "{" | "[";
/** What a character begins or ends. */
type ValueEvent = "start" | "end" | undefined;

export class RecordSplitter {
  records = 0;
  #line = 1;
  /** Open containers. */
  readonly #path: Bracket[] = [];
  /** Brackets that are open in the current value; 0: outside. */
  #depth = 0;
  /** The current value is a record, not skipped. */
  #kept = false;
  #text = "";
  #startLine = 1;
  #inString = false;
  #escaped = false;
  /** The last text, cut: the name of the property whose value follows. */
  #name = "";

  /** The records that end in the next part of the file. */
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

  /** Throws when something is open. */
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
    // Numbers and words are values beside a list, such as its length.
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
    // A list within a list is no record.
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
      // It was no record: the object has a list of them.
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
