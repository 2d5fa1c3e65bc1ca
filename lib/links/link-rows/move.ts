/**
 * Links that come to a tag or a folder, or leave it. Sums of clicks are kept per tag and folder, so each of these changes
 * leaves a note in analytics.moved_link, in its own transaction, which lib/analytics/rollups carries over.
 *
 * A link that is new has no clicks yet, and a tag or a folder that is gone has no sums that anybody reads: neither needs a
 * note.
 */
import { moveTexts } from "#lib/links/search";
import { type Connection, query, sql } from "#lib/platform/postgres";

/** A link comes to a tag or folder (1) or leaves it (-1). */
export interface Move {
  linkPk: number;
  ownerPk: number;
  step: 1 | -1;
}

export async function noteTagMoves(tx: Connection, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  await query(
    sql`
      INSERT INTO analytics.moved_link (workspace_pk, kind, link_pk, owner_pk, step)
      SELECT tag.workspace_pk, 'tag', move.link_pk, tag.pk, move.step
      FROM unnest(
        ${moves.map(({ linkPk }) => linkPk)}::bigint[],
        ${moves.map(({ ownerPk }) => ownerPk)}::int[],
        ${moves.map(({ step }) => step)}::smallint[]
      ) AS move (link_pk, owner_pk, step)
      JOIN tag ON tag.pk = move.owner_pk`,
    tx,
  );
}

export async function noteFolderMoves(tx: Connection, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  await query(
    sql`
      INSERT INTO analytics.moved_link (workspace_pk, kind, link_pk, owner_pk, step)
      SELECT folder.workspace_pk, 'folder', move.link_pk, folder.pk, move.step
      FROM unnest(
        ${moves.map(({ linkPk }) => linkPk)}::bigint[],
        ${moves.map(({ ownerPk }) => ownerPk)}::int[],
        ${moves.map(({ step }) => step)}::smallint[]
      ) AS move (link_pk, owner_pk, step)
      JOIN folder ON folder.pk = move.owner_pk`,
    tx,
  );
}

/** Notes that links leave all their tags and their folder. Before they do. */
export async function noteLeaving(tx: Connection, pks: readonly number[]): Promise<void> {
  // Answered by link_tag_pkey and link_pkey.
  await query(
    sql`
      INSERT INTO analytics.moved_link (workspace_pk, kind, link_pk, owner_pk, step)
      SELECT tag.workspace_pk, 'tag'::analytics.owner_kind, link_tag.link_pk, tag.pk, -1
      FROM link_tag
      JOIN tag ON tag.pk = link_tag.tag_pk
      WHERE link_tag.link_pk = ANY(${pks}::bigint[])
      UNION ALL
      SELECT folder.workspace_pk, 'folder', link.pk, folder.pk, -1
      FROM link
      JOIN folder ON folder.pk = link.folder_pk
      WHERE link.pk = ANY(${pks}::bigint[])`,
    tx,
  );
}

/** Takes a tag off at most so many links. Returns of how many. */
export async function untagSome(tagPk: number, max: number): Promise<number> {
  // Answered by link_tag_tag_pk_idx.
  const [row] = await query<{ count: number }>(
    sql`
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
      )
      SELECT count(*) AS count
      FROM gone`,
  );
  return row?.count ?? 0;
}

/** Takes at most so many links out of a folder that is gone. Returns how many. */
export async function unfileSome(tx: Connection, folderPk: number, max: number): Promise<number> {
  // Answered by link_folder. Locked by pk, as everybody does who locks several links.
  const unfiled = await query(
    sql`
      WITH part AS (
        SELECT pk
        FROM link
        WHERE folder_pk = ${folderPk}
        LIMIT ${max}
      ), held AS (
        SELECT link.pk
        FROM link
        JOIN part USING (pk)
        ORDER BY link.pk
        FOR UPDATE OF link
      )
      UPDATE link
      SET folder_pk = NULL
      FROM held
      WHERE link.pk = held.pk
        AND link.folder_pk = ${folderPk}
      RETURNING 1`,
    tx,
  );
  return unfiled.length;
}

/** Links of a domain on their way to another workspace. */
export interface WorkspaceMove {
  domainPk: number;
  from: number;
  to: number;
  /** Whose the links are from then on. */
  userPk: number;
  revision: number;
}

/** Gives links to another workspace, without what only the old one has: folders, tags, keys, webhooks. */
export async function moveToWorkspace(
  tx: Connection,
  pks: readonly number[],
  { domainPk, from, to, userPk, revision }: WorkspaceMove,
): Promise<void> {
  await noteLeaving(tx, pks);
  // Each is answered by a primary key, or by an index that begins with link_pk.
  const statements = [
    sql`
      UPDATE link
      SET workspace_pk = ${to},
        user_pk = ${userPk},
        api_key_pk = NULL,
        folder_pk = NULL,
        webhook_ids = '{}',
        revision = ${revision},
        updated_at = now()
      WHERE pk = ANY(${pks}::bigint[])`,
    sql`DELETE FROM link_tag WHERE link_pk = ANY(${pks}::bigint[])`,
    sql`UPDATE link_stat SET workspace_pk = ${to} WHERE link_pk = ANY(${pks}::bigint[])`,
    sql`DELETE FROM link_reuse WHERE workspace_pk = ${from} AND domain_pk = ${domainPk}`,
  ];
  for (const statement of statements) await query(statement, tx);
  await moveTexts(tx, pks, to);
}
