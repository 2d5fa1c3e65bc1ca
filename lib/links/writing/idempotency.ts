/**
 * Idempotent calls. A client without an answer repeats its call with the same Idempotency-Key and
 * gets the result of the first call.
 *
 * A record is written in the transaction of its link, so neither exists without the other. It
 * stores the identity of the link: a repeated call prepares the same bodies with these identities
 * and returns the same answer, even if the link was edited or deleted meanwhile. A refused link
 * leaves no record and is tried again.
 */
import { createHash } from "node:crypto";
import { uuidTime } from "#lib/basics/ids";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { Draft, IdempotentCall, WriteOutcome } from "./drafts.ts";

const keptHours = 24;
const deletedMax = 10_000;

interface RepeatRow {
  workspace_pk: number;
  digest: string;
  part: number;
  request: string;
  link_pk: number;
  link_id: string;
  key: string;
}

/** 128 bits of SHA-256, as the UUID of the table. */
export function digestOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

function nameOf(workspacePk: number, { digest, part }: Pick<IdempotentCall, "digest" | "part">) {
  return `${workspacePk} ${digest.replaceAll("-", "")} ${part}`;
}

/**
 * Records the drafts of idempotent calls. Drafts that an earlier call created get its identity and
 * are returned. The primary key serializes concurrent calls: the second waits here until the first
 * commits.
 */
export async function claimRepeats(tx: Connection, drafts: readonly Draft[]) {
  const answered = new Map<Draft, WriteOutcome>();
  const marked = drafts.flatMap((draft) => (draft.repeat ? [{ draft, repeat: draft.repeat }] : []));
  if (marked.length === 0) return answered;
  await insertRows(tx, marked);
  const recordOf = await findRows(tx, marked);
  for (const { draft, repeat } of marked) {
    const record = recordOf.get(nameOf(draft.row.workspace_pk, repeat));
    if (!record || record.link_pk === draft.row.pk) continue;
    answered.set(draft, repeatOutcome(draft, repeat, record));
  }
  return answered;
}

function repeatOutcome({ row }: Draft, repeat: IdempotentCall, record: RepeatRow): WriteOutcome {
  if (record.request.replaceAll("-", "") !== repeat.request) {
    return { ok: false, code: "repeat_differs" };
  }
  const created = new Date(uuidTime(record.link_id));
  const identity = { pk: record.link_pk, id: record.link_id, key: record.key };
  const stored = { ...row, ...identity, created_at: created, updated_at: created };
  return { ok: true, row: stored, isNew: false };
}

interface MarkedDraft {
  draft: Draft;
  repeat: IdempotentCall;
}

async function insertRows(tx: Connection, marked: readonly MarkedDraft[]): Promise<void> {
  // Sort, so that two batches cannot deadlock.
  await tx.query(sql`
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
    ON CONFLICT (workspace_pk, digest, part) DO NOTHING`);
}

async function findRows(tx: Connection, marked: readonly MarkedDraft[]) {
  // Answered by link_repeat_pkey.
  const records = await tx.query<RepeatRow>(sql`
    SELECT workspace_pk, digest, part, request, link_pk, link_id, key
    FROM link_repeat
    JOIN unnest(
      ${marked.map(({ draft }) => draft.row.workspace_pk)}::int[],
      ${marked.map(({ repeat }) => repeat.digest)}::uuid[],
      ${marked.map(({ repeat }) => repeat.part)}::int[]
    ) AS asked (workspace_pk, digest, part)
    USING (workspace_pk, digest, part)`);
  return new Map(records.map((record) => [nameOf(record.workspace_pk, record), record]));
}

/** Whether an earlier call with the same key had another body, and created links. */
export async function isOtherCall(
  workspacePk: number,
  { digest, request }: Omit<IdempotentCall, "part">,
): Promise<boolean> {
  // Answered by link_repeat_pkey. All rows of a call have the same request, so one is enough.
  const record = await query.one<{ request: string }>(sql`
    SELECT request
    FROM link_repeat
    WHERE workspace_pk = ${workspacePk}
      AND digest = ${digest}::uuid
    LIMIT 1`);
  return record !== undefined && record.request.replaceAll("-", "") !== request;
}

export async function dropRepeats(tx: Connection, drafts: readonly Draft[]): Promise<void> {
  const marked = drafts.flatMap((draft) => (draft.repeat ? [draft] : []));
  if (marked.length === 0) return;
  // Answered by link_repeat_pkey.
  await tx.query(sql`
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
      AND link_repeat.link_pk = refused.link_pk`);
}

export async function deleteExpiredRepeats(): Promise<number> {
  // Answered by link_repeat_created.
  const swept = await query<{ part: number }>(sql`
    DELETE FROM link_repeat
    WHERE ctid = ANY(ARRAY(
      SELECT ctid
      FROM link_repeat
      WHERE created_at < now() - ${keptHours} * interval '1 hour'
      LIMIT ${deletedMax}
    ))
    RETURNING part`);
  return swept.length;
}
