/**
 * Who did what, and when, written in the transaction of the change. An entry has ids (names are
 * looked up), address and user agent, no secrets, and both values of each changed field.
 */
import { newUuid } from "#lib/basics/ids";
import { type Connection, sql } from "#lib/platform/postgres";
import { currentOrigin, type RequestOrigin } from "./origins.ts";
import type { AuditAction } from "./schema.ts";

export { exportAudit, listAudit, nameMentioned } from "./listing.ts";
export { currentOrigin, type RequestOrigin, withOrigin } from "./origins.ts";
export {
  recordRepeated,
  repeatedLimits,
} from "./repeated.ts";
export { type AuditFilter, findAuditEntries } from "./store.ts";

export interface AuditEntry {
  workspacePk: number | null;
  actor: string;
  action: AuditAction;
  subject?: string;
  details?: Record<string, unknown>;
  /** Defaults to the current request's. */
  origin?: RequestOrigin | undefined;
}

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

export function auditEntryOf(
  { workspacePk, actor }: { workspacePk: number; actor: string },
  action: AuditAction,
  subject: string,
  details: Record<string, unknown> = {},
): AuditEntry {
  return { workspacePk, actor, action, subject, details };
}

export function changesOf(before: object, after: object): Record<string, unknown> {
  const old = new Map<string, unknown>(Object.entries(before));
  const differing = Object.entries(after).filter(
    ([field, to]) => JSON.stringify(old.get(field)) !== JSON.stringify(to),
  );
  return Object.fromEntries(differing.map(([field, to]) => [field, { from: old.get(field), to }]));
}
