/** Templates of UTM parameters. Links keep their own copy: editing a template changes no link. */
import { newId, parseId } from "#lib/basics/ids";
import { AppError, assertRoom } from "#lib/platform/errors";
import { transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, recordAudit } from "#lib/tenancy/audit";
import type { EditUtmTemplate, NewUtmTemplate, UtmTemplate } from "./schema.ts";
import {
  countRows,
  deleteRow,
  insertRow,
  isNameTaken,
  listRows,
  lockRow,
  type UtmTemplateRow,
  type UtmTemplateValues,
  updateRow,
} from "./store.ts";

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

const noValues = {
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
  ref: null,
};

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
