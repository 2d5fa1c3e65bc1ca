import { expect, test } from "vitest";
import { hostsMax, isFromHost, newTrackingKey } from "./schema.ts";

test.each([
  ["https://shop.example.com", "shop.example.com", true],
  ["https://shop.example.com:8443", "shop.example.com", true],
  ["http://localhost:5173", "localhost:5173", true],
  ["http://localhost:5174", "localhost:5173", false],
  ["https://a.example.com", "*.example.com", true],
  ["https://example.com", "*.example.com", false],
  ["https://evilexample.com", "*.example.com", false],
  ["https://shop.example.com.evil.test", "shop.example.com", false],
  ["https://shop.example.com@evil.test", "shop.example.com", false],
  ["null", "null", false],
  ["file://shop.example.com", "shop.example.com", false],
  ["", "localhost", false],
])("a page of %s is on %s: %s", (origin, host, expected) => {
  expect(isFromHost(origin, [host])).toBe(expected);
});

test("hosts are names without scheme and path, and as many as the limit", () => {
  const parse = (hosts: string[]) => newTrackingKey.safeParse({ name: "Shop", hosts }).success;
  expect(parse(["Shop.Example.com", "*.example.com", "localhost:3000"])).toBe(true);
  for (const bad of ["https://a.example", "a.example/x", "*", "*.", "a..b", "-a.example", ""]) {
    expect([bad, parse([bad])]).toEqual([bad, false]);
  }
  const many = Array.from({ length: hostsMax }, (_, at) => `shop-${at}.example`);
  expect(parse(many)).toBe(true);
  expect(parse([...many, "one-more.example"])).toBe(false);
  expect(parse([])).toBe(false);
});
