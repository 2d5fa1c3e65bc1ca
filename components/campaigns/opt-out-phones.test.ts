import { expect, test } from "vitest";
import { phonesOf, slicesOf } from "./opt-out-phones.ts";

test("phones are lines, or the first cells of lines; headings and empty lines are none", () => {
  const text =
    '\u{feff}phone,source\r\n+8613800138000,reply\n\n"138 0013 8001";x\n\'+14155550100\n';
  expect(phonesOf(text)).toEqual(["+8613800138000", "138 0013 8001", "+14155550100"]);
});

test("slices hold every item once", () => {
  expect(slicesOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(slicesOf([], 2)).toEqual([]);
});
