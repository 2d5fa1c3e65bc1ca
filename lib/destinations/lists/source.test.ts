import { expect, test } from "vitest";
import { problemMessage, sourceEntriesMax } from "./schema.ts";
import { parseSource } from "./source.ts";

async function said(json: unknown): Promise<unknown> {
  const parsed = await parseSource(typeof json === "string" ? json : JSON.stringify(json));
  return Array.isArray(parsed) ? parsed : problemMessage(parsed);
}

test("an array of hosts and a map of ids to hosts are lists, without duplicates", async () => {
  expect(await said(["example.com", "*.Example.com", "example.com."])).toEqual([
    "example.com",
    "*.example.com",
  ]);
  expect(await said({ "1001": "a.example", "1002": "b.example", "1003": "a.example" })).toEqual([
    "a.example",
    "b.example",
  ]);
  expect(await said([])).toEqual([]);
  expect(await said('{"__proto__":"a.example"}')).toEqual(["a.example"]);
});

test.each(["", "{", "<html>", "nul"])("%j is no JSON", async (text) => {
  expect(await said(text)).toMatch("isn’t valid JSON");
});

test.each([null, 1, "text", [1], [["a.example"]], { a: { host: "a.example" } }, { hosts: ["a"] }])(
  "%j has another form",
  async (json) => {
    expect(await said(JSON.stringify(json))).toMatch("unexpected format");
  },
);

test("one malformed entry is named with what to change", async () => {
  expect(await said(["a.example", "https://b.example"])).toBe(
    "“https://b.example” starts with a scheme. Remove it, such as example.com instead of https://example.com.",
  );
});

test("a list has at most 200,000 entries", async () => {
  const entries = Array.from({ length: sourceEntriesMax }, (_, at) => `h${at}.example`);
  expect(await said(entries)).toHaveLength(sourceEntriesMax);
  expect(await said([...entries, "more.example"])).toMatch("more than 200000 entries");
});
