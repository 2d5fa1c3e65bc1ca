import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { BatchLoader, type LoadedValue } from "./batch-loader.ts";
import { Outage } from "./outage.ts";

/** Queries that answer when told to. */
function makeLoader() {
  const running: { entries: string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const loader = new BatchLoader<string>(
    (entries) =>
      new Promise((resolve, reject) => {
        const values = entries.map((entry) => [entry, { revision: 1, value: entry }] as const);
        const answer = () => resolve(new Map<string, LoadedValue<string>>(values));
        running.push({ entries, answer, fail: reject });
      }),
    new Outage(),
  );
  const loaded: string[] = [];
  const load = (entry: string) => {
    const loading = loader.load(entry).then((found) => {
      if (found) loaded.push(found.value);
    });
    loading.catch(() => undefined);
    return loading;
  };
  return { running, load, loaded };
}

test("entries that arrive during a query are loaded together by the next one", async () => {
  vi.useFakeTimers();
  const { running, load, loaded } = makeLoader();
  for (const entry of ["a", "b", "c"]) void load(entry);
  expect(running.map(({ entries }) => entries)).toEqual([["a"]]);
  running[0]?.answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(loaded).toEqual(["a"]);
  expect(running.map(({ entries }) => entries)).toEqual([["a"], ["b", "c"]]);
  vi.useRealTimers();
});

test("a query that takes long delays no other; four are in flight at most", async () => {
  const { running, load, loaded } = makeLoader();
  for (const entry of ["a", "b", "c", "d", "e", "f"]) {
    void load(entry);
    await sleep(10);
  }
  expect(running.map(({ entries }) => entries)).toEqual([["a"], ["b"], ["c"], ["d"]]);
  running[2]?.answer();
  await vi.waitFor(() => expect(running.at(-1)?.entries).toEqual(["e", "f"]));
  expect(loaded).toEqual(["c"]);
  for (const { answer } of running) answer();
  await vi.waitFor(() => expect(loaded.toSorted()).toEqual(["a", "b", "c", "d", "e", "f"]));
});

test("when a query fails, all that wait fail with it, and the next one is asked anew", async () => {
  const { running, load, loaded } = makeLoader();
  const first = load("a");
  const second = load("b");
  running[0]?.fail(new Error("away"));
  await expect(first).rejects.toThrow("away");
  await expect(second).rejects.toThrow("away");
  expect(loaded).toEqual([]);
});
