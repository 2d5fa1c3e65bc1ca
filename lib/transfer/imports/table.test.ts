import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { csvLine } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import { findOldEncoding, type TableSummary, writeTable } from "#lib/platform/tables";
import { cellCharsMax, columnsMax, rowCharsMax, rowsMax } from "#lib/platform/tables/schema";
import { Batches, batchBytesMax } from "./batches.ts";
import { findSlugColumn, guessMapping, hasHeading } from "./fields.ts";
import { bodyOf } from "./rows.ts";
import { usualOptions } from "./schema.ts";

const folder = mkdtempSync(join(tmpdir(), "fuxi-table-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface ReadResult extends TableSummary {
  rows: [line: number, ...cells: string[]][];
}

/** A file that arrives in parts of some bytes. */
async function read(
  content: string | Uint8Array,
  {
    pieceBytes = 65_536,
    encoding = "utf-8" as TableSummary["encoding"],
    delimiter = "",
    rowsAllowed = rowsMax,
  } = {},
): Promise<ReadResult> {
  const bytes = Buffer.from(content as Uint8Array);
  const path = join(folder, "rows.jsonl");
  const file = await open(path, "w");
  let at = 0;
  const next = () => {
    const piece = bytes.subarray(at, at + pieceBytes);
    at += pieceBytes;
    return Promise.resolve(piece.length > 0 ? piece : undefined);
  };
  try {
    const table = await writeTable(next, encoding, delimiter || undefined, file, { rowsAllowed });
    const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
    return { ...table, rows: lines.map((line) => JSON.parse(line)) };
  } finally {
    await file.close();
  }
}

async function cellsOf(...args: Parameters<typeof read>): Promise<string[][]> {
  return (await read(...args)).rows.map(([, ...cells]) => cells);
}

function refusalOf(content: string | Uint8Array): Promise<string> {
  return read(content).then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.message : String(error)),
  );
}

const small = [
  ["url", "title"],
  ["https://a.example/", "A, b; c"],
  ["https://b.example/", 'say "hi"'],
];

describe("a file is read the same", () => {
  test.each([",", ";", "\t", "|"])("with the delimiter %j", async (delimiter) => {
    const lines = small.map((row) =>
      row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter),
    );
    for (const newline of ["\n", "\r\n", "\r"]) {
      const { delimiter: found, rows } = await read(lines.join(newline));
      expect([found, rows.map(([, ...cells]) => cells)]).toEqual([delimiter, small]);
      expect(await cellsOf(lines.join(newline) + newline)).toEqual(small);
    }
  });

  test("in pieces of any size", async () => {
    const text = 'url,title\r\nhttps://ä.example/,"two\r\nlines, 春节"\r\nhttps://b.example/,x\r\n';
    const whole = await read(text);
    expect(whole.rows).toEqual([
      [1, "url", "title"],
      [2, "https://ä.example/", "two\r\nlines, 春节"],
      [4, "https://b.example/", "x"],
    ]);
    for (let pieceBytes = 1; pieceBytes < 40; pieceBytes++) {
      expect(await read(text, { pieceBytes })).toEqual(whole);
    }
  });

  test("with a line that names its delimiter, with empty lines and with rows of other lengths", async () => {
    expect((await read("sep=;\r\nurl;title\r\n\r\n;;\r\nhttps://a.example/\r\n")).rows).toEqual([
      [2, "url", "title"],
      [5, "https://a.example/"],
    ]);
  });

  test('with a quote in the middle of a cell, as in 5" pipes', async () => {
    expect(await cellsOf('url,title\nhttps://a.example/,5" pipe\n')).toEqual([
      ["url", "title"],
      ["https://a.example/", '5" pipe'],
    ]);
  });
});

test("written CSV is read back unchanged, whatever its cells contain", async () => {
  // Cells that a spreadsheet would evaluate get an apostrophe; an empty end is no cell, and CR ends a line.
  const cell = fc
    .string({ unit: "binary", maxLength: 20 })
    .map((text) => text.replaceAll("\0", "").replace(/[\ud800-\udfff]/g, ""))
    .filter((text) => !/^[=+\-@\t\r\n\ufeff]|\r$|[;\t\r\n]"*'*[=+\-@]/.test(text))
    .filter((text) => text.trim() !== "");
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 30 }), async (written, pieceBytes) => {
      const text = written.map(csvLine).join("");
      expect(await cellsOf(text, { pieceBytes, delimiter: "," })).toEqual(written);
    }),
    { numRuns: process.env["TEST_LONG"] ? 5_000 : 150 },
  );
});

describe("an encoding", () => {
  const words = "url,title\nhttps://a.example/,新年快乐，欢迎光临\n";
  const german = "url,title\nhttps://a.example/,Größe für Müller\n";

  test.each(["utf-16le", "utf-16be"] as const)("%s with its mark", async (encoding) => {
    const bytes = Buffer.from(`\ufeff${words}`, "utf16le");
    if (encoding === "utf-16be") bytes.swap16();
    expect((await cellsOf(bytes, { encoding, pieceBytes: 3 }))[1]?.[1]).toBe("新年快乐，欢迎光临");
  });

  test("of Chinese Excel is distinguished from that of German Excel, which would also decode it", async () => {
    const path = join(folder, "old.csv");
    const gb = [
      0xd0, 0xc2, 0xc4, 0xea, 0xbf, 0xec, 0xc0, 0xd6, 0x2c, 0x0a, 0x30, 0x81, 0x30, 0x89, 0x37,
    ];
    writeFileSync(path, Buffer.from(gb));
    expect(await findOldEncoding(createReadStream(path))).toBe("gb18030");
    writeFileSync(path, Buffer.from(german, "latin1"));
    expect(await findOldEncoding(createReadStream(path))).toBe("windows-1252");
    expect(
      (await cellsOf(Buffer.from(german, "latin1"), { encoding: "windows-1252" }))[1]?.[1],
    ).toBe("Größe für Müller");
  });

  test("that does not match its file is refused, and so are NUL bytes and unpaired surrogates", async () => {
    expect(await refusalOf(Buffer.from(german, "latin1"))).toMatch(/contains invalid characters/);
    expect(await refusalOf("url\nhttps://a.example/\0\n")).toMatch(/NUL/);
    const half = Buffer.from("\ufeffurl\n\ud800\n", "utf16le");
    await expect(read(half, { encoding: "utf-16le" })).rejects.toThrow(/UTF-16LE/);
  });
});

describe("a limit holds at its number and not above", () => {
  test("of characters in a cell", async () => {
    const file = (chars: number) => `url,title\nhttps://a.example/,${"x".repeat(chars)}\n`;
    expect(await refusalOf(file(cellCharsMax))).toBe("ok");
    expect(await refusalOf(file(cellCharsMax + 1))).toMatch(/line 2, column 2.*32,767/);
  });

  test("of columns", async () => {
    const file = (columns: number) => `${Array.from({ length: columns }, () => "x").join(",")}\n`;
    expect(await refusalOf(file(columnsMax))).toBe("ok");
    expect(await refusalOf(file(columnsMax + 1))).toMatch(/Line 1 has more than 512 columns/);
  });

  test("of characters in a row", async () => {
    const file = (chars: number) => {
      const cells = Array.from({ length: 8 }, () => "x".repeat(30_000));
      return `url\n${[...cells, "y".repeat(chars - 240_000)].join(",")}\n`;
    };
    expect(await refusalOf(file(rowCharsMax))).toBe("ok");
    expect(await refusalOf(file(rowCharsMax + 1))).toMatch(/starts in line 2.*262,144/);
  });
});

test("a quote that is never closed is named by the line in which it begins", async () => {
  expect(await refusalOf('url,title\na,b\nc,"d\ne,f\n')).toMatch(
    /line 3 starts with a quote .* never closed/,
  );
  expect(await refusalOf('url,title\n"a\nb","c\nd\n')).toMatch(
    /line 3 starts with a quote .* never closed/,
  );
  const long = `url,title\na,"b\n${"https://a.example/,x\n".repeat(20_000)}`;
  expect(await refusalOf(long)).toMatch(/starts in line 2.*unclosed quote/);
});

describe("columns are guessed", () => {
  test.each([
    [
      ["Long URL", "Back-half", "Tags"],
      ["url", "key", "tagNames"],
    ],
    [
      ["目标链接", "短码", "域名", "标题", "标签", "备注"],
      ["url", "key", "domain", "title", "tagNames", "comments"],
    ],
    [
      ["utm_source", "UTM Medium", "Destination URL"],
      ["utm_source", "utm_medium", "url"],
    ],
    [
      ["url", "URL", "Link"],
      ["url", null, null],
    ],
    [
      ["Short link", "Link ID", "Line", "Outcome", "Reason", "url"],
      ["shortLink", null, null, null, null, "url"],
    ],
    [
      ["Customer", "Site"],
      [null, "url"],
    ],
  ])("from the headings %j", (headings, fields) => {
    const rows = [headings.map(() => "x").with(1, "https://a.example/")];
    expect(guessMapping(headings, rows, headings.length)).toEqual(fields);
  });

  test.each([
    [
      "Bitly",
      "Bitlink,Long URL,Title,Created,Custom Bitlinks,Tags",
      "shortLink,url,title,originCreatedAt,customShortLink,tagNames",
    ],
    [
      "Bitly",
      "link,long_url,title,created_at,archived",
      "shortLink,url,title,originCreatedAt,archived",
    ],
    [
      "Rebrandly",
      "title,slashtag,destination,shortUrl,domain,clicks",
      "title,key,url,shortLink,domain,originClicks",
    ],
    [
      "Dub",
      "Short link,Destination URL,Title,Tags,Clicks",
      "shortLink,url,title,tagNames,originClicks",
    ],
    [
      "Short.io",
      "originalURL,path,shortURL,title,iphoneURL,expiresAt",
      "url,key,shortLink,title,ios,expiresAt",
    ],
    ["TinyURL", "TinyURL,Long URL,Alias,Domain,Tags", "shortLink,url,key,domain,tagNames"],
    [
      "BL.INK",
      "Long URL,Short Link Keyword,Link Description,Auto-Delete Date,Redirect Type",
      "url,key,description,expiresAt,redirectStatus",
    ],
    ["Sniply", "Snip URL,Original URL,Name", "shortLink,url,title"],
    ["T2M", "T2M URL,Destination URL,Link Title", "shortLink,url,title"],
    [
      "Firebase Dynamic Links",
      "Short link,Deep link (link),iOS fallback link (ifl),Social title (st),UTM source (utm_source)",
      "shortLink,url,ios,title,utm_source",
    ],
    [
      "YOURLS",
      "keyword,url,title,timestamp,ip,clicks",
      "key,url,title,originCreatedAt,,originClicks",
    ],
    [
      "Kutt",
      "address,link,target,description,visit_count",
      "key,shortLink,url,description,originClicks",
    ],
    ["tiny.cc", "url,short_url,note", "url,shortLink,comments"],
  ])("from the export of %s", (_, headings, fields) => {
    const names = headings.split(",");
    const expected = fields.split(",").map((field) => field || null);
    expect(guessMapping(names, [], names.length)).toEqual(expected);
  });

  test.each([
    [
      ["url", "Print code", "Alias name"],
      [["https://a.example/", "x", "sale"]],
      ["url", null, null],
      2,
    ],
    [
      ["url", "Ours"],
      [
        ["https://a.example/", "go.example/a"],
        ["", "go.example/b"],
      ],
      ["url", null],
      1,
    ],
    [
      ["url", "Site"],
      [
        ["https://a.example/", "a.example/x"],
        ["", "b.example/y"],
      ],
      ["url", null],
      undefined,
    ],
    [
      ["url", "Alias name", "x"],
      [["https://a.example/", "sale", "a"]],
      ["url", null, "key"],
      undefined,
    ],
  ] as const)(
    "a column with slugs that is not mapped is noticed among %j",
    (names, rows, mapping, at) => {
      expect(findSlugColumn(names, rows, mapping)).toBe(at);
    },
  );

  test("from the values when the first line is a row already", () => {
    expect(hasHeading(["https://a.example/", "x"])).toBe(false);
    expect(hasHeading(["shop.example/sale", "x"])).toBe(false);
    expect(hasHeading(["url", "title"])).toBe(true);
    const rows = [
      ["Ada", "https://a.example/"],
      ["Eve", ""],
      ["Bob", "b.example/x"],
    ];
    expect(guessMapping(undefined, rows, 2)).toEqual([null, "url"]);
  });
});

test("a batch of long rows ends with its limit of bytes", () => {
  const sizes = (bytes: readonly number[], position: number) => {
    const batches = new Batches(100, ["url"], position);
    let end = position;
    const full = bytes.flatMap((size) => {
      end += size;
      return batches.add({ line: 1, end, cells: ["u"] })?.length ?? [];
    });
    return [...full, batches.rows.length];
  };
  for (const position of [0, 7_000_000]) {
    expect(sizes([batchBytesMax - 1, 1], position)).toEqual([2]);
    expect(sizes([batchBytesMax, 1], position)).toEqual([1, 1]);
    expect(sizes([1, batchBytesMax, 1], position)).toEqual([1, 1, 1]);
    expect(sizes([batchBytesMax + 1, 5, 5], position)).toEqual([1, 2]);
  }
});

test("a batch ends with its limit of rows, and of passwords to hash", () => {
  const sizes = (words: readonly string[], rowsMax: number) => {
    const batches = new Batches(rowsMax, ["url", "password"]);
    const full = words.flatMap(
      (word) => batches.add({ line: 1, end: 1, cells: ["u", word] })?.length ?? [],
    );
    return [...full, batches.rows.length];
  };
  const same = (count: number) => Array.from({ length: count }, () => "same");
  const other = (count: number) => Array.from({ length: count }, (_, at) => `word ${at}`);
  expect(sizes(same(10), 10)).toEqual([10]);
  expect(sizes(same(11), 10)).toEqual([10, 1]);
  expect(sizes(other(20), 100)).toEqual([20]);
  expect(sizes(other(41), 100)).toEqual([20, 20, 1]);
});

describe("cells become fields", () => {
  const body = (field: Parameters<typeof bodyOf>[1]["mapping"][number], cell: string) => {
    const reader = {
      mapping: [field],
      options: usualOptions,
      zone: "Europe/Berlin",
      names: { tags: new Set<string>(), folders: new Map([["sale", "fold_1"]]) },
      hosts: new Set<string>(),
    };
    return Object.entries(bodyOf([cell], reader)).find(([name]) => name !== "url")?.[1];
  };

  test.each([
    ["expiresAt", "2026-07-01", "2026-06-30T22:00:00.000Z"],
    ["expiresAt", "2026/1/31 12:30", "2026-01-31T11:30:00.000Z"],
    ["expiresAt", "2026年1月31日", "2026-01-30T23:00:00.000Z"],
    ["expiresAt", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"],
    ["expiresAt", "2026-02-30", "2026-02-30"],
    ["expiresAt", "31/12/2026", "31/12/2026"],
    ["archived", "Yes", true],
    ["archived", "否", false],
    ["archived", "perhaps", "perhaps"],
    ["maxClicks", "100", 100],
    ["maxClicks", "1e3", "1e3"],
    ["tagNames", "a, b;c", ["a", "b", "c"]],
    ["geo", '{"DE":"https://example.de"}', { DE: "https://example.de" }],
    ["geo", "{", "{"],
    ["folder", "Sale", "fold_1"],
    ["folder", "Unknown", "Unknown"],
    ["title", "'=1+1", "=1+1"],
    ["title", "  ", undefined],
  ] as const)("%s of %j", (field, cell, value) => {
    expect(body(field, cell)).toEqual(value);
  });

  const named = (cells: Record<string, string>, otherDomain: string | null = null) => {
    const reader = {
      mapping: Object.keys(cells),
      options: { ...usualOptions, otherDomain },
      zone: "UTC",
      names: { tags: new Set<string>(), folders: new Map() },
      hosts: new Set(["go.example"]),
    };
    const { domain, key } = bodyOf(Object.values(cells), reader as Parameters<typeof bodyOf>[1]);
    return [domain, key];
  };

  test.each([
    [{ shortLink: "https://Go.Example:443/sale?x=1#y" }, ["go.example", "sale"]],
    [{ shortLink: "go.example/spring/%E5%A4%8F" }, ["go.example", "spring/夏"]],
    [{ shortLink: "sale" }, [undefined, "sale"]],
    [{ shortLink: "bit.ly/3abc", customShortLink: '["go.example/sale"]' }, ["go.example", "sale"]],
    [{ shortLink: "bit.ly/3abc", customShortLink: "[]" }, ["bit.ly", "3abc"]],
    [{ shortLink: "go.example/sale", key: "own", domain: "b.example" }, ["b.example", "own"]],
    [{ shortLink: "" }, [undefined, undefined]],
  ])("the name of %j", (cells, name) => {
    expect(named(cells)).toEqual(name);
  });

  test.each(["https://go.example/", "go.example/a, go.example/b", "go.example/a,go.example/b"])(
    "%j is no name: it is refused as a slug, and the link gets no other",
    (cell) => {
      const [domain, key] = named({ shortLink: cell });
      expect([domain, String(key).includes("://")]).toEqual([undefined, true]);
    },
  );

  test("a domain of another system is replaced by the chosen one, and one of the workspace is not", () => {
    expect(named({ shortLink: "bit.ly/3abc" }, "go.example")).toEqual(["go.example", "3abc"]);
    expect(named({ domain: "bit.ly", key: "a" }, "go.example")).toEqual(["go.example", "a"]);
    expect(named({ shortLink: "go.example/a" }, "b.example")).toEqual(["go.example", "a"]);
    expect(named({ shortLink: "bit.ly/3abc" })).toEqual(["bit.ly", "3abc"]);
  });

  test("options apply where the row has no value, and tags are added to those of the row", () => {
    const options = { ...usualOptions, domain: "a.example", folderId: "fold_2", tagIds: ["tag_1"] };
    const reader = {
      mapping: ["url", "domain", "tagIds"],
      options,
      zone: "UTC",
      names: { tags: new Set<string>(), folders: new Map() },
      hosts: new Set<string>(),
    };
    const read = reader as Parameters<typeof bodyOf>[1];
    expect(bodyOf(["https://x.example/", "b.example", "tag_2"], read)).toEqual({
      url: "https://x.example/",
      domain: "b.example",
      folderId: "fold_2",
      tagIds: ["tag_1", "tag_2"],
    });
    expect(bodyOf(["https://x.example/"], read)).toMatchObject({
      domain: "a.example",
      tagIds: ["tag_1"],
    });
  });
});
