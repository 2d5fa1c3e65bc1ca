import { expect, test } from "vitest";
import { findLostDefences } from "./check-defences.ts";

const entry = { name: "x", title: "X", test: "package.json", replacement: "" };
const source = (name: string, ...lines: string[]) => ({ name, text: lines.join("\n") });
const marked = source("a.ts", "  // defence: x", "stop();");

test("moving and rewording guarded code is no problem", () => {
  expect(findLostDefences([marked], [entry])).toEqual([]);
  const moved = source("b.tsx", "<a>", "  {/* defence: x */}", "  <b />", "</a>");
  expect(findLostDefences([moved], [{ ...entry, part: "no such text" }])).toEqual([]);
});

test("a defence without a marker or with two, or without its test, is reported", () => {
  expect(findLostDefences([], [entry])).toEqual([expect.stringContaining("has no marker")]);
  const twice = findLostDefences([marked, { ...marked, name: "b.mjs" }], [entry]);
  expect(twice).toEqual([expect.stringContaining("a.ts, b.mjs")]);
  const gone = findLostDefences([marked], [{ ...entry, test: "none.test.ts" }]);
  expect(gone).toEqual([expect.stringContaining("none.test.ts")]);
});

test("a marker without an entry, and an entry that is there twice, are reported", () => {
  const unknown = findLostDefences([marked, source("b.ts", "// defence: y z")], [entry]);
  expect(unknown).toEqual([expect.stringMatching('^b.ts: .*"y z"')]);
  expect(findLostDefences([marked], [entry, entry])).toHaveLength(1);
});
