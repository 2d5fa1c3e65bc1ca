/**
 * Restores deleted links. Each claims its name like a chosen name, even a generated code, so that the primary key of `alias`
 * settles the race with a new link.
 */
import { addDestinations } from "#lib/destinations/reputation";
import { type Connection, sql } from "#lib/platform/postgres";
import { claimExternalIds } from "./apart.ts";
import { addTags } from "./change.ts";
import { type OwnerMove, recordMoves } from "./move.ts";
import type { LinkRow } from "./row.ts";

type RestoredRow = LinkRow & { tag_pks: number[] };

/** Writes deleted links again, except for their search texts. Their names are claimed. */
export async function restoreDeleted(
  tx: Connection,
  rows: readonly RestoredRow[],
  revision: number,
): Promise<void> {
  if (rows.length === 0) return;
  const pks = rows.map(({ pk }) => pk);
  for (const row of rows) Object.assign(row, { revision, alias: true });
  // Claiming a name that encodes a pk reserved that pk. For a generated code, it is the link’s own pk.
  await tx.query(sql`DELETE FROM link WHERE pk = ANY(${pks}::bigint[]) AND workspace_pk IS NULL`);
  await claimExternalIds(tx, rows);
  await insertDeleted(tx, pks, revision);
  await restoreOwners(tx, rows);
  await addDestinations(tx, rows);
  // Answered by erasure_link. Erasure only starts when a link can no longer be restored.
  await tx.query(
    sql`DELETE FROM analytics.erasure WHERE link_pk = ANY(${pks}::bigint[]) AND rounds = 0`,
  );
}

/** Answered by deleted_link_pkey. A folder that was deleted meanwhile is omitted. */
async function insertDeleted(tx: Connection, pks: readonly number[], revision: number) {
  await tx.query(sql`
    INSERT INTO link
    SELECT again.*
    FROM deleted_link
    CROSS JOIN LATERAL jsonb_populate_record(
      NULL::link,
      deleted_link.link || jsonb_build_object(
        'alias', true,
        'revision', ${revision}::bigint,
        'updated_at', now(),
        'folder_pk', (
          SELECT pk
          FROM folder
          WHERE folder.pk = (deleted_link.link ->> 'folder_pk')::int
        )
      )
    ) AS again
    WHERE deleted_link.link_pk = ANY(${pks}::bigint[])`);
  await tx.query(sql`
    INSERT INTO link_allowance
    SELECT allowance.*
    FROM deleted_link
    CROSS JOIN LATERAL jsonb_populate_record(NULL::link_allowance, deleted_link.allowance)
      AS allowance
    WHERE deleted_link.link_pk = ANY(${pks}::bigint[])
      AND deleted_link.allowance IS NOT NULL`);
}

/** Tags that were deleted meanwhile are omitted. */
async function restoreOwners(tx: Connection, rows: readonly RestoredRow[]): Promise<void> {
  const tagged = rows.flatMap(({ pk, tag_pks }) =>
    tag_pks.map((ownerPk): OwnerMove => ({ linkPk: pk, ownerPk, step: 1 })),
  );
  await addTags(tx, tagged);
  await recordMoves(tx, "tag", tagged);
  await recordMoves(
    tx,
    "folder",
    rows.flatMap(({ pk, folder_pk }): OwnerMove[] =>
      folder_pk === null ? [] : [{ linkPk: pk, ownerPk: folder_pk, step: 1 }],
    ),
  );
}
