/** Reading the audit. */
import { presentId } from "#lib/ids";
import { query } from "#lib/postgres";
import type { AuditEntry } from "./schema.ts";

export interface DeedFilter {
  action?: string | undefined;
  actor?: string | undefined;
  subject?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  size: number;
  /** Uuids of entries. */
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
}

interface DeedRow {
  id: string;
  at: Date;
  actor: string;
  name: string | null;
  action: string;
  subject: string | null;
  details: Record<string, unknown> | null;
}

/** Entries of a workspace, the newest first. */
export async function findDeeds(workspacePk: number, filter: DeedFilter): Promise<AuditEntry[]> {
  const values: unknown[] = [workspacePk];
  const where = ["audit.workspace_pk = $1"];
  const add = (condition: string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    where.push(condition.replace("$", `$${values.length}`));
  };
  const { action, startingAfter, endingBefore } = filter;
  const backwards = endingBefore !== undefined && startingAfter === undefined;
  if (action?.endsWith(".*")) add("starts_with(audit.action, $)", action.slice(0, -1));
  else add("audit.action = $", action);
  add("audit.actor = $", filter.actor);
  add("audit.subject = $", filter.subject);
  add("audit.at >= $", filter.since);
  add("audit.at < $", filter.until);
  if (backwards) add("audit.id > $::uuid", endingBefore);
  else add("audit.id < $::uuid", startingAfter);
  values.push(filter.size);
  const rows = await query<DeedRow>({
    // Answered by audit_workspace_pk_id_idx, with a subject by audit_workspace_pk_subject_id_idx; names by unique ids.
    text: `
      SELECT
        audit.id,
        audit.at,
        audit.actor,
        coalesce(api_key.name, app_user.name) AS name,
        audit.action,
        audit.subject,
        audit.details
      FROM audit
      LEFT JOIN api_key ON api_key.id = audit.actor AND api_key.workspace_pk = audit.workspace_pk
      LEFT JOIN app_user ON app_user.id = audit.actor
      WHERE ${where.join("\n        AND ")}
      ORDER BY audit.id ${backwards ? "ASC" : "DESC"}
      LIMIT $${values.length}`,
    values,
  });
  return (backwards ? rows.reverse() : rows).map(presentDeed);
}

function presentDeed({ id, at, actor, name, action, subject, details }: DeedRow): AuditEntry {
  return {
    id: presentId("aud", id),
    at: at.toISOString(),
    actor: { id: actor, name, type: typeOf(actor) },
    action,
    subject,
    details,
  };
}

function typeOf(actor: string): AuditEntry["actor"]["type"] {
  if (actor.startsWith("key_")) return "api_key";
  return actor === "system" ? "system" : "user";
}
