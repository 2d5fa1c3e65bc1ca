import { expect, test } from "vitest";
import { icpCharsMax } from "#lib/basics/formats/schema";
import { createDomainBody, editDomainBody, listDomainsQuery } from "./schema.ts";

const accepts = (field: string, value: unknown) =>
  createDomainBody.safeParse({ slug: "go.example.com", [field]: value }).success;

const schemes = [
  "javascript:alert(1)",
  " JavaScript:alert(1)",
  "java\tscript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://example.com/x",
  "about:blank",
  "//example.com",
  "\\\\example.com",
  "https://example.com/\r\nSet-Cookie: a=b",
  "https://example.com/\0",
];

test.each(["placeholder", "expiredUrl", "notFoundUrl", "logo"])(
  "%s is a web address or null, of no other scheme and without control characters",
  (field) => {
    expect(accepts(field, "https://example.com/x")).toBe(true);
    expect(accepts(field, null)).toBe(true);
    for (const value of [...schemes, "", 3, {}, ["https://example.com"]]) {
      expect(accepts(field, value)).toBe(false);
    }
  },
);

test("an ICP number has its form and at most 32 characters", () => {
  const ofLength = (chars: number) => `京ICP备${"1".repeat(chars - 6)}号`;
  expect(accepts("icp", ofLength(icpCharsMax))).toBe(true);
  expect(accepts("icp", ofLength(icpCharsMax + 1))).toBe(false);
  for (const value of ["12345678", "<b>", 3, {}]) expect(accepts("icp", value)).toBe(false);
  for (const none of ["", null]) expect(editDomainBody.parse({ icp: none })).toEqual({ icp: null });
});

test("a logo is https only", () => {
  expect(accepts("logo", "http://example.com/logo.png")).toBe(false);
});

test("the files of phones are JSON of the right kind with at most 100,000 characters", () => {
  const ofLength = (chars: number) => `["${"x".repeat(chars - 4)}"]`;
  expect(accepts("assetLinks", ofLength(100_000))).toBe(true);
  expect(accepts("assetLinks", ofLength(100_001))).toBe(false);
  expect(accepts("appleAppSiteAssociation", '{"applinks":{}}')).toBe(true);
  for (const text of ["{}", "x", "null", "3"]) expect(accepts("assetLinks", text)).toBe(false);
  for (const text of ["[]", "x", "null", "3"]) {
    expect(accepts("appleAppSiteAssociation", text)).toBe(false);
  }
});

test("what is written as a host has at most 1,012 characters, with which a host of 253 can be written in any script", () => {
  for (const schema of [createDomainBody, editDomainBody]) {
    expect(schema.safeParse({ slug: "x".repeat(1_012) }).success).toBe(true);
    expect(schema.safeParse({ slug: "x".repeat(1_013) }).success).toBe(false);
    expect(schema.safeParse({ slug: " " }).success).toBe(false);
  }
});

test("a list is filtered by at most 253 characters, for pages 1 to 1,000 of 1 to 100 domains", () => {
  const asks = (input: object) => listDomainsQuery.safeParse(input).success;
  expect([asks({ search: "x".repeat(253) }), asks({ search: "x".repeat(254) })]).toEqual([
    true,
    false,
  ]);
  expect([asks({ page: "1000" }), asks({ page: "1001" }), asks({ page: "0" })]).toEqual([
    true,
    false,
    false,
  ]);
  expect([asks({ pageSize: "100" }), asks({ pageSize: "101" }), asks({ pageSize: "0" })]).toEqual([
    true,
    false,
    false,
  ]);
});
