/**
 * External ids of links. Where links are on one server, a unique index of `link` has them. On several, that index would
 * have to contain the primary key, so a table distributed by workspace has them instead, which no statement here touches
 * otherwise.
 */
import { areLinksApart } from "#lib/links/distribution";
import { type Connection, sql } from "#lib/platform/postgres";

interface NamedRow {
  pk: number;
  workspace_pk: number;
  external_id: string | null;
}

/** Another link of the workspace has it. */
class ExternalIdTaken extends Error {}

/** True when the unique externalId is taken. */
export function isExternalIdTaken(error: unknown): boolean {
  if (error instanceof ExternalIdTaken) return true;
  return error instanceof Error && "constraint" in error && error.constraint === "link_external";
}

/** Takes the external ids of these links; a repeated call changes nothing. Throws if another link has one. */
export async function claimExternalIds(tx: Connection, rows: readonly NamedRow[]): Promise<void> {
  const named = rows.filter(({ external_id }) => external_id !== null);
  if (named.length === 0 || !(await areLinksApart(tx))) return;
  // Sorted, so that two batches cannot deadlock.
  named.sort(
    (a, b) =>
      a.workspace_pk - b.workspace_pk || ((a.external_id ?? "") < (b.external_id ?? "") ? -1 : 1),
  );
  const values = [
    named.map((row) => row.workspace_pk),
    named.map((row) => row.external_id),
    named.map((row) => row.pk),
  ];
  await tx.query({
    // Answered by link_external_id_pkey.
    text: `
      INSERT INTO link_external_id (workspace_pk, external_id, link_pk)
      SELECT *
      FROM unnest($1::int[], $2::text[], $3::bigint[])
      ON CONFLICT (workspace_pk, external_id) DO NOTHING`,
    values,
  });
  const taken = await tx.query({
    // Answered by link_external_id_pkey.
    text: `
      SELECT 1
      FROM unnest($1::int[], $2::text[], $3::bigint[]) AS own (workspace_pk, external_id, pk)
      JOIN link_external_id AS known
        ON known.workspace_pk = own.workspace_pk
        AND known.external_id = own.external_id
      WHERE known.link_pk <> own.pk`,
    values,
  });
  // defence: external-id-once-apart
  if (taken.length > 0) throw new ExternalIdTaken();
}

/** Gives up the external ids of links that are deleted, renamed or moved. */
export async function releaseExternalIds(tx: Connection, rows: readonly NamedRow[]): Promise<void> {
  const named = rows.filter(({ external_id }) => external_id !== null);
  if (named.length === 0 || !(await areLinksApart(tx))) return;
  // Answered by link_external_id_pkey.
  await tx.query(sql`
    DELETE FROM link_external_id
    USING unnest(
      ${named.map((row) => row.workspace_pk)}::int[],
      ${named.map((row) => row.external_id)}::text[],
      ${named.map((row) => row.pk)}::bigint[]
    ) AS old (workspace_pk, external_id, pk)
    WHERE link_external_id.workspace_pk = old.workspace_pk
      AND link_external_id.external_id = old.external_id
      AND link_external_id.link_pk = old.pk`);
}
