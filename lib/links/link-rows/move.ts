/**
 * Adding links to tags and folders, and removing them. Sums of clicks are stored per tag and
 * folder, so each change is recorded in analytics.moved_link in its own transaction, and
 * lib/analytics/rollups applies it. New links have no clicks, and nothing reads the sums of a
 * deleted tag or folder, so these changes are not recorded.
 */

import { holdMoves } from "#lib/links/distribution";
import { warningDays } from "#lib/links/link-columns/schema";
import { moveTexts } from "#lib/links/search";
import { type Connection, sql, transaction } from "#lib/platform/postgres";
import { moveExternalIds } from "./apart.ts";
import { lockLinks } from "./locks.ts";

const dayMs = 86_400_000;

/** A link is added to a tag or folder (1) or removed (-1). */
export interface OwnerMove {
  linkPk: number;
  ownerPk: number;
  step: 1 | -1;
}

export async function recordMoves(
  tx: Connection,
  kind: "tag" | "folder",
  moves: readonly OwnerMove[],
): Promise<void> {
  if (moves.length === 0) return;
  const recorded = await tx.query<{ workspace_pk: number }>({
    text: `
      INSERT INTO analytics.moved_link (workspace_pk, kind, link_pk, owner_pk, step)
      SELECT owner.workspace_pk, '${kind}', move.link_pk, owner.pk, move.step
      FROM unnest($1::bigint[], $2::int[], $3::smallint[]) AS move (link_pk, owner_pk, step)
      JOIN ${kind} AS owner ON owner.pk = move.owner_pk
      RETURNING workspace_pk`,
    values: [
      moves.map(({ linkPk }) => linkPk),
      moves.map(({ ownerPk }) => ownerPk),
      moves.map(({ step }) => step),
    ],
  });
  await holdMoves(tx, workspacesOf(recorded));
}

const workspacesOf = (recorded: readonly { workspace_pk: number }[]) =>
  recorded.map(({ workspace_pk }) => workspace_pk);

/** Records that links leave their tags and folder. Called before they are removed. */
export async function recordRemovals(tx: Connection, pks: readonly number[]): Promise<void> {
  // Answered by link_tag_pkey and link_pkey.
  const recorded = await tx.query<{ workspace_pk: number }>(sql`
    INSERT INTO analytics.moved_link (workspace_pk, kind, link_pk, owner_pk, step)
    SELECT tag.workspace_pk, 'tag'::analytics.owner_kind, link_tag.link_pk, tag.pk, -1
    FROM link_tag
    JOIN tag ON tag.pk = link_tag.tag_pk
    WHERE link_tag.link_pk = ANY(${pks}::bigint[])
    UNION ALL
    SELECT folder.workspace_pk, 'folder', link.pk, folder.pk, -1
    FROM link
    JOIN folder ON folder.pk = link.folder_pk
    WHERE link.pk = ANY(${pks}::bigint[])
    RETURNING workspace_pk`);
  await holdMoves(tx, workspacesOf(recorded));
}

export function untagBatch(tagPk: number, max: number): Promise<number> {
  return transaction(async (tx) => {
    const { count, moved } = await untag(tx, tagPk, max);
    await holdMoves(tx, moved);
    return count;
  });
}

async function untag(tx: Connection, tagPk: number, max: number) {
  // Answered by link_tag_tag_pk_idx.
  const [row] = await tx.query<{ count: number; moved: number[] }>(sql`
    WITH gone AS (
      DELETE FROM link_tag
      WHERE (link_pk, tag_pk) IN (
        SELECT link_pk, tag_pk
        FROM link_tag
        WHERE tag_pk = ${tagPk}
        LIMIT ${max}
      )
      RETURNING link_pk, tag_pk
    ), noted AS (
      INSERT INTO analytics.moved_link (workspace_pk, kind, link_pk, owner_pk, step)
      SELECT tag.workspace_pk, 'tag', gone.link_pk, tag.pk, -1
      FROM gone
      JOIN tag ON tag.pk = gone.tag_pk
      RETURNING workspace_pk
    )
    SELECT (SELECT count(*) FROM gone) AS count, ARRAY(SELECT DISTINCT workspace_pk FROM noted) AS moved`);
  return row ?? { count: 0, moved: [] };
}

export async function unfileBatch(tx: Connection, folderPk: number, max: number): Promise<number> {
  // Answered by link_folder.
  const part = await tx.query<{ pk: number }>(sql`
    SELECT pk
    FROM link
    WHERE folder_pk = ${folderPk}
    LIMIT ${max}`);
  const pks = part.map(({ pk }) => pk);
  const locked = await lockLinks(tx, pks, "no key update");
  // Answered by link_pkey.
  const unfiled = await tx.query(sql`
    UPDATE link
    SET folder_pk = NULL
    WHERE pk = ANY(${locked}::bigint[])
      AND folder_pk = ${folderPk}
    RETURNING 1`);
  return unfiled.length;
}

export interface WorkspaceMove {
  domainPk: number;
  from: number;
  to: number;
  userPk: number;
  revision: number;
}

export async function moveToWorkspace(
  tx: Connection,
  pks: readonly number[],
  { domainPk, from, to, userPk, revision }: WorkspaceMove,
): Promise<void> {
  await recordRemovals(tx, pks);
  await moveExternalIds(tx, pks, to);
  await moveTexts(tx, pks, { from, to });
  const checkedAt = new Date(Date.now() + (warningDays + 1) * dayMs);
  // Answered by primary keys and indexes that start with link_pk.
  const statements = [
    sql`
      UPDATE link
      SET workspace_pk = ${to},
        user_pk = ${userPk},
        api_key_pk = NULL,
        folder_pk = NULL,
        webhook_ids = '{}',
        -- The rules of the new workspace decide at its next check.
        retires_at = CASE
          WHEN retires_own THEN retires_at
          ELSE ${checkedAt}::timestamptz
        END,
        revision = ${revision},
        updated_at = now()
      WHERE pk = ANY(${pks}::bigint[])`,
    sql`DELETE FROM link_tag WHERE link_pk = ANY(${pks}::bigint[])`,
    sql`UPDATE link_stat SET workspace_pk = ${to} WHERE link_pk = ANY(${pks}::bigint[])`,
    sql`DELETE FROM link_reuse WHERE workspace_pk = ${from} AND domain_pk = ${domainPk}`,
  ];
  for (const statement of statements) await tx.query(statement);
}
