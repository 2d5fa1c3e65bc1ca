/** The SQL of forms. Every query has the workspace in its WHERE clause. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import { type FormContent, isPersonal } from "./schema.ts";

export interface FormRow {
  pk: number;
  id: string;
  name: string;
  published: boolean;
  version: number;
  content: FormContent;
  created_at: Date;
  updated_at: Date;
}

export async function countRows(tx: Connection, workspacePk: number): Promise<number> {
  const [row] = await query<{ count: number }>(
    // Answered by form_name.
    sql`
      SELECT count(*) AS count
      FROM form
      WHERE workspace_pk = ${workspacePk}
        AND deleted_at IS NULL`,
    tx,
  );
  return row?.count ?? 0;
}

/** By name. */
export async function listRows(workspacePk: number): Promise<FormRow[]> {
  return await query<FormRow>(
    // Answered by form_name.
    sql`
      SELECT pk, id, name, published, version, content, created_at, updated_at
      FROM form
      WHERE workspace_pk = ${workspacePk}
        AND deleted_at IS NULL
      ORDER BY name`,
  );
}

export async function findRow(
  workspacePk: number,
  id: string,
  tx?: Connection,
): Promise<FormRow | undefined> {
  const [row] = await query<FormRow>(
    // Answered by form_id_key.
    sql`
      SELECT pk, id, name, published, version, content, created_at, updated_at
      FROM form
      WHERE id = ${id}
        AND workspace_pk = ${workspacePk}
        AND deleted_at IS NULL`,
    tx,
  );
  return row;
}

export interface FormFields {
  name: string;
  published: boolean;
  content: FormContent;
}

/** Undefined: the workspace has a form of this name. */
export async function insertRow(
  tx: Connection,
  { id, workspacePk, revision }: { id: string; workspacePk: number; revision: number },
  { name, published, content }: FormFields,
): Promise<FormRow | undefined> {
  const [row] = await query<FormRow>(
    sql`
      INSERT INTO form (id, workspace_pk, revision, name, published, version, content, personal)
      VALUES (${id}, ${workspacePk}, ${revision}, ${name}, ${published}, 1, ${JSON.stringify(content)}::jsonb, ${isPersonal(content)})
      ON CONFLICT (workspace_pk, name) WHERE deleted_at IS NULL DO NOTHING
      RETURNING pk, id, name, published, version, content, created_at, updated_at`,
    tx,
  );
  return row;
}

export async function updateRow(
  tx: Connection,
  { pk, revision, version }: { pk: number; revision: number; version: number },
  { name, published, content }: FormFields,
): Promise<FormRow | undefined> {
  const [row] = await query<FormRow>(
    // Answered by form_pkey.
    sql`
      UPDATE form
      SET revision = ${revision},
        name = ${name},
        published = ${published},
        version = ${version},
        content = ${JSON.stringify(content)}::jsonb,
        personal = ${isPersonal(content)},
        updated_at = now()
      WHERE pk = ${pk}
      RETURNING pk, id, name, published, version, content, created_at, updated_at`,
    tx,
  );
  return row;
}

/** Keeps what the form says now: answers name it by this version. */
export async function insertVersion(
  tx: Connection,
  { pk, version, content }: Pick<FormRow, "pk" | "version" | "content">,
): Promise<void> {
  await query(
    sql`
      INSERT INTO form_version (form_pk, version, content)
      VALUES (${pk}, ${version}, ${JSON.stringify(content)}::jsonb)`,
    tx,
  );
}

export async function markDeleted(tx: Connection, pk: number, revision: number): Promise<void> {
  await query(
    // Answered by form_pkey.
    sql`
      UPDATE form
      SET revision = ${revision},
        published = false,
        deleted_at = now()
      WHERE pk = ${pk}`,
    tx,
  );
}

/** Answered by form_name. */
export async function isNameTaken(
  tx: Connection,
  workspacePk: number,
  name: string,
): Promise<boolean> {
  const rows = await query(
    sql`
      SELECT 1
      FROM form
      WHERE workspace_pk = ${workspacePk}
        AND name = ${name}
        AND deleted_at IS NULL`,
    tx,
  );
  return rows.length > 0;
}

/** Whether a link of the workspace shows this form. */
export async function isInUse(tx: Connection, id: string): Promise<boolean> {
  const rows = await query(
    // Answered by link_form.
    sql`SELECT 1 FROM link WHERE form_id = ${id} LIMIT 1`,
    tx,
  );
  return rows.length > 0;
}

/** Those of these ids that are forms of the workspace. Answered by form_id_key. */
export async function findIds(workspacePk: number, ids: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    sql`
      SELECT id
      FROM form
      WHERE id = ANY(${ids}::text[])
        AND workspace_pk = ${workspacePk}
        AND deleted_at IS NULL`,
  );
  return new Set(rows.map(({ id }) => id));
}
