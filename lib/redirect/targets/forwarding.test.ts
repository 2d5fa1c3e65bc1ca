import fc from "fast-check";
import { expect, test } from "vitest";
import { giveSettings } from "../../../test/settings.ts";
import { splitsOf, withPath, withQuery } from "./forwarding.ts";

giveSettings();

test("the visitor's parameters are added to those of the destination, replace those of the same name, and omit the mark of a scan", () => {
  const at = (url: string, query: string) => withQuery(url, query);
  expect(at("https://a.example/x#top", "b=2")).toBe("https://a.example/x?b=2#top");
  expect(at("https://a.example/x?a=%C3%A4+1#t?u", "a=2&b=3&qr=1")).toBe(
    "https://a.example/x?a=2&b=3#t?u",
  );
  expect(at("https://a.example/x?a=1", "%61=2&A=3")).toBe("https://a.example/x?%61=2&A=3");
  expect(at("https://a.example/x", "qr=1")).toBe("https://a.example/x");
  expect(at("https://a.example/x", "b=2#evil")).toBe("https://a.example/x?b=2");
});

test("forwarding never changes host, path and hash, and replaces only parameters of the same name", () => {
  const own = "https://a.example/x%20y?a=1&b=%2F#part";
  fc.assert(
    fc.property(fc.webQueryParameters(), (query) => {
      const url = new URL(withQuery(own, query));
      expect([url.origin, url.pathname, url.hash]).toEqual([
        "https://a.example",
        "/x%20y",
        "#part",
      ]);
      // URLSearchParams would drop a question mark at the start of the query.
      const sent = new URLSearchParams(`?${query}`);
      const expected = (name: string, own: string) => (sent.has(name) ? sent.getAll(name) : [own]);
      expect(url.searchParams.getAll("a")).toEqual(expected("a", "1"));
      expect(url.searchParams.getAll("b")).toEqual(expected("b", "/"));
    }),
  );
});

test("the rest of a path goes between the destination's path and its query", () => {
  expect(withPath("https://a.example/x/?q=1#h", "/r/s")).toBe("https://a.example/x/r/s?q=1#h");
  expect(withPath("https://a.example", "/r")).toBe("https://a.example/r");
  expect(withPath("https://a.example/x/", "")).toBe("https://a.example/x/");
  expect(splitsOf("/a/b%2Fc/d")).toEqual([
    { path: "/a/b%2Fc", rest: "/d" },
    { path: "/a", rest: "/b%2Fc/d" },
  ]);
});

test.each([
  "..",
  ".",
  "%2e%2e",
  ".%2E",
  "a/../b",
  "a%2f..",
  "/b",
  "a//b",
  "a%5Cb",
  "a\\b",
  "%0d%0aX:1",
  "%00",
  "%zz",
])("a rest of %s is not passed on", (rest) => {
  expect(splitsOf(`/key/${rest}`).filter(({ path }) => path === "/key")).toEqual([]);
});

test("no rest leads out of the destination's path or host", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.webSegment(), fc.constantFrom("..", "%2e.", ".", "")), { minLength: 1 }),
      (parts) => {
        for (const { rest } of splitsOf(`/key/${parts.join("/")}`)) {
          const url = new URL(withPath("https://a.example/in/here?q", rest));
          expect(url.href.startsWith("https://a.example/in/here/")).toBe(true);
        }
      },
    ),
  );
});
