import readWorkbook from "read-excel-file/node";
import { expect, test } from "vitest";
import { readArchive } from "../../../test/archive.ts";
import { readCsv } from "../../../test/csv.ts";
import { type Cell, handOver, recordsFile, type SentFile } from "./index.ts";
import { cellCharsMax, writeWorkbook } from "./workbook.ts";

type Rows = readonly (readonly Cell[])[];

async function* pagesOf<Row>(...pages: (readonly Row[])[]) {
  yield* pages;
}

async function bytesOf(send: SentFile["send"]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  await send(async (bytes) => void chunks.push(bytes));
  return Buffer.concat(chunks);
}

const workbookOf = (columns: readonly string[], rows: Rows, rowsMax?: number) =>
  bytesOf((write) =>
    writeWorkbook(
      write,
      [{ name: "Sheet", columns, pages: pagesOf<readonly Cell[]>(rows) }],
      rowsMax,
    ),
  );

/** By an independent library. */
async function readSheets(workbook: Buffer): Promise<unknown[][][]> {
  const sheets = await readWorkbook(workbook, { trim: false });
  return sheets.map(({ data }) => data);
}

const texts = [
  "plain",
  '=HYPERLINK("https://evil.example")',
  "<b>&amp;</b> \"quoted\" 'too'",
  "  spaces\nand lines\tand tabs  ",
  "短链接 🦊",
  "_x0041_ is not an A",
];

test("texts and numbers are what they were, and no text is a formula", async () => {
  const rows = texts.map((text, at) => [text, at, at - 2.5, null]);
  const [sheet] = await readSheets(await workbookOf(["text", "number", "half", "none"], rows));
  expect(sheet?.[0]?.slice(0, 3)).toEqual(["text", "number", "half"]);
  expect(sheet?.slice(1).map((cells) => cells.slice(0, 3))).toEqual(
    rows.map((cells) => cells.slice(0, 3)),
  );
  const files = await readArchive(await workbookOf(["text"], rows));
  for (const { bytes } of files) expect(bytes.toString()).not.toMatch(/<f[ >]/);
});

test("characters that XML cannot have are written as the format says", async () => {
  const [sheet] = await readArchive(await workbookOf(["text"], [["a\u0000b\rc\ud800d\uffff"]]));
  const xml = sheet?.bytes.toString() ?? "";
  expect(xml).toContain(">a_x0000_b_x000D_c\ufffdd_xFFFF_<");
});

test(`a text of ${cellCharsMax} characters is whole, a longer one is cut`, async () => {
  const rows = [["x".repeat(cellCharsMax)], ["x".repeat(cellCharsMax + 1)]];
  const [sheet] = await readSheets(await workbookOf(["text"], rows));
  const [, whole, cut] = (sheet ?? []).map(([text]) => String(text));
  expect(whole).toBe("x".repeat(cellCharsMax));
  expect(cut).toBe(`${"x".repeat(cellCharsMax - 1)}…`);
});

test.each([
  [3, [3]],
  [4, [4]],
  [5, [4, 2]],
  [7, [4, 4]],
  [8, [4, 4, 2]],
])("%i lines in sheets of four rows, each with the names of the columns", async (lines, sheets) => {
  const rows = Array.from({ length: lines - 1 }, (_, at) => [at]);
  const found = await readSheets(await workbookOf(["number"], rows, 4));
  expect(found.map(({ length }) => length)).toEqual(sheets);
  expect(found.map(([head]) => head)).toEqual(sheets.map(() => ["number"]));
  expect(found.flatMap((sheet) => sheet.slice(1))).toEqual(rows);
});

test("a table without rows has the names of its columns, and columns go on after Z", async () => {
  const columns = Array.from({ length: 60 }, (_, at) => `column ${at}`);
  expect(await readSheets(await workbookOf(columns, []))).toEqual([[columns]]);
  const [sheet] = await readArchive(await workbookOf(columns, []));
  const places = [...(sheet?.bytes.toString() ?? "").matchAll(/<c r="([A-Z]+)1"/g)];
  expect(places.map(([, place]) => place).slice(24, 29)).toEqual(["Y", "Z", "AA", "AB", "AC"]);
  expect(places.at(-1)?.[1]).toBe("BH");
});

test("the same records in each format", async () => {
  const records = {
    name: "fuxi-links",
    columns: ["url", "clicks"],
    cellsOf: ({ url, clicks }: { url: string; clicks: number }) => [url, clicks],
    pages: () =>
      pagesOf([{ url: "https://example.com/", clicks: 2 }], [], [{ url: "=1+1", clicks: 0 }]),
  };
  const [csv, jsonl, xlsx] = (["csv", "jsonl", "xlsx"] as const).map((format) =>
    recordsFile({ ...records, format }),
  );
  if (!csv || !jsonl || !xlsx) throw new Error("no file");
  expect([csv, jsonl, xlsx].map(({ name }) => name)).toEqual([
    "fuxi-links.csv",
    "fuxi-links.jsonl",
    "fuxi-links.xlsx",
  ]);
  expect(readCsv(String(await bytesOf(csv.send)))).toEqual([
    { url: "https://example.com/", clicks: "2" },
    { url: "'=1+1", clicks: "0" },
  ]);
  expect(String(await bytesOf(jsonl.send))).toBe(
    '{"url":"https://example.com/","clicks":2}\n{"url":"=1+1","clicks":0}\n',
  );
  expect(await readSheets(await bytesOf(xlsx.send))).toEqual([
    [
      ["url", "clicks"],
      ["https://example.com/", 2],
      ["=1+1", 0],
    ],
  ]);
});

test("each table has its sheets, with their names", async () => {
  const table = (name: string, rows: Rows) => ({
    name,
    columns: [name],
    pages: pagesOf<readonly Cell[]>(rows),
  });
  const tables = [table("none", []), table("a & b", [[1], [2], [3]]), table("last", [[4]])];
  const workbook = await bytesOf((write) => writeWorkbook(write, tables, 3));
  const sheets = await readWorkbook(workbook);
  expect(sheets.map(({ sheet, data }) => [sheet, data.flat()])).toEqual([
    ["none", ["none"]],
    ["a & b", ["a & b", 1, 2]],
    ["a & b 2", ["a & b", 3]],
    ["last", ["last", 4]],
  ]);
});

test("pages of a callback are handed over one at a time, with its error, and it ends when its reader does", async () => {
  let put = 0;
  const fill = async (hand: (page: number) => Promise<void>) => {
    for (;;) {
      await hand(put);
      put += 1;
    }
  };
  for await (const page of handOver(fill)) if (page === 3) break;
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(put).toBeLessThanOrEqual(6);
  const failing = handOver<number>(() => Promise.reject(new Error("away")));
  await expect(failing.next()).rejects.toThrow("away");
});
