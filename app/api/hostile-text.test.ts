import { expect, test } from "vitest";
import { assertSimple, depthMax, listsMax, namesMax } from "./hostile-text.ts";
import { readJsonArray } from "./large-body.ts";
import { readRaw } from "./raw-body.ts";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const names = (count: number) =>
  `{${Array.from({ length: count }, (_, at) => `"a${at}":"{:[","b":0`)
    .join()
    .replaceAll(',"b":0', "")}}`;
const lists = (count: number) => `[${"[],".repeat(count - 1)}0]`;

const limits: [string, (count: number) => string, number][] = [
  ["levels", nested, depthMax],
  ["names of fields", names, namesMax],
  ["lists and objects", lists, listsMax],
];

const post = (body: string) =>
  new Request("http://localhost", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
const refused = { code: "bad_request" };

test.each(limits)("a body has as many %s as permitted, and no more", async (_, make, max) => {
  expect(() => assertSimple(Buffer.from(make(max)))).not.toThrow();
  expect(() => assertSimple(Buffer.from(make(max + 1)))).toThrow("limit is");
  await expect(readRaw(post(make(max)), 1e6)).resolves.toBeDefined();
  await expect(readRaw(post(`\n ${make(max + 1)}`), 1e6)).rejects.toMatchObject(refused);
});

test.each(limits)(
  "an item of a list has as many %s as permitted, and no more",
  async (_, make, max) => {
    const wide = { itemsMax: 10, bytesMax: 1e7 };
    const outer = make === nested ? 1 : 0;
    const items = (count: number) => post(`[${make(count - outer)},${make(count - outer)}]`);
    await expect(readJsonArray(items(max), wide)).resolves.toHaveLength(2);
    await expect(readJsonArray(items(max + 1), wide)).rejects.toMatchObject(refused);
  },
);

test("brackets and colons of texts, and of bodies that are not JSON, do not count", async () => {
  expect(() => assertSimple(Buffer.from(`{"a":"${'[{:\\"'.repeat(60_000)}"}`))).not.toThrow();
  await expect(readRaw(post(`text=${"[".repeat(90_000)}`), 1e6)).resolves.toBeDefined();
});
