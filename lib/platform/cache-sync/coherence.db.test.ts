import { beforeAll, expect, test, vi } from "vitest";
import { isUnavailable } from "#lib/platform/errors";
import { query, sql, transaction } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import { openTestStores } from "../../../test/stores.ts";
import type { LoadedValue } from "./batch-loader.ts";
import { CoherentCache } from "./cache.ts";
import { channel } from "./channel.ts";
import {
  openCoherence,
  publishChanges,
  recordChanges,
  sweepChanges,
  takeRevision,
} from "./index.ts";
import { changeShared, fillShared, findShared, putAtOnce, putMissing } from "./shared.ts";

openTestStores();

beforeAll(async () => {
  openCoherence();
  await vi.waitFor(() => expect(channel.listening).toBe(true), 300_000);
});

/** A row in a table of one, whose reads can be delayed. */
function makeRow(first: string | undefined) {
  const row = { value: first, revision: 0, loads: 0, gate: Promise.resolve() };
  const load = async (entries: string[]): Promise<Map<string, LoadedValue<string>>> => {
    row.loads += 1;
    const { value, revision } = row;
    await row.gate;
    const found = new Map<string, LoadedValue<string>>();
    if (value !== undefined) for (const entry of entries) found.set(entry, { revision, value });
    return found;
  };
  return { row, load };
}

const codec = { encode: (value: string) => value, decode: (payload: string) => payload };
const options = { entriesMax: () => 100, ageMaxMs: 60_000, codec };
let names = 0;
const newName = () => `l:1:test${names++}`;

function holdUp(row: { gate: Promise<void> }): () => void {
  let release = () => {};
  row.gate = new Promise((resolve) => {
    release = resolve;
  });
  return release;
}

async function change(entry: string): Promise<number> {
  const revision = await transaction(async (tx) => {
    const taken = await takeRevision(tx);
    await recordChanges(tx, [{ entry, revision: taken }]);
    return taken;
  });
  return revision;
}

test("a hundred lookups of one entry are one query", async () => {
  const { row, load } = makeRow("a");
  const cache = new CoherentCache({ ...options, load });
  const name = newName();
  const found = await Promise.all(Array.from({ length: 100 }, () => cache.find(name)));
  expect(new Set(found)).toEqual(new Set(["a"]));
  expect(row.loads).toBe(1);
});

test("a read that began before an invalidation is cached neither in memory nor in Redis", async () => {
  const { row, load } = makeRow("old");
  const cache = new CoherentCache({ ...options, load });
  const name = newName();
  const release = holdUp(row);
  const early = cache.find(name);
  await expect.poll(() => row.loads).toBe(1);
  row.value = "new";
  row.revision = await change(name);
  await publishChanges([{ entry: name, revision: row.revision }]);
  release();
  await early;
  row.gate = Promise.resolve();
  expect(await cache.find(name)).toBe("new");
  await expect.poll(async () => (await findShared(name))?.payload).toBe("new");
});

/** An entry whose hour in Redis is nearly over, and which is no longer fresh in memory. */
async function makeEnding() {
  const { row, load } = makeRow("old");
  const cache = new CoherentCache({ ...options, load });
  const name = newName();
  row.revision = await change(name);
  await cache.find(name);
  await expect.poll(async () => (await findShared(name))?.payload).toBe("old");
  await redis("cache").pexpire(name, options.ageMaxMs);
  vi.useFakeTimers({ now: Date.now() + options.ageMaxMs, toFake: ["Date"] });
  return { row, cache, name };
}

test("an entry in use is read again before Redis forgets it, and nobody waits for that", async () => {
  const { row, cache, name } = await makeEnding();
  const release = holdUp(row);
  expect(await cache.find(name)).toBe("old");
  await expect.poll(() => row.loads).toBe(2);
  expect(await redis("cache").pttl(name)).toBeLessThanOrEqual(options.ageMaxMs);
  row.value = "new, but its invalidation was lost";
  release();
  await expect.poll(() => redis("cache").pttl(name)).toBeGreaterThan(options.ageMaxMs);
  vi.useRealTimers();
});

test("a change during the early read of an entry in use is in memory and in Redis afterwards", async () => {
  const { row, cache, name } = await makeEnding();
  const release = holdUp(row);
  expect(await cache.find(name)).toBe("old");
  await expect.poll(() => row.loads).toBe(2);
  row.value = "new";
  row.revision = await change(name);
  await publishChanges([{ entry: name, revision: row.revision }]);
  release();
  row.gate = Promise.resolve();
  expect(await cache.find(name)).toBe("new");
  await expect.poll(async () => (await findShared(name))?.payload).toBe("new");
  expect(await cache.find(name)).toBe("new");
  vi.useRealTimers();
});

async function put(names: string[], revision: number, payload: string | undefined) {
  await changeShared(names.map((entry) => ({ entry, revision, payload })));
}

test("a missing row that is cached late does not hide the new link", async () => {
  const name = newName();
  await put([name], 5, "born");
  await putMissing(name);
  expect((await findShared(name))?.payload).toBe("born");
});

test("a deletion is not undone by caching a row read before it", async () => {
  const name = newName();
  await put([name], 5, "alive");
  await put([name], 9, undefined);
  await put([name], 5, "alive");
  await putMissing(name);
  expect(await findShared(name)).toBeUndefined();
  await put([name], 10, "reborn");
  expect((await findShared(name))?.payload).toBe("reborn");
});

test("of entries written together each is cached unless a newer version of it is known", async () => {
  const names = Array.from({ length: 2 * putAtOnce + 1 }, newName);
  const isNewer = (at: number) => at % 3 === 0;
  await put(
    names.filter((_, at) => isNewer(at)),
    9,
    "newer",
  );
  const expected = names.map((_, at) => (isNewer(at) ? "newer" : `late ${at}`));
  for (const [at, name] of names.entries()) fillShared(name, 5, `late ${at}`);
  const payloads = async () =>
    (await Promise.all(names.map(findShared))).map((one) => one?.payload);
  await expect.poll(payloads).toEqual(expected);
  await put(names, 6, "later");
  const after = await Promise.all(names.map(findShared));
  expect(after.map((one) => one?.payload)).toEqual(
    names.map((_, at) => (isNewer(at) ? "newer" : "later")),
  );
});

test("hits do not extend the age, and an entry in memory answers without a request", async () => {
  const { row, load } = makeRow("a");
  const cache = new CoherentCache({ ...options, ageMaxMs: 200, load });
  const name = newName();
  await cache.find(name);
  const until = Date.now() + 250;
  while (Date.now() < until) cache.peek(name, Date.now());
  expect(cache.peek(name, Date.now())).toBeUndefined();
  expect(row.loads).toBe(1);
});

test("what was kept before the clock was set back is asked for again", async () => {
  const cache = new CoherentCache({ ...options, load: makeRow("a").load });
  const name = newName();
  await cache.find(name);
  expect(cache.peek(name, Date.now() - 100)).toBe("a");
  expect(cache.peek(name, Date.now() - 2 * options.ageMaxMs)).toBeUndefined();
});

test("the cache stays within its bound and keeps used entries", async () => {
  const { load } = makeRow("a");
  const cache = new CoherentCache({ ...options, entriesMax: () => 10, load });
  await cache.find("l:1:hot");
  for (let number = 0; number < 200; number++) {
    cache.peek("l:1:hot", Date.now());
    await cache.find(`l:1:cold${number}`);
    expect(cache.size).toBeLessThanOrEqual(10);
  }
  expect(cache.peek("l:1:hot", Date.now())).toBe("a");
});

test("however many missing entries are requested, existing ones stay in memory", async () => {
  const load = async (entries: string[]): Promise<Map<string, LoadedValue<string>>> =>
    new Map(
      entries
        .filter((entry) => entry.startsWith("hot"))
        .map((entry) => [entry, { revision: 1, value: "a" }]),
    );
  const cache = new CoherentCache({ entriesMax: () => 1_000, ageMaxMs: 60_000, load });
  const hot = Array.from({ length: 400 }, (_, number) => `hot:${number}`);
  await Promise.all(hot.map((name) => cache.find(name)));
  let most = 0;
  for (let round = 0; round < 100; round++) {
    const missing = Array.from({ length: 1_000 }, (_, number) => `no:${round}:${number}`);
    await Promise.all(missing.map((name) => cache.find(name)));
    most = Math.max(most, cache.size);
  }
  expect(hot.filter((name) => cache.peek(name, Date.now()) !== "a")).toEqual([]);
  expect(most).toBeLessThanOrEqual(21_000);
});

test("a process that was disconnected asks Postgres again, past Redis, and serves stale only if allowed", async () => {
  const { row, load } = makeRow("a");
  let isUnavailable = false;
  const name = newName();
  const cache = new CoherentCache({
    ...options,
    load: (entries) => (isUnavailable ? Promise.reject(new Error("away")) : load(entries)),
    mayServeStale: (value) => value === "a",
  });
  await cache.find(name);
  channel.epoch += 1;
  row.value = "b";
  expect(await cache.find(name)).toBe("b");
  row.value = "a";
  channel.epoch += 1;
  expect(await cache.find(name)).toBe("a");
  isUnavailable = true;
  channel.epoch += 1;
  expect(await cache.find(name)).toBe("a");
  await expect(cache.find(newName())).rejects.toThrow("away");
});

test("an entry that Postgres refuses affects neither its neighbours nor later callers", async () => {
  const load = async (entries: string[]): Promise<Map<string, LoadedValue<string>>> => {
    const rows = await query<{ entry: string }>(
      sql`SELECT entry FROM unnest(${entries}::text[]) AS entry`,
    );
    return new Map(rows.map(({ entry }) => [entry, { revision: 1, value: entry }]));
  };
  const cache = new CoherentCache({ entriesMax: () => 100, ageMaxMs: 60_000, load });
  const found = await Promise.allSettled(["a", "b", "bad\0", "c", "d"].map((n) => cache.find(n)));
  expect(found.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  await expect(cache.find("bad\0")).rejects.toThrow("invalid byte sequence");
  expect(await cache.find("e")).toBe("e");
});

test("a late Postgres counts as unavailable, not as an error of the caller or the server", async () => {
  const { row, load } = makeRow("a");
  holdUp(row);
  const cache = new CoherentCache({ ...options, load });
  const error: unknown = await cache.find(newName()).catch((late: unknown) => late);
  expect(isUnavailable(error)).toBe(true);
});

test("outbox rows of a dead writer are replayed, and the outbox is empty afterwards", async () => {
  const { row, load } = makeRow("old");
  const cache = new CoherentCache({ ...options, load });
  const name = newName();
  await cache.find(name);
  row.value = "new";
  row.revision = await change(name);
  await query(sql`UPDATE cache_change SET created_at = now() - interval '1 minute'`);
  await sweepChanges();
  await expect.poll(() => cache.peek(name, Date.now())).toBeUndefined();
  expect(await cache.find(name)).toBe("new");
  await expect.poll(() => query(sql`SELECT revision FROM cache_change`)).toHaveLength(0);
});

test("a publication that cannot reach Redis leaves its rows for the sweep", async () => {
  const name = newName();
  const revision = await transaction(async (tx) => {
    const taken = await takeRevision(tx);
    await recordChanges(tx, [{ entry: name, revision: taken }]);
    // Left to its writer for a while: the replay of this process skips it.
    await query(
      sql`UPDATE cache_change SET created_at = now() + interval '1 minute' WHERE entry = ${name}`,
      tx,
    );
    return taken;
  });
  const broken = vi.spyOn(redis(), "publish").mockRejectedValue(new Error("gone"));
  await publishChanges([{ entry: name, revision }]);
  broken.mockRestore();
  const left = await query(sql`SELECT entry FROM cache_change WHERE entry = ${name}`);
  expect(left).toHaveLength(1);
});
