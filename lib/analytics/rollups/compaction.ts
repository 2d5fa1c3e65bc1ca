/**
 * Moves clicks of past days from rows into blocks (lib/analytics/single-clicks), workspace by workspace. Each step
 * is one transaction that holds the lock of the workspace, so a worker that is killed leaves every click where it was, and the
 * next run goes on from there. A click that arrives for a day that was done stays a row until the next run. A day
 * without rows is dropped, because every table makes queries slower to plan.
 *
 * Small blocks of a month are joined with the ones before when they are no larger than what follows, so that a quiet workspace
 * has few blocks, and a click is written again about as often as its number of days can be halved.
 */
import { dropPartitions, ensurePartitions, listClickDays } from "#lib/analytics/time-slots";
import { dayMs } from "#lib/basics/time/schema";
import { forgottenAfterMs, processReport } from "#lib/platform/instance/schema";
import { type Connection, extendTimeout, query, sql, transaction } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { roll, rollTimeoutMs } from "./dimensions.ts";
import { lockRollups, tryLockRollups } from "./lock.ts";
import { rewriteBlocks } from "./rewriting.ts";

/** Clicks arrive up to seven days late (lib/analytics/ingest/enrich.ts). */
const lateDays = 8;
const rowsAtOnce = 50_000;
/** A block of this size is not joined with others. */
const clicksMax = 2_000;
const neighborsMax = 16;

const blockReader = processReport.pick({ at: true, readsBlocks: true });

/** False while a process of a version that does not know blocks may run. Throws if Redis does not answer. */
export async function doAllReadBlocks(now = Date.now()): Promise<boolean> {
  const reports = await redis().hvals(redisKeys.processes);
  return reports.every((text) => {
    const { at, readsBlocks } = blockReader.parse(JSON.parse(text));
    return readsBlocks || now - Date.parse(at) >= forgottenAfterMs;
  });
}

/** Returns how many clicks it moved. Stops after a step that ends later than `deadline`. */
export async function compactDays(now = Date.now(), deadline = Infinity): Promise<number> {
  let moved = 0;
  const past = now - lateDays * dayMs;
  for (const month of await listPastMonths(past)) {
    await ensurePartitions(["click_block"], [month.from.getTime()]);
    for (let pk = await nextWorkspace(month, -1); pk !== undefined; ) {
      const workspacePk = pk;
      const count = await transaction((tx) => compactStep(tx, workspacePk, month));
      moved += count;
      if (Date.now() > deadline) return moved;
      if (count === 0) pk = await nextWorkspace(month, workspacePk);
    }
  }
  const isUnused = async (name: string) => Date.now() <= deadline && (await isEmptied(name));
  await dropPartitions("click", past, isUnused);
  return moved;
}

interface Past {
  from: Date;
  until: Date;
}

/** Days that get no more clicks, those of a month together, so that the first run after an upgrade writes blocks once. */
async function listPastMonths(before: number): Promise<Past[]> {
  const months = new Map<string, Past>();
  for (const day of await listClickDays()) {
    const until = new Date(day.getTime() + dayMs);
    if (until.getTime() > before) continue;
    const key = day.toISOString().slice(0, 7);
    months.set(key, { from: months.get(key)?.from ?? day, until });
  }
  return [...months.values()];
}

/** A step for each workspace, because listing all of them would read every click. */
async function nextWorkspace({ from, until }: Past, after: number): Promise<number | undefined> {
  // Answered by click_workspace of each partition.
  const [row] = await query<{ pk: number | null }>(sql`
    SELECT min(workspace_pk) AS pk
    FROM analytics.click
    WHERE workspace_pk > ${after}
      AND at >= ${from}
      AND at < ${until}`);
  return row?.pk ?? undefined;
}

/** Moves the first clicks of a month. Zero if none is left, or another worker has the workspace. */
async function compactStep(tx: Connection, workspacePk: number, month: Past): Promise<number> {
  // defence: compaction-lock
  if (!(await tryLockRollups(tx, workspacePk))) return 0;
  await extendTimeout(tx, rollTimeoutMs);
  // Answered by click_workspace of each partition, in order.
  const rows = await tx.one<{ count: number; from: Date | null; last: Date | null }>(sql`
    SELECT count(*) AS count, min(at) AS "from", max(at) AS last
    FROM (
      SELECT at
      FROM analytics.click
      WHERE workspace_pk = ${workspacePk}
        AND at >= ${month.from}
        AND at < ${month.until}
      ORDER BY at
      LIMIT ${rowsAtOnce}
    ) AS first`);
  if (!rows?.from || !rows.last) return 0;
  const { count, from, last } = rows;
  const until = new Date(last.getTime() + 1);
  const joined = await findJoined(tx, workspacePk, { count, from, last });
  const text = rewriteBlocks({
    rows: "entry.workspace_pk = $1 AND entry.at >= $2 AND entry.at < $3",
    blocks: `block.workspace_pk = $1
        AND block.first_at >= $4
        AND block.first_at < $3
        AND block.first_at = ANY($5::timestamptz[])`,
    into: "new blocks",
  });
  await roll(tx, text, [workspacePk, from, until, joined[0] ?? from, joined]);
  return count;
}

/** The blocks that these rows are in the middle of, and small ones before, as their beginnings in order. */
async function findJoined(
  tx: Connection,
  workspacePk: number,
  { count, from, last }: { count: number; from: Date; last: Date },
): Promise<Date[]> {
  // Answered by click_block_pkey, in one partition.
  const blocks = await tx.query<{ at: Date; clicks: number; overlaps: boolean }>(sql`
    WITH month AS (
      SELECT first_at, last_at, clicks
      FROM analytics.click_block
      WHERE workspace_pk = ${workspacePk}
        AND first_at >= date_trunc('month', ${from}::timestamptz, 'UTC')
        AND first_at <= ${last}
    )
    (
      SELECT first_at AS at, clicks, true AS overlaps
      FROM month
      WHERE last_at >= ${from}
    )
    UNION ALL
    (
      SELECT first_at, clicks, false
      FROM month
      WHERE last_at < ${from}
      ORDER BY first_at DESC
      LIMIT ${neighborsMax}
    )
    ORDER BY at DESC`);
  const joined: Date[] = [];
  let sum = count;
  for (const { at, clicks, overlaps } of blocks) {
    if (!overlaps && (clicks > sum || clicks + sum > clicksMax)) break;
    joined.unshift(at);
    sum += clicks;
  }
  return joined;
}

/**
 * True once no transaction, not even a long backup, can see a click of the day: only then does VACUUM shrink its table to
 * nothing. Citus does not report the size of a distributed table, so the table stays.
 */
async function isEmptied(name: string): Promise<boolean> {
  if (await query.any({ text: `SELECT 1 FROM analytics.${name} LIMIT 1`, values: [] }))
    return false;
  await query({ text: `VACUUM analytics.${name}`, values: [] });
  // defence: day-is-emptied
  return await query.any(sql`
    SELECT 1
    WHERE pg_relation_size(${`analytics.${name}`}::regclass) = 0
      AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')`);
}

/** Deletes clicks of blocks from before a moment, as whole days. */
export async function expireBlocks(before: number): Promise<void> {
  const cut = new Date(Math.floor(before / dayMs) * dayMs);
  await query(sql`DELETE FROM analytics.click_block WHERE last_at < ${cut}`);
  const divided = await query<{ workspacePk: number }>(sql`
    SELECT DISTINCT workspace_pk AS "workspacePk"
    FROM analytics.click_block
    WHERE first_at >= date_trunc('month', ${cut}::timestamptz, 'UTC')
      AND first_at < ${cut}
    ORDER BY 1`);
  for (const { workspacePk } of divided) {
    await rewriteOwn(workspacePk, {
      blocks: "block.workspace_pk = $1 AND block.first_at < $2",
      keep: "part.at >= $2",
      values: [cut],
    });
  }
}

interface OwnRewrite {
  blocks: string;
  keep: string;
  /** From `$2` on. */
  values: unknown[];
  before?: (tx: Connection) => Promise<void>;
}

/** Writes blocks of a workspace again without some of their clicks. */
export async function rewriteOwn(
  workspacePk: number,
  { blocks, keep, values, before }: OwnRewrite,
): Promise<void> {
  await transaction(async (tx) => {
    // defence: rewriting-lock
    await lockRollups(tx, [workspacePk]);
    await extendTimeout(tx, rollTimeoutMs);
    await before?.(tx);
    const text = rewriteBlocks({ blocks, keep, into: "own blocks" });
    await roll(tx, text, [workspacePk, ...values]);
  });
}
