/**
 * Writes tables as an Excel workbook (.xlsx, ECMA-376) that is sent while it is written. Cells
 * contain their texts, because a list of shared texts would be complete only at the end.
 *
 *     sheet1.xml │ sheet2.xml, when a sheet is full … │ styles │ workbook │ its relations │ content types
 *
 * A text is never evaluated as a formula.
 */
import type { Cell } from "./csv.ts";
import { ZipWriter } from "./zip.ts";

const sheetRowsMax = 1_048_576;
export const cellCharsMax = 32_767;

type Rows = readonly (readonly Cell[])[];
type WriteText = (text: string) => Promise<void>;

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const sheets = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const links = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packageLinks = "http://schemas.openxmlformats.org/package/2006/relationships";
const contentTypes = "http://schemas.openxmlformats.org/package/2006/content-types";
const typeOf = (part: string) =>
  `application/vnd.openxmlformats-officedocument.spreadsheetml.${part}+xml`;

export interface WorkbookTable {
  /** Sheet name, up to 28 characters, without []:*?/\\. Later sheets of a table get a number. */
  name: string;
  columns: readonly string[];
  pages: AsyncIterable<Rows>;
}

/** Each sheet begins with the column names. `rowsMax` is for tests. */
export async function writeWorkbook(
  send: (bytes: Uint8Array) => Promise<void>,
  tables: readonly WorkbookTable[],
  rowsMax = sheetRowsMax,
): Promise<void> {
  const zip = new ZipWriter(send);
  const names: string[] = [];
  for (const { name, columns, pages } of tables) {
    const rows = new RowReader(pages);
    let sheetCount = 0;
    try {
      do {
        sheetCount += 1;
        names.push(sheetCount === 1 ? name : `${name} ${sheetCount}`);
        await zip.add(`xl/worksheets/sheet${names.length}.xml`, (write) =>
          writeSheet(write, columns, rows, rowsMax),
        );
      } while (await rows.hasMore());
    } finally {
      await rows.end();
    }
  }
  for (const [name, text] of Object.entries(partsOf(names))) {
    await zip.add(name, (write) => write(xml + text));
  }
  await zip.end();
}

class RowReader {
  readonly #pages: AsyncIterator<Rows>;
  #page: Rows = [];

  constructor(pages: AsyncIterable<Rows>) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    while (this.#page.length === 0) {
      const next = await this.#pages.next();
      if (next.done) return false;
      this.#page = next.value;
    }
    return true;
  }

  async end(): Promise<void> {
    await this.#pages.return?.();
  }

  take(max: number): Rows {
    const taken = this.#page.slice(0, max);
    this.#page = this.#page.slice(max);
    return taken;
  }
}

async function writeSheet(
  write: WriteText,
  columns: readonly string[],
  rows: RowReader,
  rowsMax: number,
): Promise<void> {
  const frozen =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';
  const widths = `<cols><col min="1" max="${columns.length}" width="20" customWidth="1"/></cols>`;
  await write(`${xml}<worksheet xmlns="${sheets}">${frozen}${widths}<sheetData>`);
  await write(rowOf(columns, 1, ' s="1"'));
  let count = 1;
  while (count < rowsMax && (await rows.hasMore())) {
    const page = rows.take(rowsMax - count);
    await write(page.map((cells, at) => rowOf(cells, count + at + 1)).join(""));
    count += page.length;
  }
  await write("</sheetData></worksheet>");
}

function rowOf(cells: readonly Cell[], number: number, style = ""): string {
  const written = cells.map((cell, at) => cellOf(cell, `${columnName(at)}${number}`, style));
  return `<row r="${number}">${written.join("")}</row>`;
}

function cellOf(cell: Cell, place: string, style: string): string {
  if (cell === null || cell === "") return "";
  if (typeof cell === "number") return `<c r="${place}"${style}><v>${cell}</v></c>`;
  return `<c r="${place}"${style} t="inlineStr"><is><t xml:space="preserve">${textOf(cell)}</t></is></c>`;
}

function columnName(at: number): string {
  const last = String.fromCharCode(65 + (at % 26));
  return at < 26 ? last : columnName(Math.floor(at / 26) - 1) + last;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Longer texts make a file unreadable. Characters that XML lacks are escaped (ECMA-376). */
function textOf(text: string): string {
  const short = text.length > cellCharsMax ? `${text.slice(0, cellCharsMax - 1)}…` : text;
  return short
    .toWellFormed()
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
    .replace(/[&<>]/g, (character) => entities[character] ?? "")
    .replace(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML cannot have
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
    );
}

function partsOf(names: readonly string[]): Record<string, string> {
  const numbers = names.map((_, at) => at + 1);
  const sheetList = names.map(
    (name, at) => `<sheet name="${textOf(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const sheetLinks = numbers.map(
    (n) =>
      `<Relationship Id="rId${n}" Type="${links}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  );
  const sheetTypes = numbers.map(
    (n) =>
      `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${typeOf("worksheet")}"/>`,
  );
  return {
    "xl/styles.xml": styles,
    "xl/workbook.xml": `<workbook xmlns="${sheets}" xmlns:r="${links}"><sheets>${sheetList.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packageLinks}">${sheetLinks.join("")}<Relationship Id="styles" Type="${links}/styles" Target="styles.xml"/></Relationships>`,
    "_rels/.rels": `<Relationships xmlns="${packageLinks}"><Relationship Id="workbook" Type="${links}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "[Content_Types].xml": `<Types xmlns="${contentTypes}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${typeOf("sheet.main")}"/><Override PartName="/xl/styles.xml" ContentType="${typeOf("styles")}"/>${sheetTypes.join("")}</Types>`,
  };
}

const styles = `<styleSheet xmlns="${sheets}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`;
