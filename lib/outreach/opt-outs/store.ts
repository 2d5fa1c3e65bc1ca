import { type Connection, query, sql } from "#lib/platform/postgres";
import type { OptOutSource } from "./schema.ts";

const lockName = (workspacePk: number) => `opt_out ${workspacePk}`;

/** Waits for everyone who holds the list of the workspace, and lets nobody hold it until the commit. */
export async function lockList(tx: Connection, workspacePk: number): Promise<void> {
  const name = lockName(workspacePk);
  await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`, tx);
}

/** Until the commit, no phone is added to the list of the workspace. */
export async function holdList(tx: Connection, workspacePk: number): Promise<void> {
  const name = lockName(workspacePk);
  await query(sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`, tx);
}

export interface OptOutRow {
  pk: number;
  id: string;
  key_version: number | null;
  sealed: Buffer | null;
  source: OptOutSource | null;
  created_at: Date;
}

export interface NewOptOut {
  id: string;
  hash: Buffer;
  sealed: Buffer;
}

interface NewOrigin {
  workspacePk: number;
  version: number;
  source: OptOutSource;
}

/** Returns those of phones that were not on the list. */
export async function insertRows(
  tx: Connection,
  { workspacePk, version, source }: NewOrigin,
  rows: readonly NewOptOut[],
): Promise<{ id: string; hash: Buffer }[]> {
  return await query<{ id: string; hash: Buffer }>(
    // Answered by opt_out_phone.
    sql`
      INSERT INTO opt_out (id, workspace_pk, phone_hash, key_version, sealed, source)
      SELECT given.id, ${workspacePk}, given.hash, ${version}, given.sealed, ${source}
      FROM unnest(
        ${rows.map(({ id }) => id)}::text[],
        ${rows.map(({ hash }) => hash)}::bytea[],
        ${rows.map(({ sealed }) => sealed)}::bytea[]
      ) AS given (id, hash, sealed)
      ON CONFLICT (workspace_pk, phone_hash) DO NOTHING
      RETURNING id, phone_hash AS hash`,
    tx,
  );
}

/** Recipients with these phones, for webhooks: a program knows its messages by their ids. */
export async function listRecipients(
  tx: Connection,
  workspacePk: number,
  hashes: readonly Buffer[],
): Promise<{ hash: Buffer; campaign_id: string; message_id: string }[]> {
  return await query(
    // Answered by campaign_recipient_phone and campaign_pkey.
    sql`
      SELECT recipient.phone_hash AS hash, campaign.id AS campaign_id, recipient.message_id
      FROM campaign_recipient AS recipient
      JOIN campaign ON campaign.pk = recipient.campaign_pk
      WHERE recipient.workspace_pk = ${workspacePk}
        AND recipient.phone_hash = ANY(${hashes}::bytea[])
      ORDER BY recipient.campaign_pk DESC`,
    tx,
  );
}

/** SQL: part of the transaction that adds recipients. Answered by opt_out_phone. */
export async function findByHashes(
  workspacePk: number,
  hashes: readonly Buffer[],
  tx?: Connection,
): Promise<{ id: string; hash: Buffer }[]> {
  return await query<{ id: string; hash: Buffer }>(
    sql`
      SELECT id, phone_hash AS hash
      FROM opt_out
      WHERE workspace_pk = ${workspacePk}
        AND phone_hash = ANY(${hashes}::bytea[])`,
    tx,
  );
}

/** The newest first. */
export async function listRows(
  workspacePk: number,
  afterId: string | null,
  limit: number,
): Promise<OptOutRow[]> {
  return await query<OptOutRow>(
    // Answered by opt_out_list.
    sql`
      SELECT pk, id, key_version, sealed, source, created_at
      FROM opt_out
      WHERE workspace_pk = ${workspacePk}
        AND (${afterId}::text IS NULL OR pk < (
          SELECT pk
          FROM opt_out
          WHERE id = ${afterId}
            AND workspace_pk = ${workspacePk}
        ))
      ORDER BY pk DESC
      LIMIT ${limit}`,
  );
}

/** The row of a phone. */
export async function findRow(workspacePk: number, hash: Buffer): Promise<OptOutRow | undefined> {
  const [row] = await query<OptOutRow>(
    // Answered by opt_out_phone.
    sql`
      SELECT pk, id, key_version, sealed, source, created_at
      FROM opt_out
      WHERE workspace_pk = ${workspacePk}
        AND phone_hash = ${hash}`,
  );
  return row;
}

export async function deleteRow(tx: Connection, workspacePk: number, id: string): Promise<boolean> {
  const rows = await query(
    // Answered by opt_out_id_key.
    sql`
      DELETE FROM opt_out
      WHERE id = ${id}
        AND workspace_pk = ${workspacePk}
      RETURNING 1`,
    tx,
  );
  return rows.length > 0;
}

/** The hash stays. */
export async function eraseRow(tx: Connection, workspacePk: number, hash: Buffer): Promise<void> {
  await query(
    // Answered by opt_out_phone.
    sql`
      UPDATE opt_out
      SET sealed = NULL, key_version = NULL
      WHERE workspace_pk = ${workspacePk}
        AND phone_hash = ${hash}`,
    tx,
  );
}

interface SealedOptOut {
  pk: number;
  id: string;
  version: number;
  sealed: Buffer;
}

/** Rows after a pk that are sealed with another version. */
export async function listSealed(
  tx: Connection,
  workspacePk: number,
  version: number,
  limit: number,
): Promise<SealedOptOut[]> {
  return await query<SealedOptOut>(
    // Answered by opt_out_list.
    sql`
      SELECT pk, id, key_version AS version, sealed
      FROM opt_out
      WHERE workspace_pk = ${workspacePk}
        AND key_version <> ${version}
      ORDER BY pk
      LIMIT ${limit}
      FOR UPDATE`,
    tx,
  );
}

export async function updateSealed(
  tx: Connection,
  version: number,
  rows: readonly { pk: number; sealed: Buffer }[],
): Promise<void> {
  await query(
    // Answered by opt_out_pkey.
    sql`
      UPDATE opt_out
      SET sealed = given.sealed, key_version = ${version}
      FROM unnest(
        ${rows.map(({ pk }) => pk)}::bigint[],
        ${rows.map(({ sealed }) => sealed)}::bytea[]
      ) AS given (pk, sealed)
      WHERE opt_out.pk = given.pk`,
    tx,
  );
}

export async function usesVersion(
  tx: Connection,
  workspacePk: number,
  version: number,
): Promise<boolean> {
  const rows = await query(
    // Answered by opt_out_list; only after a rotation.
    sql`
      SELECT 1
      FROM opt_out
      WHERE workspace_pk = ${workspacePk}
        AND key_version = ${version}
      LIMIT 1`,
    tx,
  );
  return rows.length > 0;
}
