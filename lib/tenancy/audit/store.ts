/** SQL, because it is a search, and names come from many tables. */
import { parseId, presentId } from "#lib/basics/ids";
import { query, SqlValues } from "#lib/platform/postgres";
import type { PresentedAuditEntry } from "./schema.ts";

export interface AuditFilter {
  action?: string | undefined;
  actor?: string | undefined;
  subject?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  size: number;
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
}

interface AuditRow {
  id: string;
  at: Date;
  actor: string;
  name: string | null;
  action: string;
  subject: string | null;
  address: string | null;
  agent: string | null;
  details: Record<string, unknown> | null;
}

export async function findAuditEntries(
  workspacePk: number,
  filter: AuditFilter,
): Promise<PresentedAuditEntry[]> {
  const { list: values, place } = new SqlValues();
  // defence: audit-of-workspace
  const where = [`audit.workspace_pk = ${place(workspacePk)}`];
  const add = (expression: string, value: unknown, type?: string) => {
    if (value !== undefined) where.push(`${expression} ${place(value, type)}`);
  };
  const { action, startingAfter, endingBefore } = filter;
  const backwards = endingBefore !== undefined && startingAfter === undefined;
  if (action?.endsWith(".*")) add("audit.action ^@", action.slice(0, -1));
  else add("audit.action =", action);
  add("audit.actor =", filter.actor);
  add("audit.subject =", filter.subject);
  add("audit.at >=", filter.since);
  add("audit.at <", filter.until);
  if (backwards) add("audit.id >", endingBefore, "uuid");
  else add("audit.id <", startingAfter, "uuid");
  const rows = await query<AuditRow>({
    // Uses audit_workspace_pk_id_idx or audit_workspace_pk_subject_id_idx; unique ids.
    text: `
      SELECT
        audit.id,
        audit.at,
        audit.actor,
        coalesce(api_key.name, app_user.name) AS name,
        audit.action,
        audit.subject,
        audit.address,
        audit.agent,
        audit.details
      FROM audit
      LEFT JOIN api_key ON api_key.id = audit.actor AND api_key.workspace_pk = audit.workspace_pk
      LEFT JOIN app_user ON app_user.id = audit.actor
      WHERE ${where.join("\n        AND ")}
      ORDER BY audit.id ${backwards ? "ASC" : "DESC"}
      LIMIT ${place(filter.size)}`,
    values,
  });
  const subjects = rows.flatMap(({ subject }) => (subject === null ? [] : [subject]));
  const names = await findNames(workspacePk, subjects);
  return (backwards ? rows.reverse() : rows).map((row) => presentEntry(row, names));
}

export async function findNames(
  workspacePk: number,
  mentioned: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(mentioned)];
  if (ids.length === 0) return new Map();
  const links = new Map(
    ids.flatMap((id) => {
      const uuid = parseId("link", id);
      return uuid === undefined ? [] : [[uuid, id] as const];
    }),
  );
  const named = await query<{ id: string; name: string }>({
    // Uses the unique ids of each table, and link_workspace for links.
    // defence: audit-names-of-workspace
    text: `
      SELECT id, name FROM tag WHERE id = ANY($1::text[]) AND workspace_pk = $2
      UNION ALL
      SELECT id, name FROM folder WHERE id = ANY($1::text[]) AND workspace_pk = $2
      UNION ALL
      SELECT id, name FROM api_key WHERE id = ANY($1::text[]) AND workspace_pk = $2
      UNION ALL
      SELECT id, slug FROM domain WHERE id = ANY($1::text[]) AND workspace_pk = $2
      UNION ALL
      SELECT id, name FROM workspace WHERE id = ANY($1::text[]) AND pk = $2
      UNION ALL
      SELECT id, name FROM qr_template WHERE id = ANY($1::text[]) AND workspace_pk = $2
      UNION ALL
      SELECT id, name FROM utm_template WHERE id = ANY($1::text[]) AND workspace_pk = $2
      UNION ALL
      SELECT id, name FROM app_user WHERE id = ANY($1::text[])
      UNION ALL
      SELECT link.id::text, domain.slug || '/' || link.key
      FROM link
      JOIN domain ON domain.pk = link.domain_pk
      WHERE link.id = ANY($3::uuid[])
        AND link.workspace_pk = $2`,
    values: [ids, workspacePk, [...links.keys()]],
  });
  return new Map(named.map(({ id, name }) => [links.get(id) ?? id, name]));
}

function presentEntry(row: AuditRow, names: ReadonlyMap<string, string>): PresentedAuditEntry {
  const { id, at, actor, name, action, subject, address, agent, details } = row;
  return {
    id: presentId("aud", id),
    at: at.toISOString(),
    actor: { id: actor, name, type: typeOf(actor) },
    action,
    subject,
    subjectName: subject === null ? null : (names.get(subject) ?? null),
    address,
    agent,
    details,
  };
}

function typeOf(actor: string): PresentedAuditEntry["actor"]["type"] {
  if (actor.startsWith("key_")) return "api_key";
  return actor === "system" ? "system" : "user";
}
