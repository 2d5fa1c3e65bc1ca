import { expect, test } from "vitest";
import { type MissedDay, PendingMisses, pendingMax } from "./pending.ts";
import { furtherKeysMax, saveSpace } from "./store.ts";

const place = { domainPk: 1, workspacePk: 2, day: "2026-01-31" };

function dayIn(pending: PendingMisses): MissedDay {
  const day = pending.find(place);
  if (!day) throw new Error("There is no room for a day");
  return day;
}

test("at most this many names wait in memory; visits of one more are counted without it", () => {
  const pending = new PendingMisses();
  const day = dayIn(pending);
  for (let n = 0; n < pendingMax - 1; n++) pending.add(day, `k${n}`, 1, 0);
  expect([day.keys.size, day.others]).toEqual([pendingMax - 1, 0]);
  pending.add(day, "one-more", 2, 0);
  pending.add(day, "k0", 1, 5);
  expect([day.keys.size, day.others, day.keys.get("k0"), day.at]).toEqual([
    pendingMax - 1,
    2,
    2,
    5,
  ]);
  expect(pending.find({ ...place, domainPk: 3 })).toBeUndefined();
});

test("what could not be written is added to what arrived meanwhile", () => {
  const pending = new PendingMisses();
  pending.add(dayIn(pending), "a", 2, 7);
  const [taken] = pending.take();
  pending.add(dayIn(pending), "a", 1, 9);
  dayIn(pending).bots += 1;
  if (taken) pending.putBack(taken);
  const [day] = pending.take();
  expect(day).toMatchObject({ bots: 1, keys: new Map([["a", 3]]), at: 9 });
});

test("a new name takes over the smallest count, and its error is that count", () => {
  const row = (key: string, visits: number) => ({ key, visits, error: 0 });
  const before = Array.from({ length: furtherKeysMax }, (_, n) => row(`k${n}`, n + 3));
  const after = saveSpace(before, [{ key: "new", visits: 1, error: null }]);
  expect(after).toHaveLength(furtherKeysMax);
  expect(after.find(({ key }) => key === "k0")).toBeUndefined();
  expect(after.find(({ key }) => key === "new")).toMatchObject({ visits: 4, error: 3 });
});

test("whatever arrives, no count is too low, each is too high by its error at most, and frequent names stay", () => {
  const truth = new Map<string, number>();
  let rows: ReturnType<typeof saveSpace> = [];
  // A frequent name among thousands that come once.
  for (let n = 0; n < 3_000; n++) {
    const key = n % 4 === 0 ? "often" : `once${n}`;
    truth.set(key, (truth.get(key) ?? 0) + 1);
    const known = rows.find((row) => row.key === key);
    if (known) {
      known.visits += 1;
      rows.sort((a, b) => a.visits - b.visits);
    } else rows = saveSpace(rows, [{ key, visits: 1, error: null }]);
  }
  expect(rows.length).toBe(furtherKeysMax);
  expect(rows.some(({ key }) => key === "often")).toBe(true);
  for (const { key, visits, error } of rows) {
    const real = truth.get(key) ?? 0;
    expect(visits).toBeGreaterThanOrEqual(real);
    expect(visits - (error ?? 0)).toBeLessThanOrEqual(real);
  }
});
