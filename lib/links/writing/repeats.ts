/**
 * Calls that are sent again. A sender who heard no answer repeats the call with the same Idempotency-Key; what the first
 * one made is answered, and nothing is made twice.
 *
 * A record is written in the transaction of the link it stands for, so neither exists without the other. It keeps the
 * identity that the link was given: a repeated call prepares the same bodies with these identities and therefore
 * answers the same words, also when the link has been changed or deleted meanwhile. A link that was refused leaves no
 * record; it is tried anew.
 */
import { createHash } from "node:crypto";
import { uuidTime } from "#lib/platform/ids";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { Draft, Repeat, Written } from "./drafts.ts";

const keptHours = 24;
const forgottenMax = 10_000;

interface Record {
  workspace_pk: number;
  digest: string;
  part: number;
  request: string;
  link_pk: number;
  link_id: string;
  key: string;
}

/** 128 bits of SHA-256, as the uuid that the table keeps. */
export function digestOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function nameOf(workspacePk: number, { digest, part }: Pick<Repeat, "digest" | "part">): string {
  return `${workspacePk} ${digest.replaceAll("-", "")} ${part}`;
}

/**
 * Records the drafts of marked calls. Those that an earlier call made get its identity and are answered. Two calls at
 * once are settled by the primary key: the second waits here until the first is committed.
 */
export async function claimRepeats(
  tx: Connection,
  drafts: readonly Draft[],
): Promise<Map<Draft, Written>> {
  const answered = new Map<Draft, Written>();
  const marked = drafts.flatMap((draft) => (draft.repeat ? [{ draft, repeat: draft.repeat }] : []));
  if (marked.length === 0) return answered;
  await insertRecords(tx, marked);
  const recordOf = await findRecords(tx, marked);
  for (const { draft, repeat } of marked) {
    const record = recordOf.get(nameOf(draft.row.workspace_pk, repeat));
    if (!record || record.link_pk === draft.row.pk) continue;
    answered.set(draft, answerAgain(draft, repeat, record));
  }
  return answered;
}

function answerAgain({ row }: Draft, repeat: Repeat, record: Record): Written {
  if (record.request.replaceAll("-", "") !== repeat.request) {
    return { ok: false, code: "repeat_differs" };
  }
  const created = new Date(uuidTime(record.link_id));
  const identity = { pk: record.link_pk, id: record.link_id, key: record.key };
  const made = { ...row, ...identity, created_at: created, updated_at: created };
  return { ok: true, row: made, isNew: false };
}

interface Marked {
  draft: Draft;
  repeat: Repeat;
}

async function insertRecords(tx: Connection, marked: readonly Marked[]): Promise<void> {
  await query(
    // Sorted, so that two batches never wait for each other in a circle.
    sql`
      INSERT INTO link_repeat (workspace_pk, digest, part, request, link_pk, link_id, key)
      SELECT *
      FROM unnest(
        ${marked.map(({ draft }) => draft.row.workspace_pk)}::int[],
        ${marked.map(({ repeat }) => repeat.digest)}::uuid[],
        ${marked.map(({ repeat }) => repeat.part)}::int[],
        ${marked.map(({ repeat }) => repeat.request)}::uuid[],
        ${marked.map(({ draft }) => draft.row.pk)}::bigint[],
        ${marked.map(({ draft }) => draft.row.id)}::uuid[],
        ${marked.map(({ draft }) => draft.row.key)}::text[]
      ) AS new (workspace_pk, digest, part, request, link_pk, link_id, key)
      ORDER BY workspace_pk, digest, part
      ON CONFLICT (workspace_pk, digest, part) DO NOTHING`,
    tx,
  );
}

async function findRecords(
  tx: Connection,
  marked: readonly Marked[],
): Promise<Map<string, Record>> {
  const records = await query<Record>(
    // Answered by link_repeat_pkey.
    sql`
      SELECT workspace_pk, digest, part, request, link_pk, link_id, key
      FROM link_repeat
      JOIN unnest(
        ${marked.map(({ draft }) => draft.row.workspace_pk)}::int[],
        ${marked.map(({ repeat }) => repeat.digest)}::uuid[],
        ${marked.map(({ repeat }) => repeat.part)}::int[]
      ) AS asked (workspace_pk, digest, part)
      USING (workspace_pk, digest, part)`,
    tx,
  );
  return new Map(records.map((record) => [nameOf(record.workspace_pk, record), record]));
}

/** Takes back the records of drafts that were refused after all. */
export async function forgetRepeats(tx: Connection, drafts: readonly Draft[]): Promise<void> {
  const marked = drafts.flatMap((draft) => (draft.repeat ? [draft] : []));
  if (marked.length === 0) return;
  await query(
    // Answered by link_repeat_pkey.
    sql`
      DELETE FROM link_repeat
      USING unnest(
        ${marked.map(({ row }) => row.workspace_pk)}::int[],
        ${marked.map(({ repeat }) => repeat?.digest)}::uuid[],
        ${marked.map(({ repeat }) => repeat?.part)}::int[],
        ${marked.map(({ row }) => row.pk)}::bigint[]
      ) AS refused (workspace_pk, digest, part, link_pk)
      WHERE link_repeat.workspace_pk = refused.workspace_pk
        AND link_repeat.digest = refused.digest
        AND link_repeat.part = refused.part
        AND link_repeat.link_pk = refused.link_pk`,
    tx,
  );
}

/** Removes records that are older than anyone repeats a call. Returns how many. */
export async function sweepRepeats(): Promise<number> {
  const swept = await query<{ part: number }>(
    // Answered by link_repeat_created.
    sql`
      DELETE FROM link_repeat
      WHERE ctid = ANY(ARRAY(
        SELECT ctid
        FROM link_repeat
        WHERE created_at < now() - ${keptHours} * interval '1 hour'
        LIMIT ${forgottenMax}
      ))
      RETURNING part`,
  );
  return swept.length;
}
