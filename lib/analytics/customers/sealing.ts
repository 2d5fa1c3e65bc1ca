/** The SQL of what is encrypted: writing it again with the newest version of the keys. */
import { type Connection, query, sql } from "#lib/platform/postgres";

export async function updateSealed(
  tx: Connection,
  version: number,
  rows: readonly { pk: number; sealed: Buffer }[],
): Promise<void> {
  await query(
    // Answered by customer_pkey.
    sql`
      UPDATE customer
      SET sealed = given.sealed,
        key_version = ${version}
      FROM unnest(
        ${rows.map(({ pk }) => pk)}::bigint[],
        ${rows.map(({ sealed }) => sealed)}::bytea[]
      ) AS given (pk, sealed)
      WHERE customer.pk = given.pk`,
    tx,
  );
}

interface SealedRow {
  pk: number;
  bound: string;
  version: number;
  sealed: Buffer;
}

/** Customers that are encrypted with an older version. */
export async function listOlder(
  tx: Connection,
  workspacePk: number,
  version: number,
  max: number,
): Promise<SealedRow[]> {
  return await query<SealedRow>(
    // Answered by customer_list.
    sql`
      SELECT pk, id AS bound, key_version AS version, sealed
      FROM customer
      WHERE workspace_pk = ${workspacePk}
        AND key_version <> ${version}
      ORDER BY pk
      LIMIT ${max}
      FOR UPDATE`,
    tx,
  );
}

/** Events whose metadata is encrypted with an older version. */
export async function listOlderEvents(
  tx: Connection,
  workspacePk: number,
  version: number,
  max: number,
): Promise<SealedRow[]> {
  return await query<SealedRow>(
    // Answered by conversion_workspace: a rotation is rare.
    sql`
      SELECT pk, id::text AS bound, key_version AS version, metadata AS sealed
      FROM analytics.conversion
      WHERE workspace_pk = ${workspacePk}
        AND key_version <> ${version}
      ORDER BY pk
      LIMIT ${max}
      FOR UPDATE`,
    tx,
  );
}

export async function updateMetadata(
  tx: Connection,
  version: number,
  rows: readonly { pk: number; sealed: Buffer }[],
): Promise<void> {
  await query(
    // Answered by conversion_pkey.
    sql`
      UPDATE analytics.conversion AS event
      SET metadata = given.sealed,
        key_version = ${version}
      FROM unnest(
        ${rows.map(({ pk }) => pk)}::bigint[],
        ${rows.map(({ sealed }) => sealed)}::bytea[]
      ) AS given (pk, sealed)
      WHERE event.pk = given.pk`,
    tx,
  );
}

export async function usesVersion(
  tx: Connection,
  workspacePk: number,
  version: number,
): Promise<boolean> {
  const rows = await query(
    // Answered by customer_list and conversion_workspace: only after a rotation.
    sql`
      SELECT 1
      WHERE EXISTS (
        SELECT FROM customer WHERE workspace_pk = ${workspacePk} AND key_version = ${version}
      ) OR EXISTS (
        SELECT
        FROM analytics.conversion
        WHERE workspace_pk = ${workspacePk}
          AND key_version = ${version}
      )`,
    tx,
  );
  return rows.length > 0;
}
