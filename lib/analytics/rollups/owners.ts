/**
 * Sums of tags and folders per day and month. Clicks of any age belong to the tags that a link has now; without these sums,
 * a year of a workspace would be added up link by link, a million rows.
 *
 * A sum covers the links of its owner when it was computed. Links that joined or left since are in analytics.moved_link,
 * which lib/links/link-rows writes in the transaction that moves a link. Queries add these moves, so they are exact at once.
 * A worker applies the moves to the sums and deletes them in one statement.
 *
 *     link changes its tag ──▶ moved_link ──applied──▶ owner_day, owner_month
 *     day is rolled ──▶ owner_day of that day, again ──month is rolled──▶ owner_month
 */
import { withoutMoves } from "#lib/links/distribution";
import { type Connection, extendTimeout, query, sql, transaction } from "#lib/platform/postgres";
import { roll, rollTimeoutMs } from "./dimensions.ts";
import { lockRollups, tryLockRollups } from "./lock.ts";

const movesAtOnce = 2_000;
const batchesMax = 500;

/** An array, so that PostgreSQL looks links up, whatever it estimates for a new day. */
const isKept = (link: string) => `${link} = ANY(ARRAY(SELECT link_pk FROM kept))`;

/**
 * Sums the day `$2` for the owners that links of workspace `$1` have now. Moves since that day are
 * left out: queries add them. Answered by link_tag_pkey, link_pkey and moved_link_link.
 */
export const sumsOfDay = `
    WITH kept AS MATERIALIZED (
      SELECT workspace_pk, link_pk, start, clicks, workspace_visitors, bots
      FROM analytics.link_day
      WHERE workspace_pk = $1 AND start = $2
    ), tagged AS MATERIALIZED (
      SELECT link_pk, tag_pk
      FROM link_tag
      WHERE ${isKept("link_pk")}
    ), filed AS MATERIALIZED (
      SELECT pk AS link_pk, folder_pk
      FROM link
      WHERE ${isKept("pk")} AND folder_pk IS NOT NULL
    ), owned AS (
      SELECT 'tag'::analytics.owner_kind AS kind, tag.pk AS owner_pk, tagged.link_pk, 1 AS step
      FROM tagged
      JOIN tag ON tag.pk = tagged.tag_pk
      WHERE tag.workspace_pk = $1
      UNION ALL
      SELECT 'folder', folder.pk, filed.link_pk, 1
      FROM filed
      JOIN folder ON folder.pk = filed.folder_pk
      WHERE folder.workspace_pk = $1
      UNION ALL
      SELECT kind, owner_pk, link_pk, -step
      FROM analytics.moved_link
      WHERE ${isKept("link_pk")} AND workspace_pk = $1
    )
    SELECT workspace_pk, kind, start, owner_pk, sum(step * clicks) AS clicks,
      sum(step * workspace_visitors) AS visitors, sum(step * bots) AS bots
    FROM kept
    JOIN owned ON owned.link_pk = kept.link_pk
    GROUP BY workspace_pk, kind, start, owner_pk
    HAVING sum(step * clicks) <> 0 OR sum(step * bots) <> 0`;

export const sumsOfMonth = `
    SELECT workspace_pk, kind, $2::timestamptz AS start, owner_pk, sum(clicks) AS clicks,
      sum(visitors) AS visitors, sum(bots) AS bots
    FROM analytics.owner_day
    WHERE workspace_pk = $1 AND start >= $2 AND start < $3
    GROUP BY workspace_pk, kind, owner_pk
    HAVING sum(clicks) <> 0 OR sum(bots) <> 0`;

export const ownerColumns = "workspace_pk, kind, start, owner_pk, clicks, visitors, bots";

/** Under the lock of the workspace, after the links of the day. */
export async function rollOwnersOfDay(
  tx: Connection,
  workspacePk: number,
  start: Date,
): Promise<void> {
  const text = `INSERT INTO analytics.owner_day (${ownerColumns}) ${sumsOfDay}`;
  await withoutMoves(
    workspacePk,
    async () => {
      await roll(tx, text, [workspacePk, start]);
    },
    tx,
  );
}

/** Under the lock of the workspace. */
export async function rollOwnersOfMonth(
  tx: Connection,
  workspacePk: number,
  start: Date,
  until: Date,
): Promise<void> {
  const text = `INSERT INTO analytics.owner_month (${ownerColumns}) ${sumsOfMonth}`;
  await roll(tx, text, [workspacePk, start, until]);
}

/** Answered by the primary keys. */
export async function dropOwners(
  tx: Connection,
  table: "owner_day" | "owner_month",
  workspacePk: number,
  start: Date,
): Promise<void> {
  const text = `
      DELETE FROM analytics.${table}
      WHERE workspace_pk = $1
        AND kind IN ('tag', 'folder')
        AND start = $2`;
  await roll(tx, text, [workspacePk, start]);
}

/** Returns the number of moves. Safe to run twice, and in several workers. */
export async function applyMoves(): Promise<number> {
  let carried = 0;
  for (const workspacePk of await listMoving()) {
    for (let batch = 0; batch < batchesMax; batch++) {
      const count = await transaction(async (tx) => {
        if (!(await tryLockRollups(tx, workspacePk))) return 0;
        return await applyWhere(
          tx,
          `SELECT pk
          FROM analytics.moved_link
          WHERE workspace_pk = $1
          ORDER BY pk
          LIMIT $2`,
          [workspacePk, movesAtOnce],
        );
      });
      carried += count;
      if (count < movesAtOnce) break;
    }
  }
  return carried;
}

async function listMoving(): Promise<number[]> {
  // No index: one row per link moved in the last seconds.
  const rows = await query<{ workspace_pk: number }>(
    sql`SELECT DISTINCT workspace_pk FROM analytics.moved_link`,
  );
  return rows.map(({ workspace_pk }) => workspace_pk);
}

/** Applies the moves of links whose rows are about to be erased. */
export async function applyMovesOf(tx: Connection, linkPks: readonly number[]): Promise<void> {
  const workspaces = await tx.query<{ workspace_pk: number }>(sql`
    SELECT DISTINCT workspace_pk
    FROM analytics.moved_link
    WHERE link_pk = ANY(${linkPks}::bigint[])`);
  if (workspaces.length === 0) return;
  await lockRollups(
    tx,
    workspaces.map(({ workspace_pk }) => workspace_pk),
  );
  const which = "SELECT pk FROM analytics.moved_link WHERE link_pk = ANY($1::bigint[])";
  await applyWhere(tx, which, [linkPks]);
}

/** Answered by moved_link_pkey, link_day_pkey and link_month_pkey. */
async function applyWhere(tx: Connection, which: string, values: unknown[]): Promise<number> {
  await extendTimeout(tx, rollTimeoutMs);
  const [row] = await roll<{ count: number }>(
    tx,
    `WITH taken AS (
        DELETE FROM analytics.moved_link
        WHERE pk IN (${which})
        RETURNING workspace_pk, kind, link_pk, owner_pk, step
      ), net AS MATERIALIZED (
        SELECT workspace_pk, kind, link_pk, owner_pk, sum(step)::int AS step
        FROM taken
        GROUP BY workspace_pk, kind, link_pk, owner_pk
        HAVING sum(step) <> 0
      ), days AS (${addTo("day")}
      ), months AS (${addTo("month")}
      )
      SELECT count(*) AS count FROM taken`,
    values,
  );
  return row?.count ?? 0;
}

function addTo(kept: "day" | "month"): string {
  return `
        INSERT INTO analytics.owner_${kept} AS owner (${ownerColumns})
        SELECT
          net.workspace_pk, net.kind, kept.start, net.owner_pk, sum(net.step * kept.clicks),
          sum(net.step * kept.workspace_visitors), sum(net.step * kept.bots)
        FROM net
        JOIN analytics.link_${kept} AS kept
          ON kept.link_pk = net.link_pk
          AND kept.workspace_pk = net.workspace_pk
        GROUP BY net.workspace_pk, net.kind, kept.start, net.owner_pk
        ON CONFLICT (workspace_pk, kind, start, owner_pk) DO UPDATE
        SET clicks = owner.clicks + EXCLUDED.clicks,
          visitors = owner.visitors + EXCLUDED.visitors,
          bots = owner.bots + EXCLUDED.bots`;
}
