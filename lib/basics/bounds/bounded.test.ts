import { LRUCache } from "lru-cache";
import { expect, test } from "vitest";
import { atMost } from "./index.ts";

test("a cache holds as many entries as it may, and drops the one that was not used for longest", () => {
  const cache = new LRUCache<string, string>(atMost(3));
  for (const name of ["a", "b", "c"]) cache.set(name, name);
  expect(cache.size).toBe(3);
  cache.get("a");
  cache.set("d", "d");
  expect([...cache.keys()].sort()).toEqual(["a", "c", "d"]);
  cache.delete("c");
  cache.set("e", "e");
  cache.set("e", "again");
  expect([...cache.keys()].sort()).toEqual(["a", "d", "e"]);
});
