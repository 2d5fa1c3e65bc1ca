import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { drawBars, drawColumns } from "./chart.ts";
import { columnsIn } from "./commands/campaign.ts";
import { momentOf } from "./links.ts";
import { drawTable } from "./table.ts";
import { plain, type Terminal } from "./terminal.ts";
import { cut, padEnd, widthOf } from "./widths.ts";

/** A terminal of this width; undefined: not a terminal. */
function terminalOf(columns: number | undefined): Terminal {
  const stream = Object.assign(new PassThrough(), { columns, isTTY: columns !== undefined });
  const io: unknown = stream;
  return { stdin: io, stdout: io, stderr: io, env: {} } as Terminal;
}

const unpainted = (_style: string, text: string) => text;

const links = [
  { name: "Short link", cells: ["https://go.example.com/sale", "https://go.example.com/春季"] },
  { name: "Clicks", cells: ["12", "1234567"], align: "right" as const },
  { name: "Created", cells: ["2026-01-31", "2026-02-01"], dispensable: 2 },
  { name: "Destination", cells: [`https://example.com/${"x".repeat(90)}`, "b"], dispensable: 1 },
];

describe("tables", () => {
  test.each([200, 100, 60, 40])("fit %i columns, and never cut a short link", (columns) => {
    const lines = drawTable(terminalOf(columns), unpainted, links);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    expect(lines[1]).toContain("https://go.example.com/sale");
    expect(lines[2]).toContain("https://go.example.com/春季");
  });

  test("outside of a terminal have tabs, no heading, and whole cells", () => {
    const [first, ...others] = drawTable(terminalOf(undefined), unpainted, links);
    expect(first?.split("\t")).toEqual(links.map(({ cells }) => cells[0]));
    expect(others).toHaveLength(1);
  });

  test("of no rows have no lines outside of a terminal", () => {
    const empty = [{ name: "Short link", cells: [] }];
    expect(drawTable(terminalOf(undefined), unpainted, empty)).toEqual([]);
  });
});

test("what others wrote can’t control the terminal", () => {
  const hostile = "a\u001b]0;owned\u0007b\u001b[2Jc\r\nd\u202egpj.exe\u200b\u2066e\u009b31m";
  expect(plain(hostile)).not.toMatch(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u);
  const rows = [{ name: "Name", cells: [hostile] }];
  for (const columns of [undefined, 80]) {
    const text = drawTable(terminalOf(columns), unpainted, rows).join("");
    expect(text).not.toMatch(/[\p{Cc}\u202e]/u);
  }
});

test("Chinese characters and emoji are two cells wide, marks none", () => {
  expect([widthOf("ab"), widthOf("链接"), widthOf("👍"), widthOf("é")]).toEqual([2, 4, 2, 1]);
  expect(cut("链接链接", 5)).toBe("链接…");
  expect(cut("links", 5)).toBe("links");
  expect(padEnd("链接", 6)).toBe("链接  ");
});

describe("charts", () => {
  const days = (count: number, value: (at: number) => number) =>
    Array.from({ length: count }, (_, at) => ({ label: `day ${at}`, value: value(at) }));

  test.each([1, 7, 30, 365, 3_660])("of %i points fit the width", (count) => {
    const points = days(count, (at) => at);
    for (const width of [20, 80, 200]) {
      for (const line of drawColumns(points, width)) {
        expect(widthOf(line)).toBeLessThanOrEqual(width);
      }
    }
  });

  test("show the smallest value above zero, and nothing for zero", () => {
    const bottom = drawColumns(
      [...days(1, () => 1), ...days(1, () => 0), ...days(1, () => 10_000)],
      40,
    ).at(-2);
    expect(bottom?.slice(6)).toMatch(/^▁▁▁ {4,5}███/);
  });

  test("of nothing but zeros are empty", () => {
    expect(
      drawColumns(
        days(3, () => 0),
        40,
      ).join(""),
    ).not.toMatch(/[▁-█]/);
    expect(drawColumns([], 40)).toEqual([]);
  });

  test("of values have the longest bar for the largest, and fit", () => {
    const bars = drawBars(
      [
        { label: "Deutschland", value: 40 },
        { label: "中国", value: 1 },
      ],
      40,
    );
    expect(bars[0]?.match(/█/g)?.length).toBeGreaterThan(bars[1]?.match(/█/g)?.length ?? 0);
    expect(bars[1]).toMatch(/█$/);
    for (const bar of bars) expect(widthOf(bar)).toBeLessThanOrEqual(40);
  });
});

test("an expiration is a date, a time or a period", () => {
  const now = new Date("2026-01-31T12:00:00Z");
  expect(momentOf("12h", now)).toBe("2026-02-01T00:00:00.000Z");
  expect(momentOf("2w", now)).toBe("2026-02-14T12:00:00.000Z");
  expect(momentOf("2026-03-01T08:00:00+02:00", now)).toBe("2026-03-01T06:00:00.000Z");
  // The end of the day here, not its beginning.
  expect(new Date(momentOf("2026-03-01", now)).getTime()).toBe(new Date(2026, 2, 2).getTime() - 1);
  for (const wrong of ["soon", "30", "2026-02-31x", "5m", ""]) {
    expect(() => momentOf(wrong, now)).toThrow(/not a date/);
  }
});

test("the columns of a message are its placeholders", () => {
  const text = "Hi {name|there}, {{not}} {link} {city} {name} {optout} {recipientId}";
  expect(columnsIn(text)).toEqual(["name", "city"]);
});
