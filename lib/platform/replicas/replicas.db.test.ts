import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  CoherentCache,
  channel,
  type LoadedValue,
  openCoherence,
  publishChanges,
} from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { migrate } from "../../../prisma/migrate.ts";
import { type PostgresPair, startPostgresPair } from "../../../test/postgres-pair.ts";
import { openTestStores } from "../../../test/stores.ts";
import { findReplica, readFromReplica } from "./index.ts";

const boundMs = 2_000;
let pair: PostgresPair;
const stores: Record<string, string> = { DATABASE_READ_LAG_MAX_MS: String(boundMs) };

beforeAll(async () => {
  pair = await startPostgresPair(async (url) => {
    await migrate(url);
  });
  const servers = [pair.replica, pair.primary].map(({ url }) => new URL(url).host).join(",");
  // The replica stands first: only a choice finds the primary.
  const several = pair.primary.url.replace(new URL(pair.primary.url).host, servers);
  stores["DATABASE_URL"] = `${several}?target_session_attrs=read-write`;
  stores["DATABASE_READ_URL"] = pair.replica.url;
});

openTestStores(stores);

beforeAll(async () => {
  openCoherence();
  await query(sql`CREATE TABLE thing (name TEXT PRIMARY KEY, value TEXT)`);
  await vi.waitFor(() => expect(channel.listening).toBe(true), 300_000);
});

afterAll(() => pair?.stop());

beforeEach(() => vi.waitFor(() => expect(isReady()).toBe(true), 300_000));

/** Whether a replica is fresh, and no change may have been missed. */
const isReady = () => findReplica() !== undefined;

const put = (name: string, value: string) =>
  query(sql`
    INSERT INTO thing (name, value)
    VALUES (${name}, ${value})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
const read = async (name: string) =>
  (
    await query<{ value: string; replica: boolean }>(sql`
    SELECT value, pg_is_in_recovery() AS replica FROM thing WHERE name = ${name}`)
  )[0];

async function loadThings(entries: string[], on?: Connection) {
  const rows = await query<{ name: string; value: string; replica: boolean }>(
    sql`
      SELECT name, value, pg_is_in_recovery() AS replica
      FROM thing
      WHERE name = ANY(${entries}::text[])`,
    on,
  );
  return new Map<string, LoadedValue<{ value: string; replica: boolean }>>(
    rows.map(({ name, ...value }) => [name, { revision: 0, value }]),
  );
}

const things = () =>
  new CoherentCache({
    entriesMax: () => 100,
    ageMaxMs: 1,
    load: loadThings,
    replicas: "first",
  });

test("of several servers the primary is written to, and reads go to the replica", async () => {
  await put("read", "1");
  await expect
    .poll(() => readFromReplica(() => read("read")))
    .toEqual({ value: "1", replica: true });
  expect(await read("read")).toEqual({ value: "1", replica: false });
});

test("what the replica lacks, the primary is asked for", async () => {
  await pair.pauseReplay(true);
  try {
    await put("lacking", "1");
    const find = async () => {
      const found = await read("lacking");
      if (!found) throw new AppError("not_found", "There is no such thing.");
      return found;
    };
    expect(await readFromReplica(find)).toEqual({ value: "1", replica: false });
    expect(await things().find("lacking")).toEqual({ value: "1", replica: false });
  } finally {
    await pair.pauseReplay(false);
  }
});

test("a replica that is further behind than the bound is not used, and used again later", async () => {
  await pair.pauseReplay(true);
  try {
    await expect.poll(isReady).toBe(false);
    await put("behind", "1");
    expect(await readFromReplica(() => read("behind"))).toEqual({ value: "1", replica: false });
  } finally {
    await pair.pauseReplay(false);
  }
  await expect.poll(isReady).toBe(true);
});

test("an entry that was invalidated within the bound is loaded from the primary, later from the replica", async () => {
  const cache = things();
  await put("changed", "old");
  await expect.poll(async () => (await cache.find("changed"))?.replica).toBe(true);
  await pair.pauseReplay(true);
  try {
    await put("changed", "new");
    await publishChanges([{ entry: "changed", revision: 1 }]);
    expect(await cache.find("changed")).toEqual({ value: "new", replica: false });
  } finally {
    await pair.pauseReplay(false);
  }
  await expect.poll(() => cache.find("changed")).toEqual({ value: "new", replica: true });
});

test("without the primary, replicas that had followed it answer; what they lack is not guessed", async () => {
  await put("last", "1");
  await expect.poll(async () => (await readFromReplica(() => read("last")))?.replica).toBe(true);
  await pair.primary.stop("SIGKILL");
  const cache = things();
  expect(await cache.find("last")).toEqual({ value: "1", replica: true });
  await expect(cache.find("none")).rejects.toThrow();
  expect(await readFromReplica(() => read("last"))).toEqual({ value: "1", replica: true });
  await expect(put("last", "2")).rejects.toThrow();
  await pair.promote();
  await expect
    .poll(() =>
      put("last", "2").then(
        () => read("last"),
        () => undefined,
      ),
    )
    .toEqual({
      value: "2",
      replica: false,
    });
});
