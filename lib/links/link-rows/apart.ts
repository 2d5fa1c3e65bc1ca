/**
 * Replaces constraints that only work with links on one server, where these functions do nothing.
 * There, a unique index of `link` has the external ids, and foreign keys delete rows. On several
 * servers the index would have to contain the primary key, so a table that is distributed by
 * workspace has the external ids instead.
 */
import { dropDestinations } from "#lib/destinations/reputation";
import { onlyApart } from "#lib/links/distribution";
import { type Connection, sql } from "#lib/platform/postgres";

interface NamedRow {
  pk: number;
  workspace_pk: number;
  external_id: string | null;
}

/** Another link of the workspace has the id. Named like the unique index. */
class ExternalIdTaken extends Error {
  readonly constraint = "link_external";
}

/** Claims the external ids of these links. Can be repeated. Throws if another link has one. */
export const claimExternalIds = onlyApart(claim);

export const changeExternalIds = onlyApart(
  async (tx: Connection, changes: readonly { before: NamedRow; after: NamedRow }[]) => {
    const renamed = changes.filter(({ before, after }) => before.external_id !== after.external_id);
    const [before, after] = [renamed.map((one) => one.before), renamed.map((one) => one.after)];
    await release(tx, before);
    await claim(tx, after);
  },
);

export const moveExternalIds = onlyApart(
  async (tx: Connection, pks: readonly number[], to: number) => {
    // Answered by link_pkey.
    const named = await tx.query<NamedRow>(sql`
      SELECT pk, workspace_pk, external_id
      FROM link
      WHERE pk = ANY(${pks}::bigint[])
        AND external_id IS NOT NULL`);
    const moved = named.map((row) => ({ ...row, workspace_pk: to }));
    await release(tx, named);
    await claim(tx, moved);
  },
);

/** Called with links that are about to be deleted. Answered by the primary keys. */
export const dropDependents = onlyApart(async (tx: Connection, rows: readonly NamedRow[]) => {
  const pks = rows.map(({ pk }) => pk);
  await release(tx, rows);
  await dropDestinations(tx, pks);
  await tx.query(sql`DELETE FROM link_tag WHERE link_pk = ANY(${pks}::bigint[])`);
  await tx.query(sql`DELETE FROM link_allowance WHERE link_pk = ANY(${pks}::bigint[])`);
});

async function claim(tx: Connection, rows: readonly NamedRow[]): Promise<void> {
  const named = rows.filter(({ external_id }) => external_id !== null);
  if (named.length === 0) return;
  // Sort, so that two batches cannot deadlock.
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

async function release(tx: Connection, rows: readonly NamedRow[]): Promise<void> {
  const named = rows.filter(({ external_id }) => external_id !== null);
  if (named.length === 0) return;
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
