/**
 * Counted entries about what strangers can repeat at will, so that they cannot fill the database:
 * one per network, kind and quarter hour. Only the latest ones are kept.
 */
import { firstUuidAt, newUuid } from "#lib/basics/ids";
import { addressSubject } from "#lib/platform/limits";
import { type Connection, sql } from "#lib/platform/postgres";
import type { RequestOrigin } from "./origins.ts";
import type { AuditAction } from "./schema.ts";

/** Per quarter hour, a subject gets up to `entriesMax` entries, and one more that counts all other networks. */
export const repeatedLimits = { minutes: 15, entriesMax: 10, entriesKept: 500 };

export interface RepeatedEntry {
  action: AuditAction;
  /** The account. It is also recorded as the actor, because nobody knows who it was. */
  subject: string;
  kind: string;
  origin: RequestOrigin;
}

interface CountedRow {
  pk: number;
  address: string | null;
  kind: string;
}

export async function recordRepeated(
  tx: Connection,
  { action, subject, kind, origin }: RepeatedEntry,
  now = Date.now(),
): Promise<void> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`audit ${subject}`}, 0))`);
  // Ids contain their time. Uses audit_workspace_pk_subject_id_idx.
  const rows = await tx.query<CountedRow>(sql`
    SELECT pk, address, details->>'kind' AS kind
    FROM audit
    WHERE workspace_pk IS NULL
      AND subject = ${subject}
      AND id >= ${firstIdOf(now)}::uuid
      AND action = ${action}`);
  const network = addressSubject(origin.address) || null;
  const known = rows.find((row) => row.address === network && row.kind === kind);
  // defence: failure-entries-per-quarter-hour
  const isFull = rows.length >= repeatedLimits.entriesMax;
  const counted = known ?? (isFull ? rows.find((row) => row.kind === "others") : undefined);
  if (counted) {
    await tx.query(sql`
      UPDATE audit
      SET details = jsonb_set(details, '{count}', to_jsonb((details->>'count')::int + 1))
      WHERE pk = ${counted.pk}`);
    return;
  }
  const details = JSON.stringify({ kind: isFull ? "others" : kind, count: 1 });
  const address = isFull ? null : network;
  await tx.query(sql`
    INSERT INTO audit (id, workspace_pk, actor, action, subject, details, address, agent)
    VALUES (${newUuid()}::uuid, NULL, ${subject}, ${action}, ${subject}, ${details}::jsonb,
      ${address}, ${isFull ? null : origin.agent || null})`);
  // defence: failure-entries-in-all
  await dropOld(tx, subject, action);
}

async function dropOld(tx: Connection, subject: string, action: AuditAction): Promise<void> {
  // Uses audit_workspace_pk_subject_id_idx and audit_pkey.
  await tx.query(sql`
    DELETE FROM audit
    WHERE pk = ANY(ARRAY(
      SELECT pk
      FROM audit
      WHERE workspace_pk IS NULL
        AND subject = ${subject}
        AND action = ${action}
      ORDER BY id DESC
      OFFSET ${repeatedLimits.entriesKept}))`);
}

function firstIdOf(now: number): string {
  const quarterMs = repeatedLimits.minutes * 60_000;
  return firstUuidAt(Math.floor(now / quarterMs) * quarterMs);
}
