/** Reading templates, and the designs that they have. */

import { parseId } from "#lib/basics/ids";
import { plainDesign, type QrDesign, qrDesign } from "#lib/links/qr-design/schema";
import { AppError } from "#lib/platform/errors";
import type { Connection } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { defaultTemplate, plainTemplate, type Template } from "./schema.ts";
import { findTemplateRow, type QrTemplateRow } from "./store.ts";

/** Throws for an invalid id, which could have characters that no column accepts. */
export function assertId(prefix: string, id: string, missing: (id: string) => AppError): void {
  if (parseId(prefix, id) === undefined) throw missing(id);
}

export function missingTemplate(id: string): AppError {
  return new AppError("not_found", `Template "${id}" not found in this workspace.`);
}

export function missingLogo(id: string): AppError {
  return new AppError("not_found", `Logo "${id}" not found in this workspace.`);
}

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

/** The design of a template, of the default template, or the plain one. Throws not_found. */
export async function findDesign(scope: WorkspaceScope, template?: string): Promise<QrDesign> {
  assertMay(scope, "links.read");
  if (template === plainTemplate) return plainDesign;
  if (template !== undefined && template !== defaultTemplate) {
    return (await getTemplate(scope, template)).design;
  }
  const row = await findTemplateRow(scope.workspacePk, null);
  return row ? presentTemplate(row).design : plainDesign;
}
