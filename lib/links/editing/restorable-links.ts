/** Links deleted in the dashboard, stored while the deletion can be undone. */
import { linkColumns } from "#lib/links/link-columns/schema";
import type { LinkRow } from "#lib/links/link-rows";
import { type Connection, query, sql } from "#lib/platform/postgres";

export interface RestorableLink extends LinkRow {
  tag_pks: number[];
  searched: boolean;
}

export async function archiveDeleted(
  tx: Connection,
  { workspacePk, actor }: { workspacePk: number; actor: string },
  pks: readonly number[],
): Promise<void> {
  // Answered by link_pkey, link_tag_pkey, link_allowance_pkey and link_search_pkey.
  await tx.query(sql`
    WITH gone AS MATERIALIZED (
      SELECT link.pk, link.id, to_jsonb(link) AS link
      FROM link
      WHERE link.pk = ANY(${pks}::bigint[])
        AND link.workspace_pk = ${workspacePk}
    ), tagged AS MATERIALIZED (
      SELECT link_pk, array_agg(tag_pk) AS tag_pks
      FROM link_tag
      WHERE link_pk = ANY(${pks}::bigint[])
      GROUP BY link_pk
    ), limited AS MATERIALIZED (
      SELECT link_pk, to_jsonb(link_allowance) AS allowance
      FROM link_allowance
      WHERE link_pk = ANY(${pks}::bigint[])
    )
    INSERT INTO deleted_link (
      link_pk, workspace_pk, link_id, actor, link, tag_pks, searched, allowance
    )
    SELECT gone.pk, ${workspacePk}, gone.id, ${actor}, gone.link,
      coalesce(tagged.tag_pks, '{}'),
      EXISTS (SELECT 1 FROM link_search WHERE link_search.link_pk = gone.pk),
      limited.allowance
    FROM gone
    LEFT JOIN tagged ON tagged.link_pk = gone.pk
    LEFT JOIN limited ON limited.link_pk = gone.pk`);
}

/** Locks an actor’s recently deleted links, so that no link is restored twice. */
export function lockRestorable(
  tx: Connection,
  { workspacePk, actor }: { workspacePk: number; actor: string },
  ids: readonly string[],
  minutes: number,
): Promise<RestorableLink[]> {
  return tx.query<RestorableLink>({
    // Answered by deleted_link_workspace_pk_link_id_idx.
    text: `
      SELECT ${linkColumns.map((column) => `link.${column}`).join(", ")},
        deleted_link.tag_pks, deleted_link.searched
      FROM deleted_link
      CROSS JOIN LATERAL jsonb_populate_record(NULL::link, deleted_link.link) AS link
      WHERE deleted_link.workspace_pk = $1
        AND deleted_link.link_id = ANY($2::uuid[])
        AND deleted_link.actor = $3
        AND deleted_link.deleted_at > clock_timestamp() - $4 * interval '1 minute'
      ORDER BY deleted_link.link_pk
      FOR UPDATE OF deleted_link`,
    values: [workspacePk, ids, actor, minutes],
  });
}

export async function deleteExpired(minutes: number): Promise<void> {
  // Answered by deleted_link_deleted_at_idx.
  await query(sql`
    DELETE FROM deleted_link
    WHERE deleted_at < now() - ${minutes} * interval '1 minute'`);
}

export async function removeRestored(tx: Connection, rows: readonly RestorableLink[]) {
  const pks = rows.map(({ pk }) => pk);
  await tx.query(sql`DELETE FROM deleted_link WHERE link_pk = ANY(${pks}::bigint[])`);
}
