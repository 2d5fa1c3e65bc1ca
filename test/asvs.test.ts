/** docs/asvs.md: each requirement once, with a state, a reason, and files that exist. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Requirements of levels 1 and 2 in version 5.0.0. */
const requirements = { "1": 70, "2": 183 };
const document = readFileSync("docs/asvs.md", "utf8");
const rows = document
  .split("\n")
  .filter((line) => /^\| V\d/.test(line))
  .map((line) => {
    const [id = "", level = "", what = "", state = "", where = ""] = line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    return { id, level, what, state, where };
  });

test("every requirement of ASVS levels 1 and 2 is listed once, in order, with a state and where or why", () => {
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const inOrder = ids.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  expect(ids).toEqual(inOrder);
  for (const [level, count] of Object.entries(requirements)) {
    expect(rows.filter((row) => row.level === level)).toHaveLength(count);
  }
  for (const { id, what, state, where } of rows) {
    expect(["met", "n/a", "open"], id).toContain(state);
    expect(what.length * where.length, id).toBeGreaterThan(0);
  }
});

test("the document counts its states", () => {
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  const { met, none, open } = { met: count("met"), none: count("n/a"), open: count("open") };
  expect(document).toContain(`${met} are met, ${none} are not applicable, and ${open} are open`);
});

test("every file that the document names exists", () => {
  const named = rows.flatMap(({ where }) => [...where.matchAll(/`([^`]+)`/g)].map((one) => one[1]));
  const paths = named.filter((name) => name !== undefined && /\/\w|^[A-Z]\w+\.md$/.test(name));
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => !existsSync(String(path)))).toEqual([]);
});
