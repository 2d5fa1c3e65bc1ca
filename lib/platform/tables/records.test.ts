/** JSON and SQL as rows: what is read, and what is refused with its line. */
import { describe, expect, test } from "vitest";
import type { TableFile } from "./files.ts";
import { recordFormatOf, writeRecords } from "./records.ts";
import { cellCharsMax, columnsMax, rowCharsMax } from "./schema.ts";

/** A file whose bytes are read in pieces, so that every token is cut somewhere. */
function fileOf(bytes: Buffer, pieceBytes: number): Pick<TableFile, "read"> {
  return {
    read: (buffer, offset, length, position) => {
      const bytesRead = bytes.copy(
        buffer,
        offset,
        position,
        position + Math.min(length, pieceBytes),
      );
      return Promise.resolve({ bytesRead });
    },
  };
}

async function rowsOf(
  content: string | Uint8Array,
  { pieceBytes = 100_000, rowsAllowed = 1_000 } = {},
): Promise<[line: number, ...cells: string[]][]> {
  const bytes = Buffer.from(content as Uint8Array);
  const format = recordFormatOf(bytes.subarray(0, 256));
  if (!format) throw new Error("not recognized");
  const lines: string[] = [];
  const file = {
    write: (chunk: Uint8Array, offset: number, length: number) => {
      lines.push(Buffer.from(chunk.subarray(offset, offset + length)).toString());
      return Promise.resolve({ bytesWritten: length });
    },
  };
  const rules = { records: { wholeNames: ["geo"] }, rowsAllowed };
  await writeRecords(format, fileOf(bytes, pieceBytes), file, rules);
  return lines
    .join("")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const problemOf = (content: string | Uint8Array, options = {}) =>
  rowsOf(content, options).then(
    () => undefined,
    (error) => error.problem,
  );

const one = { url: "https://a.example/", title: 'He said: "[{", \\ and 你好' };
const two = { url: "https://b.example/", clicks: 3 };
const heading = [1, "url", "title", "clicks"];
const cells = [one.url, one.title];

describe("JSON", () => {
  test.each([
    ["an array", JSON.stringify([one, two])],
    ["an array over several lines", JSON.stringify([one, two], null, 2)],
    ["a list with a name", JSON.stringify({ links: [one, two], count: 2 })],
    [
      "a list after other properties",
      JSON.stringify({ pagination: { page: 1, tags: [{}] }, total: 2, links: [one, two] }),
    ],
    [
      "a list within an object",
      JSON.stringify({ shortUrls: { data: [one, two], pagination: {} } }),
    ],
    ["one object per line", `${JSON.stringify(one)}\n${JSON.stringify(two)}\n`],
    ["several pages", JSON.stringify({ links: [one] }) + JSON.stringify({ links: [two] })],
    ["a byte order mark", `\ufeff${JSON.stringify([one, two])}`],
  ])("%s is read, wherever its parts end", async (_, text) => {
    for (const pieceBytes of [1, 7, 100_000]) {
      const [first, second, third] = await rowsOf(text, { pieceBytes });
      expect(first).toEqual(heading);
      expect(second?.slice(1)).toEqual(cells);
      expect(third?.slice(1)).toEqual([two.url, "", "3"]);
    }
  });

  test("rows have the lines on which they start", async () => {
    const rows = await rowsOf(JSON.stringify([one, two], null, 2));
    expect(rows.map(([line]) => line)).toEqual([1, 2, 6]);
  });

  test("lists and objects become cells: names as a list, one level of properties as columns, rules as JSON", async () => {
    const link = {
      ...{
        tags: [
          { id: "t1", name: "print" },
          { id: "t2", name: "a,b" },
        ],
        none: [],
        empty: null,
      },
      ...{ meta: { validUntil: "2031-01-01", deep: { a: 1 } }, geo: { DE: "https://de.example/" } },
      ...{ list: ["a", "b"], archived: false, "a.b": 1 },
    };
    const [names = [], row = []] = await rowsOf(JSON.stringify([link]));
    expect(Object.fromEntries(names.slice(1).map((name, at) => [name, row[at + 1]]))).toEqual({
      tags: '["print","a,b"]',
      none: "",
      empty: "",
      "meta validUntil": "2031-01-01",
      "meta deep": '{"a":1}',
      geo: '{"DE":"https://de.example/"}',
      list: '["a","b"]',
      archived: "false",
      "a b": "1",
    });
  });

  test.each([
    ["no list", '{"error": "not found"', { code: "json_cut", params: { line: 1 } }],
    ["an empty list", "[]", { code: "json_no_records", params: {} }],
    ["a list of texts", '[\n["https://a.example/"]]', { code: "json_no_records", params: {} }],
    [
      "a record that ends early",
      '[{"url": "https://a.example/"},\n\n{"url": ',
      { code: "json_cut", params: { line: 3 } },
    ],
    ["a text that ends early", '[\n{"url": "https://a', { code: "json_cut", params: { line: 2 } }],
    [
      "a comma too many",
      '[{"url": "a"},\n{"url":\n "b",}]',
      { code: "json_broken", params: { line: 3 } },
    ],
    ["brackets that do not match", '[{"url": "a"}}', { code: "json_broken", params: { line: 1 } }],
    ["text after it", '[{"url": "a"}]\nhello', { code: "json_broken", params: { line: 2 } }],
    [
      "a NUL character",
      '[{"url": "a\\u0000"}]',
      { code: "nul_in_cell", params: { line: 1, column: 1 } },
    ],
  ])("with %s is refused with its line", async (_, text, problem) => {
    expect(await problemOf(text)).toEqual(problem);
    expect(await problemOf(text, { pieceBytes: 3 })).toEqual(problem);
  });

  test("20 objects and lists within each other are read, 21 are refused; a million take no stack", async () => {
    const nested = (depth: number) => `[${'{"a":'.repeat(depth)}1${"}".repeat(depth)}]`;
    expect(await problemOf(nested(20))).toBeUndefined();
    const refused = { code: "json_too_deep", params: { line: 1, max: 20 } };
    expect(await problemOf(nested(21))).toEqual(refused);
    expect(await problemOf(`[${"[".repeat(1_000_000)}`)).toEqual(refused);
    expect(await problemOf('[{"a":'.repeat(1_000_000))).toEqual(refused);
  });

  test("cells, columns and rows have the limits of CSV", async () => {
    const cell = (length: number) => JSON.stringify([{ url: "x".repeat(length) }]);
    expect(await problemOf(cell(cellCharsMax))).toBeUndefined();
    expect(await problemOf(cell(cellCharsMax + 1))).toMatchObject({ code: "cell_too_long" });
    const wide = (width: number) =>
      JSON.stringify([Object.fromEntries(Array.from({ length: width }, (_, at) => [`c${at}`, 1]))]);
    expect(await problemOf(wide(columnsMax))).toBeUndefined();
    expect(await problemOf(wide(columnsMax + 1))).toMatchObject({ code: "too_many_columns" });
    const many = (rows: number) => JSON.stringify(Array.from({ length: rows }, () => two));
    expect(await problemOf(many(1_000))).toBeUndefined();
    expect(await problemOf(many(1_001))).toMatchObject({ code: "too_many_rows" });
  });

  test("a text without an end is not held in memory", async () => {
    const endless = `[{"url": "${"x".repeat(8 * rowCharsMax)}`;
    expect(await problemOf(endless)).toMatchObject({ code: "row_too_long", params: { line: 1 } });
    expect(
      await problemOf(`{"other": "${"x".repeat(8 * rowCharsMax)}", "links": []}`),
    ).toMatchObject({
      code: "row_too_long",
    });
  });

  test("__proto__ is a column like any other", async () => {
    const rows = await rowsOf('[{"__proto__": {"polluted": "x"}, "url": "https://a.example/"}]');
    expect(rows[0]).toEqual([1, "__proto__ polluted", "url"]);
    expect("polluted" in {}).toBe(false);
  });

  test("UTF-16 with its mark is read; other encodings are refused", async () => {
    const text = JSON.stringify([one]);
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
    expect((await rowsOf(marked))[1]?.slice(1)).toEqual(cells);
    const latin = Buffer.from('[{"url": "https://a.example/", "title": "Überblick"}]', "latin1");
    expect(await problemOf(latin)).toEqual({
      code: "records_encoding",
      params: { format: "JSON" },
    });
  });
});

/** As mysqldump 8 writes it: https://dev.mysql.com/doc/refman/8.4/en/mysqldump.html. */
const dump = `-- MySQL dump 10.13  Distrib 8.4.3, for Linux (x86_64)
--
-- Host: localhost    Database: yourls
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
DROP TABLE IF EXISTS \`yourls_options\`;
CREATE TABLE \`yourls_options\` (
  \`option_id\` bigint unsigned NOT NULL AUTO_INCREMENT,
  \`option_value\` longtext NOT NULL,
  PRIMARY KEY (\`option_id\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
INSERT INTO \`yourls_options\` VALUES (1,'a;b\\'c'),(2,'INSERT INTO \`yourls_url\` VALUES (');
CREATE TABLE \`yourls_url\` (
  \`keyword\` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  \`url\` text NOT NULL,
  \`title\` text,
  \`timestamp\` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,
  \`ip\` varchar(41) NOT NULL,
  \`clicks\` int unsigned NOT NULL,
  PRIMARY KEY (\`keyword\`),
  KEY \`ip\` (\`ip\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
LOCK TABLES \`yourls_url\` WRITE;
INSERT INTO \`yourls_url\` VALUES ('a','https://a.example/?q=1;2','It\\'s \\"a\\", ''b''\\n(c)','2024-01-02 03:04:05','::1',7),('b','https://b.example/',NULL,'2024-01-02 03:04:06','::1',0);
INSERT INTO \`yourls_url\` VALUES ('c','https://c.example/',_utf8mb4'你好 -- # /*','2024-01-02 03:04:07','::1',-1);
UNLOCK TABLES;
-- Dump completed on 2026-11-01  0:00:00
`;
const names = ["keyword", "url", "title", "timestamp", "ip", "clicks"];

describe("SQL", () => {
  test("a dump of YOURLS is read with its escapes, wherever its parts end; other tables are skipped", async () => {
    for (const pieceBytes of [1, 13, 100_000]) {
      expect(await rowsOf(dump, { pieceBytes })).toEqual([
        [1, ...names],
        [
          23,
          "a",
          "https://a.example/?q=1;2",
          "It's \"a\", 'b'\n(c)",
          "2024-01-02 03:04:05",
          "::1",
          "7",
        ],
        [23, "b", "https://b.example/", "", "2024-01-02 03:04:06", "::1", "0"],
        [24, "c", "https://c.example/", "你好 -- # /*", "2024-01-02 03:04:07", "::1", "-1"],
      ]);
    }
  });

  test("columns are those of the statement, or those of YOURLS where none are named", async () => {
    const named =
      "INSERT INTO `short_url` (`url`, `keyword`) VALUES\n('https://a.example/', 'a'),\n('https://b.example/', 'b');";
    expect(await rowsOf(named)).toEqual([
      [1, "url", "keyword"],
      [2, "https://a.example/", "a"],
      [3, "https://b.example/", "b"],
    ]);
    const plain =
      "insert ignore into yourls.yourls_url values ('a','https://a.example/','A','2024-01-01','::1',1)";
    expect(await rowsOf(plain)).toEqual([
      [1, ...names],
      [1, "a", "https://a.example/", "A", "2024-01-01", "::1", "1"],
    ]);
  });

  const insert = "INSERT INTO `yourls_url` VALUES ";
  test.each([
    [
      "of other tables",
      "INSERT INTO `wp_posts` VALUES (1,'a');",
      { code: "sql_no_rows", params: {} },
    ],
    [
      "that ends within a text",
      `${insert}\n('a','https://a`,
      { code: "sql_cut", params: { line: 2 } },
    ],
    [
      "that ends within a row",
      `${insert}\n('a','https://a'`,
      { code: "sql_cut", params: { line: 2 } },
    ],
    [
      "with too few values",
      `${insert}\n('a','https://a');`,
      { code: "sql_broken", params: { line: 2 } },
    ],
    [
      "with an expression",
      `${insert}('a','https://a','b',NOW(),'::1',1);`,
      { code: "sql_broken", params: { line: 1 } },
    ],
    [
      "with two values in one",
      `${insert}('a' 'b','https://a','b','c','::1',1);`,
      { code: "sql_broken", params: { line: 1 } },
    ],
    [
      "with a NUL character",
      `${insert}('a\\0','https://a','b','c','::1',1);`,
      { code: "nul_in_cell", params: { line: 1, column: 1 } },
    ],
  ])("%s is refused with its line", async (_, text, problem) => {
    expect(await problemOf(text)).toEqual(problem);
    expect(await problemOf(text, { pieceBytes: 2 })).toEqual(problem);
  });

  test("cells and rows have the limits of CSV, and a text without an end is not held in memory", async () => {
    const cell = (length: number) => `${insert}('a','${"x".repeat(length)}','b','c','d',1);`;
    expect(await problemOf(cell(cellCharsMax))).toBeUndefined();
    expect(await problemOf(cell(cellCharsMax + 1))).toMatchObject({
      code: "cell_too_long",
      params: { line: 1, column: 2 },
    });
    const endless = `${insert}('a','${"x".repeat(8 * rowCharsMax)}`;
    expect(await problemOf(endless)).toMatchObject({ code: "row_too_long" });
    const rows = (count: number) =>
      `${insert}${Array(count).fill("('a','b','c','d','e',1)").join()};`;
    expect(await problemOf(rows(1_000))).toBeUndefined();
    expect(await problemOf(rows(1_001))).toMatchObject({ code: "too_many_rows" });
  });

  test("another encoding is refused", async () => {
    const text = `${insert}('a','https://a','Überblick','c','d',1);`;
    expect(await problemOf(Buffer.from(text, "latin1"))).toEqual({
      code: "records_encoding",
      params: { format: "SQL" },
    });
  });
});

test.each([
  "url,title\nhttps://a.example/,A",
  "[url],title\nhttps://a.example/,A",
  "{url};title",
  "https://a.example/",
  "insert into,b",
  "settings,b",
  "--,b",
])("%j is a table", (text) => {
  expect(recordFormatOf(Buffer.from(text))).toBeUndefined();
});
