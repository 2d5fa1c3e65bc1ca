/**
 * The audit log: who did what, when, to which object. Written in the transaction of the change, so neither exists
 * without the other.
 *
 * An entry stores its actor by id: the name of a person or key is looked up when it is read. It has the address and the
 * user agent of the request (origins.ts), no secrets, and for a change the old and new value of each field.
 */
import { newUuid } from "#lib/basics/ids";
import { type Connection, sql } from "#lib/platform/postgres";
import { currentOrigin, type RequestOrigin } from "./origins.ts";
import type { AuditAction } from "./schema.ts";

export { exportAudit, listAudit, nameMentioned } from "./listing.ts";
export { currentOrigin, type RequestOrigin, withOrigin } from "./origins.ts";
export {
  recordRepeated,
  repeatedEntriesKept,
  repeatedEntriesMax,
  repeatedMinutes,
} from "./repeated.ts";
export { type AuditFilter, findAuditEntries } from "./store.ts";

export interface AuditEntry {
  workspacePk: number | null;
  /** `user_…`, `key_…` or `system` */
  actor: string;
  action: AuditAction;
  /** Id of the changed object. */
  subject?: string;
  details?: Record<string, unknown>;
  /** Omitted: that of the current request. For entries written together with those of other requests. */
  origin?: RequestOrigin | undefined;
}

/** Writes audit entries in a transaction. */
export async function recordAudit(tx: Connection, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const column = <T>(read: (entry: AuditEntry) => T) => entries.map(read);
  const current = currentOrigin();
  const originOf = (entry: AuditEntry) => ("origin" in entry ? entry.origin : current);
  await tx.query(sql`
    INSERT INTO audit (id, workspace_pk, actor, action, subject, details, address, agent)
    SELECT *
    FROM unnest(
      ${column(newUuid)}::uuid[],
      ${column((entry) => entry.workspacePk)}::int[],
      ${column((entry) => entry.actor)}::text[],
      ${column((entry) => entry.action)}::text[],
      ${column((entry) => entry.subject ?? null)}::text[],
      ${column((entry) => (entry.details ? JSON.stringify(entry.details) : null))}::jsonb[],
      ${column((entry) => originOf(entry)?.address || null)}::text[],
      ${column((entry) => originOf(entry)?.agent || null)}::text[]
    )`);
}

/** The details of a change: each field that differs, with both values. */
export function changesOf(before: object, after: object): Record<string, unknown> {
  const old = new Map<string, unknown>(Object.entries(before));
  const differing = Object.entries(after).filter(
    ([field, to]) => JSON.stringify(old.get(field)) !== JSON.stringify(to),
  );
  return Object.fromEntries(differing.map(([field, to]) => [field, { from: old.get(field), to }]));
}
