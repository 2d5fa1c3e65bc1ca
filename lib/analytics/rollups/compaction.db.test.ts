/** Clicks move into blocks: none is lost, doubled or changed, whenever the worker ends and whatever else runs. */
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type ClickField, type ClicksRead, clicksOf } from "#lib/analytics/single-clicks";
import {
  dropPartitions,
  ensurePartitions,
  listClickDays,
  withPartitions,
} from "#lib/analytics/time-slots";
import { openReports } from "#lib/platform/instance";
import { query, sql, transaction } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { clearStatistics, putClicks } from "../../../test/clicks.ts";
import { untilWaiting } from "../../../test/locks.ts";
import { openTestStores } from "../../../test/stores.ts";
import { compactDays, expireBlocks } from "./compaction.ts";
import { eraseDue } from "./erasure.ts";
import { maintainRollups, rollupJobs } from "./index.ts";
import { lockRollups } from "./lock.ts";

openTestStores();

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const at = (days: number) => new Date(today + days * dayMs);
const killedTimes = process.env["TEST_LONG"] ? 50 : 6;
const workspaces = [1, 2, 3];

const fields: ClickField[] = [
  ...(["at", "workspace_pk", "link_pk", "domain_pk", "id"] as const),
  ...(["bot", "qr", "first_of_link", "first_of_workspace", "bot_kind", "ua"] as const),
  ...(["continent", "country", "region", "city", "device", "browser", "os", "language"] as const),
  ...(["referer", "referer_url", "url", "utm_source", "utm_medium", "utm_campaign"] as const),
  ...(["utm_term", "utm_content"] as const),
];

beforeAll(async () => {
  await maintainRollups();
});

beforeEach(async () => {
  await clearStatistics();
  await redis().del(redisKeys.processes);
  // Busy, with more clicks an hour than a block has; one of some days; quiet.
  await put(1, 9_000, -14, -8);
  await put(2, 900, -40, 0);
  await put(3, 60, -40, -2);
  // The longest texts that ingest accepts fit into the index of blocks.
  const long = "\u{1f98a}".repeat(255);
  await query(sql`
    UPDATE analytics.click
    SET city = ${long}, referer = ${long}, utm_source = ${long}, utm_content = ${long}
    WHERE workspace_pk = 3`);
  await query(sql`DROP TABLE IF EXISTS known`);
  await query({
    text: `CREATE TABLE known AS SELECT ${fields.join(", ")} FROM analytics.click`,
    values: [],
  });
});

afterEach(async () => {
  expect(await overlapping()).toEqual([]);
});

function put(workspacePk: number, count: number, from: number, until: number): Promise<void> {
  const links = { first: 10 * workspacePk, count: 7 };
  return putClicks({ workspacePk, count, from: at(from), until: at(until), links });
}

/** Clicks that are not known, that are missing, or that are there twice. */
async function differences(
  where = "true",
  read: Pick<ClicksRead, "workspace"> = {},
): Promise<unknown[]> {
  const columns = fields.join(", ");
  return await query({
    text: `
      SELECT ${columns}, sum(side)
      FROM (
        SELECT ${columns}, 1 AS side FROM ${clicksOf({ fields, ...read })}
        UNION ALL
        SELECT ${columns}, -1 FROM known WHERE ${where}
      ) AS side
      GROUP BY ${columns}
      HAVING sum(side) <> 0
      LIMIT 3`,
    values: [],
  });
}

async function overlapping(): Promise<unknown[]> {
  return await query(sql`
    SELECT workspace_pk, first_at, last_at
    FROM (
      SELECT *, lag(last_at) OVER (PARTITION BY workspace_pk ORDER BY first_at) AS before
      FROM analytics.click_block
    ) AS block
    WHERE first_at <= before
      OR last_at < first_at
      OR clicks <> cardinality(at)
      OR clicks <> cardinality(link_pk)
      OR date_trunc('month', first_at, 'UTC') <> date_trunc('month', last_at, 'UTC')`);
}

interface Held {
  rows: number;
  oldRows: number;
  blocks: number;
}

async function count(workspacePk: number): Promise<Held> {
  const [held] = await query<Held>(sql`
    SELECT count(*)::int AS rows, count(*) FILTER (WHERE at < ${at(-8)})::int AS "oldRows",
      (SELECT count(*)::int FROM analytics.click_block WHERE workspace_pk = ${workspacePk}) AS blocks
    FROM analytics.click
    WHERE workspace_pk = ${workspacePk}`);
  return held ?? { rows: 0, oldRows: 0, blocks: 0 };
}

test("old days become blocks with the same clicks, and later days stay", async () => {
  expect(await compactDays()).toBeGreaterThan(9_000);
  expect(await differences()).toEqual([]);
  const [busy, some, quiet] = await Promise.all(workspaces.map(count));
  expect([busy?.oldRows, some?.oldRows, quiet?.oldRows]).toEqual([0, 0, 0]);
  expect(some?.rows).toBeGreaterThan(100);
  expect(busy?.blocks).toBeGreaterThanOrEqual(5);
  // Days of a month are joined.
  expect(quiet?.blocks).toBeLessThan(14);
  expect(await compactDays()).toBe(0);
  expect(await differences()).toEqual([]);
});

test("a click for a day that was done joins the block that it is in the middle of", async () => {
  await compactDays();
  await ensurePartitions(["click"], [at(-20).getTime()]);
  await query(sql`
    INSERT INTO analytics.click
    SELECT click.*
    FROM analytics.click AS pattern
    CROSS JOIN LATERAL jsonb_populate_record(
      pattern,
      jsonb_build_object('at', ${at(-20)}::timestamptz + interval '7 hours', 'id', gen_random_uuid())
    ) AS click
    WHERE pattern.workspace_pk = 2
    LIMIT 5`);
  await query({
    text: `INSERT INTO known SELECT ${fields.join(", ")} FROM analytics.click WHERE at < $1`,
    values: [at(-19)],
  });
  expect(await compactDays()).toBe(5);
  expect(await differences()).toEqual([]);
});

test("killed at any moment, while others read, it loses and doubles nothing", async () => {
  let isDone = false;
  // Only one workspace, because the servers of Citus do not share a snapshot.
  const read = async () => {
    const busy = { workspace: "1" };
    while (!isDone) expect(await differences("workspace_pk = 1", busy)).toEqual([]);
  };
  const reading = read();
  for (let kill = 0; kill < killedTimes; kill++) {
    // A day is dropped once those who read it are done, so a second is enough for a few.
    const compacting = compactDays(Date.now(), Date.now() + 1_000).catch(() => -1);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
    await query(sql`
      SELECT pg_terminate_backend(pid)
      FROM pg_stat_activity
      WHERE datname = current_database()
        AND pid <> pg_backend_pid()
        AND query LIKE '%INSERT INTO analytics.click_block%'`);
    await compacting;
    expect(await differences()).toEqual([]);
    expect(await overlapping()).toEqual([]);
  }
  isDone = true;
  await reading;
  await compactDays();
  expect(await differences()).toEqual([]);
  expect((await count(1)).oldRows).toBe(0);
});

test("a step that fails leaves its rows, and the next run moves them", async () => {
  await ensurePartitions(["click_block"], [at(-40).getTime(), at(-9).getTime()]);
  await query(sql`
    ALTER TABLE analytics.click_block ADD CONSTRAINT refusing CHECK (clicks < 0) NOT VALID`);
  await expect(compactDays()).rejects.toThrow("refusing");
  expect(await differences()).toEqual([]);
  expect((await count(1)).blocks).toBe(0);
  await query(sql`ALTER TABLE analytics.click_block DROP CONSTRAINT refusing`);
  await compactDays();
  expect(await differences()).toEqual([]);
});

test("another worker that has the workspace leaves it out", async () => {
  await transaction(async (tx) => {
    await lockRollups(tx, [1]);
    await compactDays();
    expect(await count(1)).toMatchObject({ blocks: 0 });
    expect((await count(2)).blocks).toBeGreaterThan(0);
  });
  await compactDays();
  expect((await count(1)).oldRows).toBe(0);
});

async function erase(linkPk: number): Promise<void> {
  await query(sql`
    INSERT INTO analytics.erasure (workspace_pk, link_pk) VALUES (2, ${linkPk})`);
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk) VALUES (${linkPk}, 2) ON CONFLICT DO NOTHING`);
}

test("erasing a link takes its clicks out of blocks, and touches their slots", async () => {
  await compactDays();
  await query(sql`TRUNCATE analytics.touched_slot`);
  await erase(21);
  await eraseDue();
  expect(await differences("link_pk <> 21")).toEqual([]);
  const [touched] = await query<{ n: number }>(sql`
    SELECT count(DISTINCT slot)::int AS n FROM analytics.touched_slot WHERE workspace_pk = 2`);
  const [wanted] = await query<{ n: number }>(sql`
    SELECT count(DISTINCT date_bin('15 minutes', at, 'epoch'))::int AS n FROM known WHERE link_pk = 21`);
  expect(touched).toEqual(wanted);
});

test("a link whose clicks move into blocks meanwhile is erased from both", async () => {
  for (let round = 0; round < 3; round++) {
    await erase(20 + round);
    await Promise.all([eraseDue(), compactDays(), compactDays()]);
    expect(await differences(`link_pk NOT BETWEEN 20 AND ${20 + round}`)).toEqual([]);
    await put(2, 300, -20, -9);
    await query(sql`DELETE FROM analytics.click WHERE link_pk BETWEEN 20 AND ${20 + round}`);
    await query(sql`TRUNCATE known`);
    await query({
      text: `INSERT INTO known SELECT ${fields.join(", ")} FROM ${clicksOf({ fields })}`,
      values: [],
    });
  }
});

test("erasing waits for a worker that joins blocks of the workspace", async () => {
  await compactDays();
  await erase(21);
  let erasing: Promise<unknown> = Promise.resolve();
  await transaction(async (tx) => {
    await lockRollups(tx, [2]);
    // As compaction, which joins two blocks into one.
    await tx.query(sql`
      WITH old AS (
        DELETE FROM analytics.click_block WHERE workspace_pk = 2 RETURNING *
      )
      INSERT INTO analytics.click_block
      SELECT * FROM old`);
    erasing = eraseDue();
    await untilWaiting();
  });
  await erasing;
  expect(await differences("link_pk <> 21")).toEqual([]);
});

test("a deleted workspace leaves no block", async () => {
  await compactDays();
  await query(sql`INSERT INTO analytics.erasure (workspace_pk) VALUES (2)`);
  await eraseDue();
  expect(await count(2)).toMatchObject({ rows: 0, blocks: 0 });
  expect(await differences("workspace_pk <> 2")).toEqual([]);
});

test("clicks past their time go by whole days, also out of the middle of a block", async () => {
  await compactDays();
  await expireBlocks(at(-20).getTime() + 5_000);
  expect(await differences(`at >= '${at(-20).toISOString()}'`)).toEqual([]);
  await expireBlocks(at(-20).getTime());
  expect(await differences(`at >= '${at(-20).toISOString()}'`)).toEqual([]);
});

async function pastDays(): Promise<number> {
  const days = await listClickDays();
  return days.filter((day) => day < at(-8)).length;
}

// Citus does not tell the size of a table's parts.
test.skipIf(process.env["TEST_CITUS_URL"])(
  "a day that is in blocks is dropped, but not while a backup still sees its rows",
  async () => {
    const before = await pastDays();
    expect(before).toBeGreaterThan(30);
    await transaction(async (backup) => {
      await backup.query({ text: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", values: [] });
      const counting = {
        text: `SELECT count(*)::int AS n FROM ${clicksOf({ fields: ["id"] })}`,
        values: [],
      };
      const [all] = await query<{ n: number }>(counting);
      // The snapshot is taken, and no click is read yet.
      await backup.query(sql`SELECT 1`);
      await compactDays();
      expect(await pastDays()).toBe(before);
      expect(await backup.query(counting)).toEqual([all]);
    });
    await compactDays();
    expect(await pastDays()).toBe(0);
    expect(await differences()).toEqual([]);
  },
);

function tableOf(day: Date): string {
  return `analytics.click_${day.toISOString().slice(0, 10).replaceAll("-", "")}`;
}

test("a click that came while its day was being dropped is found again", async () => {
  const name = tableOf(at(-20));
  // As a worker that is killed between the two steps leaves it.
  await query({ text: `ALTER TABLE analytics.click DETACH PARTITION ${name}`, values: [] });
  expect(await differences()).not.toEqual([]);
  await compactDays();
  expect(await differences()).toEqual([]);
});

test("days past their time are dropped, also one that a killed worker detached", async () => {
  const detached = tableOf(at(-30));
  await query({ text: `ALTER TABLE analytics.click DETACH PARTITION ${detached}`, values: [] });
  await dropPartitions("click", at(-19).getTime());
  const [left] = await query<{ oldest: Date; table: string | null }>(sql`
    SELECT min(at) AS oldest, to_regclass(${detached}) AS table
    FROM analytics.click`);
  expect(left?.table).toBeNull();
  expect(left?.oldest.getTime()).toBeGreaterThanOrEqual(at(-19).getTime());
  await maintainRollups();
});

test("a day with a click is not dropped", async () => {
  await transaction(async (tx) => {
    await lockRollups(tx, [3]);
    await compactDays();
  });
  const { oldRows } = await count(3);
  expect(oldRows).toBeGreaterThan(20);
  expect(await differences()).toEqual([]);
});

test("a day that is dropped before its first click is written is created again", async () => {
  await compactDays();
  let times = 0;
  await withPartitions(["click"], [at(-20).getTime()], async () => {
    times++;
    if (times === 1) await compactDays();
    await query(sql`
      INSERT INTO analytics.click
        (at, link_pk, workspace_pk, domain_pk, bot, qr, first_of_link, first_of_workspace, id)
      VALUES (${at(-20)}, 21, 2, 1, false, false, false, false, gen_random_uuid())`);
  });
  expect(times).toBe(process.env["TEST_CITUS_URL"] ? 1 : 2);
});

test("nothing moves while a process of an earlier version may read", async () => {
  const compact = rollupJobs.find(({ name }) => name === "clicks.compact");
  const run = () => compact?.handle({});
  await openReports();
  const old = (ago: number) =>
    redis().hset(
      redisKeys.processes,
      "old:1",
      JSON.stringify({ at: new Date(Date.now() - ago).toISOString() }),
    );
  await old(0);
  await run();
  expect(await count(1)).toMatchObject({ blocks: 0 });
  await old(600_001);
  await run();
  expect((await count(1)).blocks).toBeGreaterThan(0);
});
