/** Statements of the worker: progress and undoing. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { SourceRow } from "./store.ts";

export type RowRefusal = [line: number, messageId: string, code: string, message: string];

export interface Chunk {
  firstRow: number;
  refusals: RowRefusal[];
}

export interface Progress {
  position: number;
  done: number;
  added: number;
  refused: number;
}

/** Stores the progress and refusals; repeating it changes nothing. The source must be locked. */
export async function recordProgress(
  tx: Connection,
  pk: number,
  { position, done, added, refused }: Progress,
  chunks: readonly Chunk[],
): Promise<void> {
  await tx.query(sql`
    UPDATE recipient_source
    SET position = ${position}, done = ${done}, added = ${added}, refused = ${refused},
      seen_at = now()
    WHERE pk = ${pk}`);
  if (chunks.length === 0) return;
  // Answered by recipient_source_chunk_pkey.
  await tx.query(sql`
    INSERT INTO recipient_source_chunk (source_pk, first_row, refusals)
    SELECT ${pk}, given.first_row, given.refusals
    FROM unnest(
      ${chunks.map(({ firstRow }) => firstRow)}::int[],
      ${chunks.map(({ refusals }) => JSON.stringify(refusals))}::jsonb[]
    ) AS given (first_row, refusals)
    ON CONFLICT (source_pk, first_row) DO NOTHING`);
}

export async function findChunk(pk: number, after: number): Promise<Chunk | undefined> {
  // Answered by recipient_source_chunk_pkey.
  return await query.one<Chunk>(sql`
    SELECT first_row AS "firstRow", refusals
    FROM recipient_source_chunk
    WHERE source_pk = ${pk}
      AND first_row > ${after}
    ORDER BY first_row
    LIMIT 1`);
}

export async function listAdded(
  { pk, campaign_pk: campaignPk }: SourceRow,
  limit: number,
): Promise<{ position: number; link_id: string | null }[]> {
  // Answered by campaign_recipient_pkey: all rows of the campaign.
  return await query(sql`
    SELECT position, link_id
    FROM campaign_recipient
    WHERE campaign_pk = ${campaignPk}
      AND source_pk = ${pk}
    ORDER BY position
    LIMIT ${limit}`);
}

export async function deleteAdded(
  tx: Connection,
  { campaign_pk: campaignPk }: SourceRow,
  positions: readonly number[],
): Promise<void> {
  // Answered by campaign_recipient_pkey.
  const rows = await tx.query<{ state: string }>(sql`
    DELETE FROM campaign_recipient
    WHERE campaign_pk = ${campaignPk}
      AND position = ANY(${positions}::int[])
    RETURNING state`);
  const ready = rows.filter(({ state }) => state === "ready").length;
  await tx.query(sql`
    UPDATE campaign
    SET recipients = recipients - ${ready}, refused = refused - ${rows.length - ready}
    WHERE pk = ${campaignPk}`);
}

/** Also deletes sources of campaigns whose data is erased. */
export async function deleteExpired(days: number): Promise<void> {
  await query(sql`
    DELETE FROM recipient_source
    USING campaign
    WHERE campaign.pk = recipient_source.campaign_pk
      AND recipient_source.state NOT IN ('waiting', 'running', 'undoing')
      AND (
        coalesce(recipient_source.finished_at, recipient_source.created_at)
          < now() - ${days} * interval '1 day'
        OR campaign.erasing_at IS NOT NULL
        OR campaign.deleted_at IS NOT NULL
      )`);
}

export async function listNeeded(ids: readonly string[]): Promise<string[]> {
  // Answered by recipient_source_id_key.
  const rows = await query<{ id: string }>(sql`
    SELECT id
    FROM recipient_source
    WHERE id = ANY(${ids}::text[])
      AND (finished_at IS NULL OR (refused > 0 AND state IN ('done', 'failed')))`);
  return rows.map(({ id }) => id);
}
