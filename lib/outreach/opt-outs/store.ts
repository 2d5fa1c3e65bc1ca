import { type Connection, query, sql } from "#lib/platform/postgres";
import type { OptOutSource } from "./schema.ts";

const lockName = (workspacePk: number) => `opt_out ${workspacePk}`;

/** Waits for all holders of the list, and blocks new ones until the commit. */
export async function lockList(tx: Connection, workspacePk: number): Promise<void> {
  const name = lockName(workspacePk);
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** Keeps phones from being added to the workspace's list until the commit. */
export async function holdList(tx: Connection, workspacePk: number): Promise<void> {
  const name = lockName(workspacePk);
  await tx.query(sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`);
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

export async function insertRows(
  tx: Connection,
  { workspacePk, version, source }: NewOrigin,
  rows: readonly NewOptOut[],
): Promise<{ id: string; hash: Buffer }[]> {
  // Answered by opt_out_phone.
  return await tx.query<{ id: string; hash: Buffer }>(sql`
    INSERT INTO opt_out (id, workspace_pk, phone_hash, key_version, sealed, source)
    SELECT given.id, ${workspacePk}, given.hash, ${version}, given.sealed, ${source}
    FROM unnest(
      ${rows.map(({ id }) => id)}::text[],
      ${rows.map(({ hash }) => hash)}::bytea[],
      ${rows.map(({ sealed }) => sealed)}::bytea[]
    ) AS given (id, hash, sealed)
    ON CONFLICT (workspace_pk, phone_hash) DO NOTHING
    RETURNING id, phone_hash AS hash`);
}

export async function listRecipients(
  tx: Connection,
  workspacePk: number,
  hashes: readonly Buffer[],
): Promise<{ hash: Buffer; campaign_id: string; message_id: string }[]> {
  // Answered by campaign_recipient_phone and campaign_pkey.
  return await tx.query(sql`
    SELECT recipient.phone_hash AS hash, campaign.id AS campaign_id, recipient.message_id
    FROM campaign_recipient AS recipient
    JOIN campaign ON campaign.pk = recipient.campaign_pk
    WHERE recipient.workspace_pk = ${workspacePk}
      AND recipient.phone_hash = ANY(${hashes}::bytea[])
    ORDER BY recipient.campaign_pk DESC`);
}

/** Answered by opt_out_phone. */
export async function findByHashes(
  workspacePk: number,
  hashes: readonly Buffer[],
  tx?: Connection,
): Promise<{ id: string; hash: Buffer }[]> {
  return await query.on(tx).query<{ id: string; hash: Buffer }>(sql`
    SELECT id, phone_hash AS hash
    FROM opt_out
    WHERE workspace_pk = ${workspacePk}
      AND phone_hash = ANY(${hashes}::bytea[])`);
}

export async function listRows(
  workspacePk: number,
  afterId: string | null,
  limit: number,
): Promise<OptOutRow[]> {
  // Answered by opt_out_list.
  return await query<OptOutRow>(sql`
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
    LIMIT ${limit}`);
}

export async function findRow(workspacePk: number, hash: Buffer): Promise<OptOutRow | undefined> {
  // Answered by opt_out_phone.
  return await query.one<OptOutRow>(sql`
    SELECT pk, id, key_version, sealed, source, created_at
    FROM opt_out
    WHERE workspace_pk = ${workspacePk}
      AND phone_hash = ${hash}`);
}

export async function deleteRow(tx: Connection, workspacePk: number, id: string): Promise<boolean> {
  // Answered by opt_out_id_key.
  return await tx.any(sql`
    DELETE FROM opt_out
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
    RETURNING 1`);
}

/** Keeps the hash. */
export async function eraseRow(tx: Connection, workspacePk: number, hash: Buffer): Promise<void> {
  // Answered by opt_out_phone.
  await tx.query(sql`
    UPDATE opt_out
    SET sealed = NULL, key_version = NULL
    WHERE workspace_pk = ${workspacePk}
      AND phone_hash = ${hash}`);
}
