import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openParsers } from "#lib/platform/parsers";
import { receiveTable } from "./index.ts";
import { rowsMax } from "./schema.ts";

openParsers({ warm: 0 });

const folder = mkdtempSync(join(tmpdir(), "fuxi-receiving-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The number of records, or the reason for the refusal. */
function receive(text: string, rowsAllowed = rowsMax): Promise<number | string> {
  return receiveTable(new Blob([text]).stream(), {
    path: join(folder, "table"),
    store: async (part) => rmSync(part),
    delimiter: undefined,
    declaredBytes: 0,
    bytesMax: 16_777_216,
    rules: { rowsAllowed },
    hasHeading: ([first]) => first === "url",
    assertRoom: () => Promise.resolve(),
    sender: { workspaceId: "ws_test" },
  }).then(
    ({ records }) => records,
    (error: unknown) => String(error),
  );
}

test("a file has as many rows as permitted and no more, beside its heading", async () => {
  const file = (first: string, rows: number) => receive(`${first}\n${"x\n".repeat(rows)}`, 1_000);
  expect(await file("https://a.example/", 999)).toBe(1_000);
  expect(await file("https://a.example/", 1_000)).toMatch(/up to 1,000 rows/);
  expect(await file("url", 1_000)).toBe(1_001);
  expect(await file("url", 1_001)).toMatch(/up to 1,000 rows/);
  expect(await file("url", 2_000)).toMatch(/up to 1,000 rows/);
});

test("a file with a million rows is accepted, and one with a row more is refused and removed", async () => {
  expect(await receive("x\n".repeat(rowsMax))).toBe(rowsMax);
  expect(await receive("x\n".repeat(rowsMax + 1))).toMatch("up to 1,000,000 rows.");
  expect(readdirSync(folder)).toEqual([]);
});
