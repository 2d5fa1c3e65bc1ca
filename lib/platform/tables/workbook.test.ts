import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { bookOf, sheetOf, workbookOf, zipOf } from "../../../test/workbooks.ts";
import { columnsMax } from "./schema.ts";
import { depthMax } from "./sheet.ts";
import { writeTable } from "./table.ts";
import { linesOfWorkbook, type WorkbookLimits } from "./workbook.ts";

const folder = mkdtempSync(join(tmpdir(), "fuxi-workbook-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface ReadOptions {
  limits?: Partial<WorkbookLimits>;
  declared?: Record<string, number>;
  bytes?: Buffer;
}

/** The rows as an import stores them. */
async function read(
  files: Record<string, string>,
  { limits = {}, declared = {}, bytes = zipOf(files, declared) }: ReadOptions = {},
): Promise<[line: number, ...cells: string[]][]> {
  const path = join(folder, "book.xlsx");
  writeFileSync(path, bytes);
  const book = await open(path);
  const allowed = { unpacked: 10_000, shared: 10_000, cells: 10_000, ...limits };
  const lines = linesOfWorkbook(book, bytes.length, allowed);
  const stored = join(folder, "rows.jsonl");
  const file = await open(stored, "w+");
  try {
    await writeTable(async () => (await lines.next()).value, "utf-8", ",", file, {});
    const text = await open(stored).then(async (one) => {
      const whole = await one.readFile("utf8");
      await one.close();
      return whole;
    });
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  } finally {
    await file.close();
    await book.close();
  }
}

const problem = (code: string) => ({ problem: { code } });

test("texts, numbers, dates and empty cells become the cells of a row with the number of Excel", async () => {
  const rows = [
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Title &amp; more</t></is></c></row>',
    '<row r="3"><c r="A3" t="str"><v>https://example.com/,"x"</v></c><c r="B3"><v>42</v></c><c r="C3" s="1"><v>46023</v></c><c r="D3" s="2"><v>46023.75</v></c><c r="E3" t="b"><v>1</v></c><c r="F3" t="e"><v>#REF!</v></c></row>',
    '<row><c><v>1.5E3</v></c><c t="s"><v>1</v></c></row>',
  ].join("");
  const found = await read(
    workbookOf(rows, {
      "xl/sharedStrings.xml":
        "<sst><si><t>Destination</t></si><si><r><t>two </t></r><r><t>parts\nhere</t></r><rPh><t>no</t></rPh></si></sst>",
      "xl/styles.xml":
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]yyyy\\-mm hh:mm"/><numFmt numFmtId="165" formatCode="0.0 &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
    }),
  );
  expect(found).toEqual([
    [1, "Destination", "", "Title & more"],
    [3, 'https://example.com/,"x"', "42", "2026-01-01", "2026-01-01 18:00:00", "true"],
    [4, "1500", "two parts here"],
  ]);
});

test("the first visible sheet is read, and days may count from 1904", async () => {
  const sheets = '<sheet r:id="rId1" state="hidden"/><sheet r:id="rId2"/>';
  const found = await read(
    workbookOf('<row r="1"><c><v>1</v></c></row>', {
      "xl/workbook.xml": bookOf(sheets, '<workbookPr date1904="1"/>'),
      "xl/worksheets/sheet2.xml": sheetOf('<row r="1"><c s="0"><v>0</v></c></row>'),
      "xl/styles.xml": '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>',
    }),
  );
  expect(found).toEqual([[1, "1904-01-01"]]);
});

describe("a workbook is refused with what to do", () => {
  const row = '<row r="1"><c t="s"><v>0</v></c></row>';
  const shared = (bytes: number) => `<sst><si><t>${"x".repeat(bytes - 32)}</t></si></sst>`;

  test("when its parts unpack to more than the limit, and not at the limit", async () => {
    const files = workbookOf(row);
    const bytes = Buffer.byteLength(files["xl/worksheets/sheet1.xml"] ?? "");
    expect(await read(files, { limits: { unpacked: bytes } })).toEqual([]);
    await expect(read(files, { limits: { unpacked: bytes - 1 } })).rejects.toMatchObject(
      problem("workbook_unpacked"),
    );
  });

  test("when its shared texts are more than the limit, and not at the limit", async () => {
    const files = workbookOf(row, { "xl/sharedStrings.xml": shared(1_000) });
    const bytes = Buffer.byteLength(files["xl/sharedStrings.xml"] ?? "");
    expect(await read(files, { limits: { shared: bytes } })).toHaveLength(1);
    await expect(read(files, { limits: { shared: bytes - 1 } })).rejects.toMatchObject(
      problem("workbook_unpacked"),
    );
  });

  test("when a part unpacks to more than its directory declares", async () => {
    const bomb = workbookOf(`<row r="1"><c t="str"><v>${"x".repeat(5_000_000)}</v></c></row>`);
    await expect(
      read(bomb, { declared: { "xl/worksheets/sheet1.xml": 100 } }),
    ).rejects.toMatchObject(problem("workbook_broken"));
  });

  test("when a tag never ends", async () => {
    const endless = workbookOf(`<row r="1"><c t="${"x".repeat(3_000_000)}"><v>1</v></c></row>`);
    await expect(read(endless, { limits: { unpacked: 9_000_000 } })).rejects.toMatchObject(
      problem("workbook_broken"),
    );
  });

  test("when a cell is longer than Excel allows, or a row has too many columns", async () => {
    const long = workbookOf(`<row r="1"><c t="str"><v>${"x".repeat(32_768)}</v></c></row>`);
    const limits = { unpacked: 1_000_000 };
    await expect(read(long, { limits })).rejects.toMatchObject(problem("cell_too_long"));
    const cells = '<c t="str"><v>x</v></c>'.repeat(columnsMax);
    expect(await read(workbookOf(`<row r="1">${cells}</row>`), { limits })).toHaveLength(1);
    const wide = workbookOf(`<row r="1">${cells}<c t="str"><v>x</v></c></row>`);
    await expect(read(wide, { limits })).rejects.toMatchObject(problem("too_many_columns"));
  });

  test("when its sheet has more cells than the limit, also empty ones, and not at the limit", async () => {
    const files = workbookOf(`<row r="1"><c t="str"><v>x</v></c>${"<c/>".repeat(9)}</row>`);
    expect(await read(files, { limits: { cells: 10 } })).toHaveLength(1);
    await expect(read(files, { limits: { cells: 9 } })).rejects.toMatchObject(
      problem("too_many_cells"),
    );
  });

  test("when elements are nested deeper than the limit, and not at the limit", async () => {
    // Within <worksheet> and <sheetData>.
    const nested = (depth: number) => `${"<a>".repeat(depth)}${"</a>".repeat(depth)}${row}`;
    expect(await read(workbookOf(nested(depthMax - 2)), {})).toHaveLength(0);
    await expect(read(workbookOf(nested(depthMax - 1)))).rejects.toMatchObject(
      problem("workbook_broken"),
    );
  });

  test("when very many elements are open, before they cost time", async () => {
    const many = workbookOf("<a>".repeat(200_000));
    const limits = { unpacked: 9_000_000 };
    const before = process.cpuUsage();
    await expect(read(many, { limits })).rejects.toMatchObject(problem("workbook_broken"));
    // It was 30 s.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });

  test("when it is another archive, or cut off", async () => {
    await expect(read({ "links.csv": "url" })).rejects.toMatchObject(problem("is_archive"));
    const whole = zipOf(workbookOf(row));
    const bytes = whole.subarray(0, whole.length - 30);
    await expect(read({}, { bytes })).rejects.toMatchObject(problem("workbook_broken"));
  });
});
