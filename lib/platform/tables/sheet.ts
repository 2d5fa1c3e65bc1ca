/** Reads the XML of a sheet as CSV. */

import { Parser } from "htmlparser2";
import { dayMs, daySeconds } from "#lib/basics/time/schema";
import { count, tableError } from "./problems.ts";
import { cellCharsMax, columnsMax } from "./schema.ts";

/** The parser holds text until a tag ends. */
const heldCharsMax = 1_048_576;
export const depthMax = 32;

interface XmlHandler {
  onTag: (name: string, attributes: Readonly<Record<string, string>>) => void;
  onText?: (text: string) => void;
  onEnd?: (name: string) => void;
}

export class XmlParser {
  readonly #parser: Parser;
  #held = 0;
  #depth = 0;

  constructor({ onTag, onText, onEnd }: XmlHandler) {
    const seen = () => {
      this.#held = 0;
    };
    this.#parser = new Parser(
      {
        // The parser moves all open elements at each tag, so many of them would take minutes.
        onopentagname: () => {
          this.#depth += 1;
          // defence: workbook-depth
          if (this.#depth > depthMax) throw tableError("workbook_broken");
        },
        onopentag(name, attributes) {
          seen();
          onTag(name, attributes);
        },
        ontext(text) {
          seen();
          onText?.(text);
        },
        onclosetag: (name) => {
          this.#depth -= 1;
          seen();
          onEnd?.(name);
        },
      },
      { xmlMode: true },
    );
  }

  write(xml: string): void {
    this.#held += xml.length;
    this.#parser.write(xml);
    // defence: endless-xml
    if (this.#held > heldCharsMax) throw tableError("workbook_broken");
  }

  end(): void {
    this.#parser.end();
  }
}

interface SheetContext {
  texts: readonly string[];
  dateStyles: ReadonlySet<number>;
  since1904: boolean;
  cellsMax: number;
}

const sheetRowsMax = 1_048_576;
/** Day 0 in UTC. Excel counts a February 29, 1900, so earlier days are off by one. */
const epochMs = Date.UTC(1899, 11, 30);
const epoch1904Ms = Date.UTC(1904, 0, 1);

export class SheetReader {
  readonly #context: SheetContext;
  readonly #parser: XmlParser;
  #lines = "";
  #rowsWritten = 0;
  #cellsSeen = 0;
  #row = 0;
  #cells: string[] = [];
  #column = 0;
  #type = "";
  #style = 0;
  #value = "";
  #inValue = false;

  constructor(context: SheetContext) {
    this.#context = context;
    this.#parser = new XmlParser({
      onTag: (name, attributes) => this.#open(name, attributes),
      onText: (text) => {
        // Read no further than a little beyond the limit, which is enough to refuse the cell.
        if (this.#inValue && this.#value.length <= cellCharsMax) this.#value += text;
      },
      onEnd: (name) => this.#close(name),
    });
  }

  write(xml: string): void {
    this.#parser.write(xml);
  }

  take(): string {
    const lines = this.#lines;
    this.#lines = "";
    return lines;
  }

  end(): string {
    this.#parser.end();
    return this.take();
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "row") {
      const given = Number(attributes["r"]);
      this.#row = given > 0 && given <= sheetRowsMax ? given : this.#row + 1;
      this.#cells = [];
      this.#column = 0;
    } else if (name === "c") {
      this.#cellsSeen += 1;
      const { cellsMax } = this.#context;
      // defence: sheet-cells
      if (this.#cellsSeen > cellsMax) throw tableError("too_many_cells", { max: count(cellsMax) });
      this.#column = columnOf(attributes["r"]) ?? this.#column + 1;
      this.#type = attributes["t"] ?? "n";
      this.#style = Number(attributes["s"] ?? 0);
      this.#value = "";
    } else if (name === "v" || name === "t") {
      this.#inValue = true;
    }
  }

  #close(name: string): void {
    if (name === "v" || name === "t") this.#inValue = false;
    else if (name === "c") this.#putCell();
    else if (name === "row") this.#putRow();
  }

  /** One column above the limit is enough to be refused. */
  #putCell(): void {
    const text = this.#textOfCell();
    if (text === "" || this.#column > columnsMax + 1) return;
    while (this.#cells.length < this.#column - 1) this.#cells.push("");
    this.#cells[this.#column - 1] = text;
  }

  #textOfCell(): string {
    const value = this.#value;
    if (this.#type === "s") return this.#context.texts[Number(value)] ?? "";
    if (this.#type === "b") return value === "1" ? "true" : "false";
    if (this.#type === "e") return "";
    if (this.#type !== "n" || value === "") return value;
    if (this.#context.dateStyles.has(this.#style)) return dateOf(Number(value), this.#context);
    // Excel shows the digits instead of 1.2E+10.
    return /e/i.test(value) ? String(Number(value)) : value;
  }

  /** Empty lines keep line numbers equal to row numbers. */
  #putRow(): void {
    if (this.#cells.length === 0 || this.#row <= this.#rowsWritten) return;
    this.#lines += "\n".repeat(this.#row - this.#rowsWritten - 1);
    this.#lines += `${this.#cells.map(quoted).join(",")}\n`;
    this.#rowsWritten = this.#row;
  }
}

function columnOf(name: string | undefined): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(name ?? "") ?? [];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

function dateOf(days: number, { since1904 }: SheetContext): string {
  const at = (since1904 ? epoch1904Ms : epochMs) + Math.round(days * daySeconds) * 1_000;
  const date = new Date(at);
  if (!Number.isFinite(days) || Number.isNaN(date.getTime())) return String(days);
  const [day = "", time = ""] = date.toISOString().split("T");
  return at % dayMs === 0 ? day : `${day} ${time.slice(0, 8)}`;
}

function quoted(cell: string): string {
  return `"${cell.replace(/[\r\n]+/g, " ").replaceAll('"', '""')}"`;
}
