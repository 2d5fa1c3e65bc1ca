import { describe, expect, test } from "vitest";
import { addressesOf, parseAddress, urlOfServer } from "./index.ts";

describe("an address of PostgreSQL", () => {
  test("names one server, with its usual port", () => {
    expect(parseAddress("postgres://db.example.com/fuxi")).toEqual({
      servers: [{ host: "db.example.com", port: 5432 }],
      url: "postgres://db.example.com:5432/fuxi",
      needsPrimary: false,
    });
  });

  test("names several, and the drivers get each of them alone", () => {
    const text =
      "postgresql://fuxi:p%40ss@a:5433,[::1]:5434,b/fuxi?sslmode=require&target_session_attrs=read-write";
    const address = parseAddress(text);
    expect(address).toEqual({
      servers: [
        { host: "a", port: 5433 },
        { host: "::1", port: 5434 },
        { host: "b", port: 5432 },
      ],
      url: "postgresql://fuxi:p%40ss@a:5433/fuxi?sslmode=require",
      needsPrimary: true,
    });
    const urls = address?.servers.map((server) => urlOfServer(address, server));
    expect(urls?.slice(1)).toEqual([
      "postgresql://fuxi:p%40ss@[::1]:5434/fuxi?sslmode=require",
      "postgresql://fuxi:p%40ss@b:5432/fuxi?sslmode=require",
    ]);
  });

  test("keeps its other parameters, wherever the target stands", () => {
    for (const [given, left] of [
      ["?target_session_attrs=primary", ""],
      ["?target_session_attrs=primary&a=1", "?a=1"],
      ["?a=1&target_session_attrs=any&b=2", "?a=1&b=2"],
    ]) {
      expect(parseAddress(`postgres://a,b/fuxi${given}`)?.url).toBe(
        `postgres://a:5432/fuxi${left}`,
      );
    }
  });

  test.each([
    "",
    "mysql://a/fuxi",
    "a:5432",
    "postgres://a:x/fuxi",
    "postgres://a:5432,b:99999/fuxi",
  ])("is not %j", (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

test("a list of addresses is split between URLs, not between servers", () => {
  expect(addressesOf("postgres://a,b/fuxi, postgresql://c/fuxi")).toEqual([
    "postgres://a,b/fuxi",
    "postgresql://c/fuxi",
  ]);
  expect(addressesOf("")).toEqual([]);
});
