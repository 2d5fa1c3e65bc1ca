import { expect, test } from "vitest";
import { sortRows } from "./sorting.ts";

const rows = [
  { name: "zebra", clicks: 3 },
  { name: "Äpfel", clicks: 20 },
  { name: "apple 10", clicks: 3 },
  { name: "apple 9", clicks: 100 },
];

test("numbers are sorted by size, and equal rows keep their order in both directions", () => {
  const by = (descending: boolean) =>
    sortRows(rows, ({ clicks }) => clicks, { descending, locale: "en" }).map(({ name }) => name);
  expect(by(true)).toEqual(["apple 9", "Äpfel", "zebra", "apple 10"]);
  expect(by(false)).toEqual(["zebra", "apple 10", "Äpfel", "apple 9"]);
});

test("names are sorted as people of the language do, with their numbers by size", () => {
  const sorted = sortRows(rows, ({ name }) => name, { descending: false, locale: "en" });
  expect(sorted.map(({ name }) => name)).toEqual(["Äpfel", "apple 9", "apple 10", "zebra"]);
});
