import { expect, test } from "vitest";
import { columnsMax } from "#lib/platform/tables/schema";
import { changeImportBody, importOptions, listImportsQuery, uploadQuery } from "./schema.ts";

const accepts = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

test("the name of a file has at most 200 characters", () => {
  expect(accepts(uploadQuery, { name: "x".repeat(200) })).toBe(true);
  expect(accepts(uploadQuery, { name: "x".repeat(201) })).toBe(false);
});

test.each(["domain", "otherDomain", "folderId"] as const)(
  "%s of the options has a limit",
  (field) => {
    const max = { domain: 253, otherDomain: 253, folderId: 100 }[field];
    const options = importOptions.partial();
    expect(accepts(options, { [field]: "x".repeat(max) })).toBe(true);
    expect(accepts(options, { [field]: "x".repeat(max + 1) })).toBe(false);
  },
);

test("options name at most 50 tags, each with 1 to 100 characters", () => {
  const withTags = (tagIds: string[]) => accepts(importOptions.partial(), { tagIds });
  expect(withTags(Array.from({ length: 50 }, () => "x".repeat(100)))).toBe(true);
  expect(withTags(Array.from({ length: 51 }, () => "x"))).toBe(false);
  expect(withTags(["x".repeat(101)])).toBe(false);
  expect(withTags([" "])).toBe(false);
});

test("a mapping has as many columns as a file may have", () => {
  const mapping = (columns: number) => Array.from({ length: columns }, () => null);
  expect(accepts(changeImportBody, { mapping: mapping(columnsMax) })).toBe(true);
  expect(accepts(changeImportBody, { mapping: mapping(columnsMax + 1) })).toBe(false);
});

test("a list has pages 1 to 1,000 of 1 to 100 imports", () => {
  for (const [field, max] of [
    ["page", 1_000],
    ["pageSize", 100],
  ] as const) {
    expect(accepts(listImportsQuery, { [field]: "1" })).toBe(true);
    expect(accepts(listImportsQuery, { [field]: "0" })).toBe(false);
    expect(accepts(listImportsQuery, { [field]: `${max}` })).toBe(true);
    expect(accepts(listImportsQuery, { [field]: `${max + 1}` })).toBe(false);
  }
});
