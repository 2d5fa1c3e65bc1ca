import { expect, test } from "vitest";
import { listTagsQuery, tagBody } from "./schema.ts";

const accepts = (given: object) => tagBody.safeParse(given).success;

test("a name has 1 to 50 characters, none of them a comma or a control character", () => {
  expect(accepts({ name: "x".repeat(50) })).toBe(true);
  expect(accepts({ name: "x".repeat(51) })).toBe(false);
  for (const name of ["", "  ", "a,b", "a\0b", "a\nb", "\ud800", 3, ["a"], {}]) {
    expect(accepts({ name })).toBe(false);
    expect(accepts({ tag: name })).toBe(false);
  }
});

test("only the eight colors are colors", () => {
  expect(accepts({ color: "pink" })).toBe(true);
  for (const color of ["PINK", "#fff", "", null, 1]) expect(accepts({ color })).toBe(false);
});

test("a page has 1 to 100 tags and a list names at most 100 ids", () => {
  const parses = (query: object) => listTagsQuery.safeParse(query).success;
  expect(parses({ pageSize: "100", page: "1000" })).toBe(true);
  for (const query of [{ pageSize: "101" }, { pageSize: "0" }, { page: "0" }, { page: "1001" }]) {
    expect(parses(query)).toBe(false);
  }
  expect(parses({ ids: Array(100).fill("a").join(",") })).toBe(true);
  expect(parses({ ids: Array(101).fill("a").join(",") })).toBe(false);
  expect(parses({ search: "a\0" })).toBe(false);
});
