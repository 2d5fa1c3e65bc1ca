/**
 * Sums of tags and folders per day and month. Clicks of any age belong to the tags that a link has now; without these
 * sums a year of a workspace would be added up link by link, a million rows.
 *
 * The invariant: a sum covers the links of its owner, without those that joined and with those that left since
 * (analytics.moved_link, written by lib/links/link-rows in the transaction that moves a link). A query adds the moves
 * and is exact at once, and a worker applies them to the sums, both in one statement.
 *
 *     link changes its tag ──▶ moved_link ──applied──▶ owner_day, owner_month
 *     day is rolled ──▶ owner_day of that day, again ──month is rolled──▶ owner_month
 */
import { areLinksApart, withoutMoves } from "#lib/links/distribution";
import { type Connection, extendTimeout, query, sql, transaction } from "#lib/platform/postgres";
import { rollStatement, rollTimeoutMs } from "./dimensions.ts";
import { lockRollups, tryLockRollups } from "./lock.ts";

const movesAtOnce = 2_000;
const batchesMax = 500;

/**
 * The owners that a link had when its sums were computed: the present ones, and the moves since in reverse. One more
 * and one less cancel out. Answered by link_tag_pkey, link_pkey and moved_link_link.
 */
const ownersOfLink = (among: Among) => [
  `SELECT 'tag'::analytics.owner_kind AS kind, tag.pk AS owner_pk, 1 AS step
        FROM link_tag
        JOIN tag ON tag.pk = link_tag.tag_pk
        WHERE link_tag.link_pk = kept.link_pk AND tag.workspace_pk = kept.workspace_pk${among("link_tag.link_pk")}`,
  `SELECT 'folder'::analytics.owner_kind AS kind, folder.pk AS owner_pk, 1 AS step
        FROM link
        JOIN folder ON folder.pk = link.folder_pk
        WHERE link.pk = kept.link_pk AND folder.workspace_pk = kept.workspace_pk${among("link.pk")}`,
  `SELECT kind, owner_pk, -step AS step
        FROM analytics.moved_link
        WHERE link_pk = kept.link_pk AND workspace_pk = kept.workspace_pk`,
];

/** A condition that names the links of the day, whose rows are on several servers; empty where one has them all. */
type Among = (column: string) => string;
const allHere: Among = () => "";
const amongGiven: Among = (column) => ` AND ${column} = ANY($3::bigint[])`;

/** OFFSET: queried link by link, whatever the planner estimates for a day that was just written. */
const ownedLinks = (among: Among) =>
  ownersOfLink(among)
    .map(
      (owners) => `
      SELECT kept.*, owned.*
      FROM kept
      CROSS JOIN LATERAL (
        ${owners}
        OFFSET 0
      ) AS owned`,
    )
    .join("\n      UNION ALL");

/** The sums of a day `$2` of a workspace `$1`, with the columns of analytics.owner_day. */
export const sumsOfDay = (among: Among = allHere) => `
    WITH kept AS MATERIALIZED (
      SELECT workspace_pk, link_pk, start, clicks, workspace_visitors, bots
      FROM analytics.link_day
      WHERE workspace_pk = $1 AND start = $2
    )
    SELECT workspace_pk, kind, start, owner_pk, sum(step * clicks) AS clicks,
      sum(step * workspace_visitors) AS visitors, sum(step * bots) AS bots
    FROM (${ownedLinks(among)}
    ) AS owned
    GROUP BY workspace_pk, kind, start, owner_pk
    HAVING sum(step * clicks) <> 0 OR sum(step * bots) <> 0`;

/** The sums of a month that starts at `$2` and is rolled until `$3`. */
export const sumsOfMonth = `
    SELECT workspace_pk, kind, $2::timestamptz AS start, owner_pk, sum(clicks) AS clicks,
      sum(visitors) AS visitors, sum(bots) AS bots
    FROM analytics.owner_day
    WHERE workspace_pk = $1 AND start >= $2 AND start < $3
    GROUP BY workspace_pk, kind, owner_pk
    HAVING sum(clicks) <> 0 OR sum(bots) <> 0`;

export const ownerColumns = "workspace_pk, kind, start, owner_pk, clicks, visitors, bots";

/** Adds up a day whose links were just rolled, under the lock of the workspace. */
export async function rollOwnersOfDay(
  tx: Connection,
  workspacePk: number,
  start: Date,
): Promise<void> {
  const insert = `INSERT INTO analytics.owner_day (${ownerColumns})`;
  if (await areLinksApart(tx)) {
    const pks = await listLinksOfDay(tx, workspacePk, start);
    const text = `${insert} ${sumsOfDay(amongGiven)}`;
    await withoutMoves(workspacePk, async () => {
      await tx.query(rollStatement(text, [workspacePk, start, pks]));
    });
  } else {
    await tx.query(rollStatement(`${insert} ${sumsOfDay()}`, [workspacePk, start]));
  }
}

async function listLinksOfDay(tx: Connection, workspacePk: number, start: Date): Promise<number[]> {
  const rows = await tx.query<{ link_pk: number }>(
    rollStatement(
      `SELECT DISTINCT link_pk
    FROM analytics.link_day
    WHERE workspace_pk = $1
      AND start = $2`,
      [workspacePk, start],
    ),
  );
  return rows.map(({ link_pk }) => link_pk);
}

/** Adds up the days of a month, under the lock of the workspace. */
export async function rollOwnersOfMonth(
  tx: Connection,
  workspacePk: number,
  start: Date,
  until: Date,
): Promise<void> {
  const text = `INSERT INTO analytics.owner_month (${ownerColumns}) ${sumsOfMonth}`;
  await tx.query(rollStatement(text, [workspacePk, start, until]));
}

/** Drops the sums of a day or a month. Answered by the primary keys. */
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
  await tx.query(rollStatement(text, [workspacePk, start]));
}

/** Applies moves to the sums. Returns their number. Safe to run twice, and in several workers. */
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
  // One row per link moved in the last seconds: no index.
  const rows = await query<{ workspace_pk: number }>(
    sql`SELECT DISTINCT workspace_pk FROM analytics.moved_link`,
  );
  return rows.map(({ workspace_pk }) => workspace_pk);
}

/** The same for links whose rows are about to be erased: unapplied moves would be lost. */
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
  const [row] = await tx.query<{ count: number }>(
    rollStatement(
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
    ),
  );
  return row?.count ?? 0;
}

function addTo(kept: "day" | "month"): string {
  return `
        INSERT INTO analytics.owner_${kept} AS owner (${ownerColumns})
        SELECT
          net.workspace_pk,
          net.kind,
          kept.start,
          net.owner_pk,
          sum(net.step * kept.clicks),
          sum(net.step * kept.workspace_visitors),
          sum(net.step * kept.bots)
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
