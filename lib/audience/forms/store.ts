import { type Connection, query, sql } from "#lib/platform/postgres";
import { type FormContent, isPersonal } from "./schema.ts";

export interface FormRow {
  pk: number;
  id: string;
  name: string;
  published: boolean;
  version: number;
  content: FormContent;
  gateway_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/** The gateway by its public id. Answered by sms_gateway_pkey. */
const columns = `pk, id, name, published, version, content, created_at, updated_at,
  (SELECT sms_gateway.id FROM sms_gateway WHERE sms_gateway.pk = form.gateway_pk) AS gateway_id`;

export async function countRows(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by form_name.
  const [row] = await tx.query<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM form
    WHERE workspace_pk = ${workspacePk}
      AND deleted_at IS NULL`);
  return row?.count ?? 0;
}

export function listRows(workspacePk: number) {
  return query<FormRow>({
    // Answered by form_name.
    text: `
      SELECT ${columns}
      FROM form
      WHERE workspace_pk = $1
        AND deleted_at IS NULL
      ORDER BY name`,
    values: [workspacePk],
  });
}

export function findRow(workspacePk: number, id: string, tx?: Connection) {
  return query.on(tx).one<FormRow>({
    // Answered by form_id_key.
    text: `
      SELECT ${columns}
      FROM form
      WHERE id = $1
        AND workspace_pk = $2
        AND deleted_at IS NULL`,
    values: [id, workspacePk],
  });
}

export interface FormFields {
  name: string;
  published: boolean;
  content: FormContent;
  gatewayId: string | null;
}

/** Prevents the deletion of the gateway until the commit. Undefined: it does not exist. */
export async function holdGateway(tx: Connection, workspacePk: number, id: string) {
  // Answered by sms_gateway_id_key.
  // defence: form-gateway-of-workspace
  const [row] = await tx.query<{ pk: number }>(sql`
    SELECT pk
    FROM sms_gateway
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
    FOR KEY SHARE`);
  return row?.pk;
}

type StoredFields = Omit<FormFields, "gatewayId"> & { gatewayPk: number | null };

/** Undefined if the workspace has a form with this name. */
export function insertRow(
  tx: Connection,
  { id, workspacePk, revision }: { id: string; workspacePk: number; revision: number },
  { name, published, content, gatewayPk }: StoredFields,
) {
  return tx.one<FormRow>({
    text: `
      INSERT INTO form (id, workspace_pk, revision, name, published, version, content, personal, gateway_pk)
      VALUES ($1, $2, $3, $4, $5, 1, $6::jsonb, $7, $8)
      ON CONFLICT (workspace_pk, name) WHERE deleted_at IS NULL DO NOTHING
      RETURNING ${columns}`,
    values: [
      ...[id, workspacePk, revision, name, published],
      ...[JSON.stringify(content), isPersonal(content), gatewayPk],
    ],
  });
}

export function updateRow(
  tx: Connection,
  { pk, revision, version }: { pk: number; revision: number; version: number },
  { name, published, content, gatewayPk }: StoredFields,
) {
  return tx.one<FormRow>({
    // Answered by form_pkey.
    text: `
      UPDATE form
      SET revision = $2,
        name = $3,
        published = $4,
        version = $5,
        content = $6::jsonb,
        personal = $7,
        gateway_pk = $8,
        updated_at = now()
      WHERE pk = $1
      RETURNING ${columns}`,
    values: [
      ...[pk, revision, name, published, version],
      ...[JSON.stringify(content), isPersonal(content), gatewayPk],
    ],
  });
}

/** Keeps the current content, to which answers refer by version. */
export async function insertVersion(
  tx: Connection,
  { pk, version, content }: Pick<FormRow, "pk" | "version" | "content">,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO form_version (form_pk, version, content)
    VALUES (${pk}, ${version}, ${JSON.stringify(content)}::jsonb)`);
}

export async function markDeleted(tx: Connection, pk: number, revision: number): Promise<void> {
  // Answered by form_pkey.
  await tx.query(sql`
    UPDATE form
    SET revision = ${revision},
      published = false,
      gateway_pk = NULL,
      deleted_at = now()
    WHERE pk = ${pk}`);
}

/** Answered by form_name. */
export async function isNameTaken(tx: Connection, workspacePk: number, name: string) {
  return await tx.any(sql`
    SELECT 1
    FROM form
    WHERE workspace_pk = ${workspacePk}
      AND name = ${name}
      AND deleted_at IS NULL`);
}

export async function isInUse(tx: Connection, id: string): Promise<boolean> {
  // Answered by link_form.
  return await tx.any(sql`SELECT 1 FROM link WHERE form_id = ${id} LIMIT 1`);
}

/** Returns the form’s name if owners may be notified again about failing codes. Answered by form_id_key. */
export async function takeFailureNews(
  tx: Connection,
  { workspacePk, id }: { workspacePk: number; id: string },
  hours: number,
): Promise<string | undefined> {
  const [form] = await tx.query<{ name: string }>(sql`
    UPDATE form
    SET code_failure_told_at = now()
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
      AND deleted_at IS NULL
      AND (
        code_failure_told_at IS NULL
        OR code_failure_told_at < now() - ${hours} * interval '1 hour'
      )
    RETURNING name`);
  return form?.name;
}
