import { expect, test } from "vitest";
import { GroupCommit } from "./group.ts";

function makeGroup(batchMax: number, writesMax: number) {
  const batches: number[][] = [];
  const releases: (() => void)[] = [];
  const group = new GroupCommit<number, number>({ batchMax, writesMax }, async (items) => {
    batches.push(items);
    await new Promise<void>((resolve) => releases.push(resolve));
    if (items.includes(13)) throw new Error("unlucky");
    return items.map((item) => item * 2);
  });
  return { group, batches, releases };
}

/** Waits for everything that is due: a batch starts a turn of the event loop after its first item. */
async function turn(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
}

test("items that arrive during a write form the next batch", async () => {
  const { group, batches, releases } = makeGroup(100, 1);
  const first = group.add(1);
  await turn();
  const later = [2, 3, 4].map((item) => group.add(item));
  await turn();
  expect(batches).toEqual([[1]]);
  releases[0]?.();
  await turn();
  releases[1]?.();
  expect(await first).toBe(2);
  expect(await Promise.all(later)).toEqual([4, 6, 8]);
  expect(batches).toEqual([[1], [2, 3, 4]]);
  await group.idle();
});

test("a batch has at most batchMax items, and writesMax of them are in flight", async () => {
  const { group, batches, releases } = makeGroup(10, 2);
  const all = Array.from({ length: 35 }, (_, item) => group.add(100 + item));
  await turn();
  const more = group.add(999);
  await turn();
  expect(batches.map((batch) => batch.length)).toEqual([10, 10]);
  for (let at = 0; at < 6; at++) {
    releases[at]?.();
    await turn();
  }
  expect(await Promise.all([...all, more])).toHaveLength(36);
  expect(Math.max(...batches.map((batch) => batch.length))).toBe(10);
});

test("a failed batch fails its own items and no later one", async () => {
  const { group, releases } = makeGroup(100, 1);
  const failing = group.add(13).catch((error: Error) => error.message);
  await turn();
  const later = group.add(7);
  releases[0]?.();
  await turn();
  releases[1]?.();
  expect(await failing).toBe("unlucky");
  expect(await later).toBe(14);
});
