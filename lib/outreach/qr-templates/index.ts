/** QR templates: the designs of a workspace, and the codes of its links, drawn on request. */

import { newId } from "#lib/basics/ids";
import type { QrDesign } from "#lib/links/qr-design/schema";
import { assertRoom } from "#lib/platform/errors";
import { type Connection, transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, recordAudit } from "#lib/tenancy/audit";
import type { EditTemplate, NewTemplate, Template } from "./schema.ts";
import {
  clearDefault,
  countTemplates,
  deleteTemplateRow,
  insertTemplate,
  listTemplateRows,
  lockLogo,
  type QrTemplateValues,
  updateTemplate,
} from "./store.ts";
import {
  assertId,
  getTemplate,
  missingLogo,
  missingTemplate,
  presentTemplate,
} from "./templates.ts";

export { openCodeArchive } from "./archives.ts";
export { openLabelSheets } from "./labels.ts";
export { drawLinkCode, drawSignedCode } from "./link-codes.ts";
export { deleteLogo, getLogoPng, listLogos, logosMax, storeLogo } from "./logos.ts";
export { findDesign } from "./templates.ts";

export const templatesMax = 100;

export async function listTemplates(scope: WorkspaceScope): Promise<Template[]> {
  assertMay(scope, "links.read");
  return (await listTemplateRows(scope.workspacePk)).map(presentTemplate);
}

export async function createTemplate(scope: WorkspaceScope, body: NewTemplate): Promise<Template> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  const { name, isDefault } = body;
  return await transaction(async (tx) => {
    // One at a time per workspace: the count and the default stay correct until the commit.
    await lockWorkspace(tx, workspacePk);
    assertRoom(await countTemplates(tx, workspacePk), templatesMax, "QR code templates");
    if (isDefault) await clearDefault(tx, workspacePk);
    const values = {
      id: newId("qrt"),
      name,
      isDefault,
      ...(await asStored(tx, scope, body.design)),
    };
    await insertTemplate(tx, workspacePk, values);
    const details = { name, isDefault };
    const action = "qr-template.create" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: values.id, details }]);
    return await getTemplate(scope, values.id, tx);
  });
}

/** Stores the logo by its pk, so that it is kept while a template uses it. Throws not_found. */
async function asStored(
  tx: Connection,
  scope: WorkspaceScope,
  { logoId, ...rest }: QrDesign,
): Promise<Pick<QrTemplateValues, "design" | "logoPk">> {
  const design = JSON.stringify(rest);
  if (logoId === null) return { design, logoPk: null };
  assertId("qrl", logoId, missingLogo);
  const logoPk = await lockLogo(tx, scope.workspacePk, logoId);
  if (logoPk === undefined) throw missingLogo(logoId);
  return { design, logoPk };
}

export async function editTemplate(
  scope: WorkspaceScope,
  id: string,
  body: EditTemplate,
): Promise<Template> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  return await transaction(async (tx) => {
    await lockWorkspace(tx, workspacePk);
    const before = await getTemplate(scope, id, tx);
    const { name = before.name, design = before.design, isDefault = before.isDefault } = body;
    if (isDefault && !before.isDefault) await clearDefault(tx, workspacePk);
    const kept = await asStored(tx, scope, design);
    await updateTemplate(tx, workspacePk, { id, name, isDefault, ...kept });
    const after = await getTemplate(scope, id, tx);
    const details = changesOf(before, after);
    const action = "qr-template.edit" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: id, details }]);
    return after;
  });
}

export async function deleteTemplate(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "links.write");
  assertId("qrt", id, missingTemplate);
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const name = await deleteTemplateRow(tx, workspacePk, id);
    if (name === undefined) throw missingTemplate(id);
    const details = { name };
    const action = "qr-template.delete" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: id, details }]);
  });
  return { id };
}
