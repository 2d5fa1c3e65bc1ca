/** Templates of UTM parameters. Links keep their own copy: editing a template changes no link. */
import { newId, parseId } from "#lib/basics/ids";
import { AppError, assertRoom } from "#lib/platform/errors";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, recordAudit } from "#lib/tenancy/audit";
import { parametersOf } from "./parameters.ts";
import type { EditUtmTemplate, NewUtmTemplate, UtmTemplate } from "./schema.ts";

export { utmOf, variantsAfter, withEditedParameters, withParameters } from "./parameters.ts";

/** Per workspace: forms offer all templates in one menu. */
export const utmTemplatesMax = 200;

export async function listUtmTemplates(scope: WorkspaceScope): Promise<UtmTemplate[]> {
  assertMay(scope, "links.read");
  return (await listRows(scope.workspacePk)).map((row) => present(scope, row));
}

function present(
  { workspaceId }: WorkspaceScope,
  { user_id, created_at, updated_at, ...row }: UtmTemplateRow,
): UtmTemplate {
  return {
    ...row,
    userId: user_id,
    workspaceId,
    projectId: workspaceId,
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
  };
}

export async function createUtmTemplate(
  scope: WorkspaceScope,
  { name, ...given }: NewUtmTemplate,
): Promise<UtmTemplate> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  const values = { id: newId("utm"), name, ...noValues, ...presentValues(given) };
  return await transaction(async (tx) => {
    // One create at a time per workspace, so that the count is exact until the commit.
    await lockWorkspace(tx, workspacePk);
    assertRoom(await countRows(tx, workspacePk), utmTemplatesMax, "UTM templates");
    const row = await insertRow(tx, workspacePk, scope.userId, values);
    if (!row) throw nameTaken(name);
    const details = { name };
    await recordAudit(tx, [
      { workspacePk, actor, action: "utm-template.create", subject: row.id, details },
    ]);
    return present(scope, row);
  });
}

export async function changeUtmTemplate(
  scope: WorkspaceScope,
  id: string,
  edit: EditUtmTemplate,
): Promise<UtmTemplate> {
  assertMay(scope, "links.write");
  assertId(id);
  const { workspacePk, actor } = scope;
  return await transaction(async (tx) => {
    const before = await lockRow(tx, workspacePk, id);
    if (!before) throw missing(id);
    const after = { ...before, ...presentValues(edit) };
    const row = await updateRow(tx, workspacePk, after);
    if (!row) throw missing(id);
    const details = changesOf(before, after);
    await recordAudit(tx, [
      { workspacePk, actor, action: "utm-template.edit", subject: id, details },
    ]);
    return present(scope, row);
  }).catch((error: unknown) => {
    // The unique index on names decides between concurrent calls.
    throw isNameTaken(error) ? nameTaken(String(edit.name)) : error;
  });
}

export async function deleteUtmTemplate(
  scope: WorkspaceScope,
  id: string,
): Promise<{ id: string }> {
  assertMay(scope, "links.write");
  assertId(id);
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const name = await deleteRow(tx, workspacePk, id);
    if (name === undefined) throw missing(id);
    const details = { name };
    await recordAudit(tx, [
      { workspacePk, actor, action: "utm-template.delete", subject: id, details },
    ]);
  });
  return { id };
}

const noValues = parametersOf("");

function presentValues(body: EditUtmTemplate): Partial<UtmTemplateValues> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** An invalid id could contain characters that no column accepts. */
function assertId(id: string): void {
  if (parseId("utm", id) === undefined) throw missing(id);
}

function missing(id: string): AppError {
  return new AppError("not_found", `UTM template "${id}" not found in this workspace.`);
}

function nameTaken(name: string): AppError {
  const message = `name: A UTM template "${name}" already exists. Choose another name.`;
  return new AppError("conflict", message);
}

type UtmTemplateValues = Omit<
  UtmTemplate,
  "userId" | "workspaceId" | "projectId" | "createdAt" | "updatedAt"
>;

interface UtmTemplateRow extends UtmTemplateValues {
  user_id: string | null;
  created_at: Date;
  updated_at: Date;
}

const valueColumns = "id, name, utm_source, utm_medium, utm_campaign, utm_term, utm_content, ref";
const columns = `${valueColumns}, user_id, created_at, updated_at`;

async function countRows(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by utm_template_workspace_pk_name_key.
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM utm_template WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.count ?? 0;
}

function listRows(workspacePk: number): Promise<UtmTemplateRow[]> {
  // Answered by utm_template_workspace_pk_name_key, which also has the order.
  const text = `SELECT ${columns} FROM utm_template WHERE workspace_pk = $1 ORDER BY name`;
  return query<UtmTemplateRow>({ text, values: [workspacePk] });
}

function insertRow(
  tx: Connection,
  workspacePk: number,
  userId: string | null,
  row: UtmTemplateValues,
) {
  const text = `
    INSERT INTO utm_template (${valueColumns}, workspace_pk, user_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (workspace_pk, name) DO NOTHING
    RETURNING ${columns}`;
  return tx.one<UtmTemplateRow>({ text, values: [...valuesOf(row), workspacePk, userId] });
}

function valuesOf(row: UtmTemplateValues): (string | null)[] {
  const { id, name, utm_source, utm_medium, utm_campaign, utm_term, utm_content, ref } = row;
  return [id, name, utm_source, utm_medium, utm_campaign, utm_term, utm_content, ref];
}

function lockRow(tx: Connection, workspacePk: number, id: string) {
  // Answered by utm_template_id_key.
  return tx.one<UtmTemplateValues>({
    text: `SELECT ${valueColumns} FROM utm_template WHERE id = $1 AND workspace_pk = $2 FOR UPDATE`,
    values: [id, workspacePk],
  });
}

function updateRow(tx: Connection, workspacePk: number, row: UtmTemplateValues) {
  const text = `
    UPDATE utm_template
    SET name = $2, utm_source = $3, utm_medium = $4, utm_campaign = $5, utm_term = $6,
      utm_content = $7, ref = $8, updated_at = now()
    WHERE id = $1
      AND workspace_pk = $9
    RETURNING ${columns}`;
  return tx.one<UtmTemplateRow>({ text, values: [...valuesOf(row), workspacePk] });
}

async function deleteRow(tx: Connection, workspacePk: number, id: string) {
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

function isNameTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === uniqueViolation;
}
