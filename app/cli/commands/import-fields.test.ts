import { expect, test } from "vitest";
import { withFields } from "./import-fields.ts";

const columns = ["long_url", "URL", "name"].map((name) => ({ name, samples: [] }));
const file = { columns, mapping: ["url", null, "title"] as const };
const mapped = (...pairs: string[]) => withFields({ columns, mapping: [...file.mapping] }, pairs);

test("a field moves to the named column, by the exact heading first, in any case", () => {
  expect(mapped("url=URL")).toEqual([null, "url", "title"]);
  expect(mapped("key=NAME", "url=url")).toEqual([null, "url", "key"]);
  expect(mapped("skip=name")).toEqual(["url", null, null]);
  expect(mapped()).toEqual(["url", null, "title"]);
});

test.each([
  ["url=missing", "Columns: long_url, URL, name"],
  ["address=name", "There is no field “address”"],
  ["url", "Write field=column"],
  ["=name", "Fields: url, key"],
])("%s is refused with what there is", (pair, words) => {
  expect(() => mapped(pair)).toThrow(words);
});
