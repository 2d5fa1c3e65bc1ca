/** Who did what, when, to what. Written in the transaction of the change, so neither exists without the other. */
import { type Connection, query, sql } from "#lib/postgres";

export interface Deed {
  workspacePk: number | null;
  /** `user_…`, `key_…` or `system` */
  actor: string;
  /** `noun.verb` */
  action: string;
  /** Id of what it was done to. */
  subject?: string;
  details?: Record<string, unknown>;
}

/** Records deeds in a transaction. */
export async function recordDeeds(tx: Connection, deeds: readonly Deed[]): Promise<void> {
  if (deeds.length === 0) return;
  const column = <T>(read: (deed: Deed) => T) => deeds.map(read);
  await query(
    sql`
      INSERT INTO audit (workspace_pk, actor, action, subject, details)
      SELECT *
      FROM unnest(
        ${column((deed) => deed.workspacePk)}::int[],
        ${column((deed) => deed.actor)}::text[],
        ${column((deed) => deed.action)}::text[],
        ${column((deed) => deed.subject ?? null)}::text[],
        ${column((deed) => (deed.details ? JSON.stringify(deed.details) : null))}::jsonb[]
      )`,
    tx,
  );
}
