/**
 * Adds the search texts of links that API keys create: a create does not wait for them, and writes
 * nothing for them. Links are found by their order instead. Each workspace with API keys has a row
 * of `search_progress`:
 *
 *     oldest ─────── floor ════════════ settled ──────── seen ──────▶ newest
 *             older: added    all have    │  read once,    not read yet
 *             while there     a text      │  to be read again
 *             is room                     └ no transaction can still add a link before it
 *
 * Ids are in the order of creation, but links are committed in any order. So new links are read
 * twice. The first time they are read within seconds, up to the newest; links that were committed
 * since then are missing. The second time they are read behind the horizon, a moment before which
 * no link can appear any more (horizon.ts). That makes the range exact, and counts its links.
 *
 * A workspace with more than `FUXI_SEARCH_API_LINKS` raises its floor and drops texts. One with fewer lowers it, so links from
 * before an upgrade get their texts, from the newest to the oldest.
 *
 * Each slice is one transaction with the lock of the eras. It adds texts and stores the progress,
 * so a killed worker loses one slice, which is done again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { firstUuidAt, uuidTime } from "#lib/basics/ids";
import { areLinksApart } from "#lib/links/distribution";
import { flushSearch } from "#lib/links/search";
import { config } from "#lib/platform/config";
import { exposeCounters, exposeGauges, log } from "#lib/platform/log";
import { query, sql } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { moveHorizon } from "./horizon.ts";
import type { SearchBacklog, SearchBounds } from "./schema.ts";
import { addNew, balance, type SliceOptions } from "./slices.ts";

const everyMs = 5_000;
/** Shutting down waits for a run. */
const runMs = 8_000;
const sliceLinks = 500;
/** Two fronts create links at once, and their transactions take milliseconds. */
const overlapMs = 20_000;
/** The longest time from the creation of an id to the first write of its transaction, including retries of the batch. */
const idAgeMaxMs = 300_000;
/** Per workspace, so that the metric stays cheap. */
const countedMax = 10_000;
const firstId = firstUuidAt(0);

const counters = { added: 0, dropped: 0, failed: 0 };
exposeCounters(
  "search_texts",
  "Texts of links of API keys, added and dropped, and failed slices.",
  counters,
);

interface RunOptions extends SliceOptions {
  runMs: number;
  idAgeMaxMs: number;
  /** Rests between slices for as long as the last one took, so that people go first. */
  rests: boolean;
}

function optionsOf(given: Partial<RunOptions>): RunOptions {
  const linksMax = config().FUXI_SEARCH_API_LINKS;
  return { runMs, idAgeMaxMs, overlapMs, sliceLinks, linksMax, rests: true, ...given };
}

/** One run: new links of all workspaces first, then older ones. Returns how many texts it added. */
export async function indexLinks(given: Partial<RunOptions> = {}): Promise<number> {
  // If links are on several servers, none of them has all links in the order of their ids.
  if (await areLinksApart()) return 0;
  const options = optionsOf(given);
  const until = performance.now() + options.runMs;
  const horizon = await moveHorizon(options.idAgeMaxMs);
  if (horizon.getTime() === 0) return 0;
  const horizonId = firstUuidAt(horizon.getTime());
  const before = counters.added;
  await addWorkspaces(horizonId);
  const positions = new Map<number, string>();
  await inTurns(await listWaiting(), until, options, (workspacePk) =>
    addNew(workspacePk, { horizonId, positions }, options),
  );
  await inTurns(await listUneven(options.linksMax), until, options, (workspacePk) =>
    balance(workspacePk, options),
  );
  const added = counters.added - before;
  if (added > 0) await flushSearch();
  return added;
}

type Slice = (workspacePk: number) => Promise<{ added: number; dropped: number; more: boolean }>;

/** A slice of each workspace, then the next, until nothing is left or the time is up. */
async function inTurns(
  workspacePks: readonly number[],
  until: number,
  { rests }: RunOptions,
  slice: Slice,
): Promise<void> {
  let left = workspacePks;
  while (left.length > 0) {
    const unfinished: number[] = [];
    for (const workspacePk of left) {
      const started = performance.now();
      if (started > until) return;
      if (await runSlice(workspacePk, slice)) unfinished.push(workspacePk);
      if (rests) await sleep(performance.now() - started);
    }
    left = unfinished;
  }
}

/** A workspace whose slice fails, such as by a timeout, waits for the next run. */
async function runSlice(workspacePk: number, slice: Slice): Promise<boolean> {
  try {
    const { added, dropped, more } = await slice(workspacePk);
    counters.added += added;
    counters.dropped += dropped;
    return more;
  } catch (error) {
    counters.failed += 1;
    log.warn({ event: "search.slice_failed", workspace: workspacePk, error: String(error) });
    return false;
  }
}

/** Adds workspaces that have API keys. Their range starts empty, and grows in both directions. */
async function addWorkspaces(horizonId: string): Promise<void> {
  // Reads all keys, which are a few thousand rows.
  await query(sql`
    INSERT INTO search_progress (workspace_pk, floor_id, settled_id, seen_id)
    SELECT DISTINCT workspace_pk, ${horizonId}::uuid, ${horizonId}::uuid, ${horizonId}::uuid
    FROM api_key
    WHERE NOT EXISTS (
      SELECT FROM search_progress WHERE search_progress.workspace_pk = api_key.workspace_pk)
    ON CONFLICT (workspace_pk) DO NOTHING`);
}

/** Workspaces with links that are not settled. Those that are furthest behind come first. */
async function listWaiting(): Promise<number[]> {
  // Answered by link_workspace, one lookup for each workspace.
  const rows = await query<{ workspace_pk: number }>(sql`
    SELECT progress.workspace_pk
    FROM search_progress AS progress
    CROSS JOIN LATERAL (
      SELECT
      FROM link
      WHERE link.workspace_pk = progress.workspace_pk
        AND link.id > progress.settled_id
      LIMIT 1
    ) AS unsettled
    ORDER BY progress.seen_id`);
  return rows.map(({ workspace_pk }) => workspace_pk);
}

/** Workspaces with more texts than the maximum, or with fewer and with older links to add. */
async function listUneven(linksMax: number): Promise<number[]> {
  // Reads all rows.
  const rows = await query<{ workspace_pk: number }>(sql`
    SELECT workspace_pk
    FROM search_progress
    WHERE links > ${linksMax}
      OR (links < ${linksMax} AND floor_id > ${firstId}::uuid)
    ORDER BY workspace_pk`);
  return rows.map(({ workspace_pk }) => workspace_pk);
}

export async function readBacklog(now = Date.now()): Promise<SearchBacklog> {
  // Answered by link_workspace.
  const [row] = await query<{ links: number; oldest: string | null; older: number }>(sql`
    SELECT
      coalesce(sum(waiting.links), 0)::int AS links,
      min(waiting.oldest::text) AS oldest,
      count(*) FILTER (
        WHERE progress.links < ${config().FUXI_SEARCH_API_LINKS}
          AND floor_id > ${firstId}::uuid)::int AS older
    FROM search_progress AS progress
    CROSS JOIN LATERAL (
      SELECT count(*) AS links, (array_agg(part.id))[1] AS oldest
      FROM (
        SELECT link.id
        FROM link
        WHERE link.workspace_pk = progress.workspace_pk
          AND link.id > greatest(progress.seen_id, progress.settled_id)
        ORDER BY link.id
        LIMIT ${countedMax}
      ) AS part
    ) AS waiting`);
  const oldest = row?.oldest ? uuidTime(row.oldest) : now;
  return {
    links: row?.links ?? 0,
    seconds: Math.max(0, Math.round((now - oldest) / 1_000)),
    workspaces: row?.older ?? 0,
  };
}

exposeGauges(
  "search_backlog",
  "Links that wait for their search text, the seconds since the first of them, and workspaces whose older links are being added.",
  readBacklog,
);

/** Which links of the workspace a search finds by exact values only. */
export async function readSearchBounds({ workspacePk }: WorkspaceScope): Promise<SearchBounds> {
  const isApart = await areLinksApart();
  // Answered by search_progress_pkey and campaign_list.
  const [row] = await query<{ older: boolean; recipients: boolean }>(sql`
    SELECT
      EXISTS (
        SELECT
        FROM search_progress
        WHERE workspace_pk = ${workspacePk}
          AND links >= ${config().FUXI_SEARCH_API_LINKS}
          AND floor_id > ${firstId}::uuid) AS older,
      EXISTS (
        SELECT FROM campaign WHERE workspace_pk = ${workspacePk} AND deleted_at IS NULL) AS recipients`);
  return {
    apiLinks: isApart ? 0 : row?.older ? config().FUXI_SEARCH_API_LINKS : null,
    recipients: row?.recipients ?? false,
  };
}

export const indexingJob = defineJob({
  name: "search.index",
  schema: z.object({}),
  everyMs,
  handle: () => indexLinks(),
});
