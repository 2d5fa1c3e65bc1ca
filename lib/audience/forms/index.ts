/** Forms, which a link shows before it redirects. Answers name the version of their consent. */
import { findCodeCountries } from "#lib/audience/phone-codes";
import { newId, parseId } from "#lib/basics/ids";
import { publishChanges, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { AppError, assertRoom } from "#lib/platform/errors";
import { assertPhoneCountries } from "#lib/platform/phones";
import { type Connection, transaction } from "#lib/platform/postgres";
import {
  assertConfirmed,
  assertMay,
  lockWorkspace,
  type WorkspaceScope,
} from "#lib/tenancy/access";
import { changesOf, recordAudit } from "#lib/tenancy/audit";
import { assertIncluded } from "#lib/tenancy/quotas";
import {
  type EditForm,
  type Form,
  type FormContent,
  findUnpublishable,
  type NewForm,
  wechatFieldOf,
} from "./schema.ts";
import {
  countRows,
  type FormFields,
  type FormRow,
  findRow,
  holdGateway,
  insertRow,
  insertVersion,
  isInUse,
  isNameTaken,
  listRows,
  markDeleted,
  updateRow,
} from "./store.ts";

export { takeFailureNews } from "./store.ts";

/** Per workspace, because the link editor lists all forms in one menu. */
export const formsMax = 100;

export async function listForms(scope: WorkspaceScope): Promise<Form[]> {
  assertMay(scope, "links.read");
  return (await listRows(scope.workspacePk)).map(present);
}

export async function getForm(scope: WorkspaceScope, id: string): Promise<Form> {
  assertMay(scope, "links.read");
  return present(await getRow(scope, id));
}

async function getRow({ workspacePk }: WorkspaceScope, id: string, tx?: Connection) {
  const row = parseId("form", id) === undefined ? undefined : await findRow(workspacePk, id, tx);
  if (row) return row;
  throw new AppError("not_found", `Form "${id}" not found in this workspace.`);
}

function present({ id, name, published, version, content, ...row }: FormRow): Form {
  return {
    id,
    name,
    published,
    version,
    ...content,
    codeCountries: content.codeCountries ?? [],
    gatewayId: row.gateway_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export async function createForm(
  scope: WorkspaceScope,
  { name, published, gatewayId, ...content }: NewForm,
): Promise<Form> {
  assertMay(scope, "links.write");
  assertIncluded(scope, "forms");
  const { workspacePk, actor } = scope;
  if (wechatFieldOf(content)) assertIncluded(scope, "wechatUserInfo");
  const fields = { name, published, gatewayId, content };
  assertPublishable(fields);
  await assertCodesGoSomewhere(scope, fields);
  if (gatewayId !== null) assertMaySend(scope);
  return await transaction(async (tx) => {
    // One create at a time per workspace, so that the count is exact until the commit.
    await lockWorkspace(tx, workspacePk);
    assertRoom(await countRows(tx, workspacePk), formsMax, "forms");
    const stored = { ...fields, gatewayPk: await holdGatewayOf(tx, workspacePk, gatewayId) };
    const revision = await takeRevision(tx);
    const row = await insertRow(tx, { id: newId("form"), workspacePk, revision }, stored);
    if (!row) throw nameTaken(name);
    await insertVersion(tx, row);
    const details = { name };
    await recordAudit(tx, [
      { workspacePk, actor, action: "form.create", subject: row.id, details },
    ]);
    return present(row);
  });
}

/** Changes the given fields. Visitors see it within a second. */
export async function changeForm(scope: WorkspaceScope, id: string, edit: EditForm): Promise<Form> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  const { row, changes } = await transaction(async (tx) => {
    await lockWorkspace(tx, workspacePk);
    const before = await getRow(scope, id, tx);
    const fields = changedFields(before, edit);
    assertPublishable(fields);
    await assertCodesGoSomewhere(scope, fields, tx);
    const isChanged = JSON.stringify(fields.content) !== JSON.stringify(before.content);
    assertMayBecome(scope, before, fields, isChanged);
    const version = before.version + (isChanged ? 1 : 0);
    const details = changesOf(
      { ...auditValues({ ...before, gatewayId: before.gateway_id }), version: before.version },
      { ...auditValues(fields), version },
    );
    if (Object.keys(details).length === 0) return { row: before, changes: [] };
    await assertNameFree(tx, workspacePk, fields.name, before.name);
    const stored = { ...fields, gatewayPk: await holdGatewayOf(tx, workspacePk, fields.gatewayId) };
    const revision = await takeRevision(tx);
    const after = await updateRow(tx, { pk: before.pk, revision, version }, stored);
    if (!after) throw new Error("A locked form is missing");
    if (isChanged) await insertVersion(tx, after);
    const change = { entry: id, revision };
    await recordChanges(tx, [change]);
    await recordAudit(tx, [{ workspacePk, actor, action: "form.edit", subject: id, details }]);
    return { row: after, changes: [change] };
  });
  await publishChanges(changes);
  return present(row);
}

function assertMayBecome(
  scope: WorkspaceScope,
  before: FormRow,
  { published, gatewayId, content }: FormFields,
  isChanged: boolean,
): void {
  const isPublished = published && !before.published;
  if (isChanged || isPublished) assertIncluded(scope, "forms");
  const wechat = wechatFieldOf(content);
  if (wechat && (isPublished || wechat.profile !== wechatFieldOf(before.content)?.profile)) {
    assertIncluded(scope, "wechatUserInfo");
  }
  if (gatewayId !== null && gatewayId !== before.gateway_id) assertMaySend(scope);
}

function changedFields(
  before: FormRow,
  { name, published, gatewayId, ...content }: EditForm,
): FormFields {
  return {
    name: name ?? before.name,
    published: published ?? before.published,
    gatewayId: gatewayId === undefined ? before.gateway_id : gatewayId,
    content: { ...before.content, ...definedOnly(content) },
  };
}

/** Sound because undefined fields are removed. */
function definedOnly(content: Omit<EditForm, "name" | "published" | "gatewayId">) {
  const given = Object.entries(content).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<FormContent>;
}

function auditValues({ name, published, gatewayId }: Omit<FormFields, "content">) {
  return { name, published, gatewayId };
}

/** Codes cost as much as campaign messages, so they need the same permission. */
function assertMaySend(scope: WorkspaceScope): void {
  // defence: form-gateway-needs-campaigns
  assertMay(scope, "campaigns.write");
  assertConfirmed(scope);
}

async function holdGatewayOf(tx: Connection, workspacePk: number, id: string | null) {
  const pk = id === null ? null : await holdGateway(tx, workspacePk, id);
  if (pk !== undefined) return pk;
  const message = `gatewayId: Gateway "${id}" not found in this workspace.`;
  throw new AppError("unprocessable_entity", message, { problem: "gateway_gone" });
}

async function assertNameFree(tx: Connection, workspacePk: number, name: string, before: string) {
  if (name !== before && (await isNameTaken(tx, workspacePk, name))) throw nameTaken(name);
}

/** Deletes a form that no link uses. Its versions stay for the answers that name them. */
export async function deleteForm(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  const changes = await transaction(async (tx) => {
    await lockWorkspace(tx, workspacePk);
    const { pk, name } = await getRow(scope, id, tx);
    if (await isInUse(tx, id)) {
      const message = "Links use this form. Remove it from them first.";
      throw new AppError("conflict", message);
    }
    const revision = await takeRevision(tx);
    await markDeleted(tx, pk, revision);
    const change = { entry: id, revision };
    await recordChanges(tx, [change]);
    const details = { name };
    await recordAudit(tx, [{ workspacePk, actor, action: "form.delete", subject: id, details }]);
    return [change];
  });
  await publishChanges(changes);
  return { id };
}

function assertPublishable({ published, content }: FormFields): void {
  const missing = published ? findUnpublishable(content) : undefined;
  if (!missing) return;
  throw new AppError("unprocessable_entity", `${missing.field}: ${missing.message}`);
}

/** Visitors could not pass a form whose codes are never sent. */
async function assertCodesGoSomewhere(
  { workspacePk }: WorkspaceScope,
  { published, content }: FormFields,
  tx?: Connection,
): Promise<void> {
  const { confirmPhone, codeCountries = [] } = content;
  assertPhoneCountries("codeCountries", codeCountries);
  if (!(published && confirmPhone)) return;
  if ((await findCodeCountries(workspacePk, codeCountries, tx)).length > 0) return;
  const message =
    "codeCountries: Choose the countries whose phones get codes, here or for the workspace. The time zone of the workspace doesn’t belong to a country.";
  throw new AppError("unprocessable_entity", message, { problem: "code_countries_missing" });
}

function nameTaken(name: string): AppError {
  const message = `name: A form "${name}" already exists. Choose another name.`;
  return new AppError("conflict", message);
}
