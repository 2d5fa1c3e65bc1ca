/** Reading templates, and the designs that they have. */
import { plainDesign, type QrDesign, qrDesign } from "#lib/links/qr-design/schema";
import type { Connection } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { assertId, missingTemplate } from "./missing.ts";
import { defaultTemplate, plainTemplate, type Template } from "./schema.ts";
import { findTemplateRow, type QrTemplateRow } from "./store.ts";

export function presentTemplate(row: QrTemplateRow): Template {
  return {
    id: row.id,
    name: row.name,
    design: qrDesign.parse({ ...Object(row.design), logoId: row.logo_id }),
    isDefault: row.is_default,
    createdAt: row.created_at.toISOString(),
  };
}

export async function getTemplate(
  scope: WorkspaceScope,
  id: string,
  tx?: Connection,
): Promise<Template> {
  assertId("qrt", id, missingTemplate);
  const row = await findTemplateRow(scope.workspacePk, id, tx);
  if (!row) throw missingTemplate(id);
  return presentTemplate(row);
}

/** The design of a template; otherwise the default one, or the plain design without one. Throws not_found. */
export async function findDesign(scope: WorkspaceScope, template?: string): Promise<QrDesign> {
  assertMay(scope, "links.read");
  if (template === plainTemplate) return plainDesign;
  if (template !== undefined && template !== defaultTemplate) {
    return (await getTemplate(scope, template)).design;
  }
  const row = await findTemplateRow(scope.workspacePk, null);
  return row ? presentTemplate(row).design : plainDesign;
}
