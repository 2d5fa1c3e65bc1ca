import { type Connection, query, sql } from "#lib/platform/postgres";
import type { UtmTemplate } from "./schema.ts";

export type UtmTemplateValues = Omit<
  UtmTemplate,
  "userId" | "workspaceId" | "projectId" | "createdAt" | "updatedAt"
>;

export interface UtmTemplateRow extends UtmTemplateValues {
  user_id: string | null;
  created_at: Date;
  updated_at: Date;
}

export async function countRows(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by utm_template_workspace_pk_name_key.
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM utm_template WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.count ?? 0;
}

export function listRows(workspacePk: number): Promise<UtmTemplateRow[]> {
  // Answered by utm_template_workspace_pk_name_key, which also has the order.
  return query<UtmTemplateRow>(sql`
    SELECT id, name, utm_source, utm_medium, utm_campaign, utm_term, utm_content, ref,
      user_id, created_at, updated_at
    FROM utm_template
    WHERE workspace_pk = ${workspacePk}
    ORDER BY name`);
}

/** Undefined if the workspace has a template of that name. */
export function insertRow(
  tx: Connection,
  workspacePk: number,
  userId: string | null,
  row: UtmTemplateValues,
) {
  return tx.one<UtmTemplateRow>(sql`
    INSERT INTO utm_template
      (id, workspace_pk, user_id, name, utm_source, utm_medium, utm_campaign, utm_term,
        utm_content, ref)
    VALUES (${row.id}, ${workspacePk}, ${userId}, ${row.name}, ${row.utm_source},
      ${row.utm_medium}, ${row.utm_campaign}, ${row.utm_term}, ${row.utm_content}, ${row.ref})
    ON CONFLICT (workspace_pk, name) DO NOTHING
    RETURNING id, name, utm_source, utm_medium, utm_campaign, utm_term, utm_content, ref,
      user_id, created_at, updated_at`);
}

export function lockRow(tx: Connection, workspacePk: number, id: string) {
  // Answered by utm_template_id_key.
  return tx.one<UtmTemplateValues>(sql`
    SELECT id, name, utm_source, utm_medium, utm_campaign, utm_term, utm_content, ref
    FROM utm_template
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
    FOR UPDATE`);
}

export function updateRow(tx: Connection, workspacePk: number, row: UtmTemplateValues) {
  return tx.one<UtmTemplateRow>(sql`
    UPDATE utm_template
    SET name = ${row.name},
      utm_source = ${row.utm_source},
      utm_medium = ${row.utm_medium},
      utm_campaign = ${row.utm_campaign},
      utm_term = ${row.utm_term},
      utm_content = ${row.utm_content},
      ref = ${row.ref},
      updated_at = now()
    WHERE id = ${row.id}
      AND workspace_pk = ${workspacePk}
    RETURNING id, name, utm_source, utm_medium, utm_campaign, utm_term, utm_content, ref,
      user_id, created_at, updated_at`);
}

export async function deleteRow(tx: Connection, workspacePk: number, id: string) {
  // Answered by utm_template_id_key.
  const [row] = await tx.query<{ name: string }>(sql`
    DELETE FROM utm_template
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
    RETURNING name`);
  return row?.name;
}

/** PostgreSQL’s code for a duplicate unique value. */
const uniqueViolation = "23505";

export function isNameTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === uniqueViolation;
}
