/**
 * QR templates: the designs of a workspace, and the codes of its links.
 *
 * A code contains the short link with `?qr=1`, which marks a visit as a scan; so it stays the same while the
 * destination changes. Images are drawn on request; only templates and their logos are stored.
 */
import { getLink } from "#lib/links/reading";
import { type DrawnCode, drawDesign } from "#lib/outreach/qr";
import { type PictureFormat, plainDesign, type QrDesign, qrDesign } from "#lib/outreach/qr/schema";
import { ZipWriter } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import { newId } from "#lib/platform/ids";
import { type Connection, transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { changesOf, recordAudit } from "#lib/tenancy/audit";
import { fileNamesOf } from "./file-names.ts";
import { getLogoPng } from "./logos.ts";
import { assertId, missingLogo, missingTemplate } from "./missing.ts";
import type { CodeArchive, EditTemplate, NewTemplate, Template } from "./schema.ts";
import {
  clearDefault,
  countTemplates,
  deleteTemplateRow,
  findTemplateRow,
  insertTemplate,
  listTemplateRows,
  lockLogo,
  type QrTemplateRow,
  type QrTemplateValues,
  updateTemplate,
} from "./store.ts";

export { deleteLogo, getLogoPng, listLogos, logosMax, storeLogo } from "./logos.ts";

/** Per workspace. */
export const templatesMax = 100;

export async function listTemplates(scope: WorkspaceScope): Promise<Template[]> {
  assertMay(scope, "links.read");
  return (await listTemplateRows(scope.workspacePk)).map(presentTemplate);
}

function presentTemplate(row: QrTemplateRow): Template {
  return {
    id: row.id,
    name: row.name,
    design: qrDesign.parse({ ...Object(row.design), logoId: row.logo_id }),
    isDefault: row.is_default,
    createdAt: row.created_at.toISOString(),
  };
}

export async function createTemplate(scope: WorkspaceScope, body: NewTemplate): Promise<Template> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  const { name, isDefault } = body;
  return await transaction(async (tx) => {
    // One at a time per workspace: the count and the default stay correct until the commit.
    await lockWorkspace(tx, workspacePk);
    if ((await countTemplates(tx, workspacePk)) >= templatesMax) {
      const message = `A workspace can have up to ${templatesMax} QR code templates. Delete one first.`;
      throw new AppError("forbidden", message);
    }
    if (isDefault) await clearDefault(tx, workspacePk);
    const values = {
      id: newId("qrt"),
      name,
      isDefault,
      ...(await asStored(tx, scope, body.design)),
    };
    await insertTemplate(tx, workspacePk, values);
    const details = { name, isDefault };
    await recordAudit(tx, [
      { workspacePk, actor, action: "qr-template.create", subject: values.id, details },
    ]);
    return await getTemplate(scope, values.id, tx);
  });
}

/**
 * A design in its stored form: the logo by its pk, so that it is kept as long as a template uses it. Throws not_found.
 */
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

async function getTemplate(scope: WorkspaceScope, id: string, tx?: Connection): Promise<Template> {
  assertId("qrt", id, missingTemplate);
  const row = await findTemplateRow(scope.workspacePk, id, tx);
  if (!row) throw missingTemplate(id);
  return presentTemplate(row);
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
    await recordAudit(tx, [
      { workspacePk, actor, action: "qr-template.edit", subject: id, details },
    ]);
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
    await recordAudit(tx, [
      { workspacePk, actor, action: "qr-template.delete", subject: id, details },
    ]);
  });
  return { id };
}

interface PictureOptions {
  format: PictureFormat;
  /** Width in pixels. */
  size: number;
}

/** The code of a link in a design. Throws not_found for the link, and for the logo of the design. */
export async function drawLinkCode(
  scope: WorkspaceScope,
  linkId: string,
  design: QrDesign,
  { format, size }: PictureOptions,
): Promise<DrawnCode> {
  const { link } = await getLink(scope, linkId);
  const logo = design.logoId === null ? undefined : await getLogoPng(scope, design.logoId);
  return await drawDesign({
    address: scanUrl(link.shortLink),
    design,
    logo,
    format,
    width: size,
  });
}

/** Visits to this URL are counted as scans. */
function scanUrl(shortLink: string): string {
  return `${new URL(shortLink).href}?qr=1`;
}

/** The design of a template; for `default` the default one, or the plain design without one. Throws not_found. */
export async function findDesign(scope: WorkspaceScope, template?: string): Promise<QrDesign> {
  assertMay(scope, "links.read");
  if (template === undefined) return plainDesign;
  if (template !== "default") return (await getTemplate(scope, template)).design;
  const row = await findTemplateRow(scope.workspacePk, null);
  return row ? presentTemplate(row).design : plainDesign;
}

interface CodeArchiveFile {
  name: string;
  type: string;
  send: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>;
}

/** Per process. */
export const archivesAtOnceMax = 2;
const retrySeconds = 30;
let running = 0;

/** The codes of several links as a ZIP archive. Throws not_found before the first byte is sent. */
export async function openCodeArchive(
  scope: WorkspaceScope,
  { linkIds, template, format, size }: CodeArchive,
): Promise<CodeArchiveFile> {
  const design = await findDesign(scope, template);
  const logo = design.logoId === null ? undefined : await getLogoPng(scope, design.logoId);
  const addresses: string[] = [];
  for (const id of new Set(linkIds)) addresses.push((await getLink(scope, id)).link.shortLink);
  const draw = (shortLink: string) =>
    drawDesign({ address: scanUrl(shortLink), design, logo, format, width: size });
  // Errors are thrown here: once the archive has started, none can be sent.
  const [longest] = addresses.toSorted((a, b) => b.length - a.length);
  if (longest !== undefined) await draw(longest);
  if (running >= archivesAtOnceMax) {
    const message = `Too many archives are being downloaded (limit: ${archivesAtOnceMax}). Try again in a moment.`;
    throw new AppError("rate_limit_exceeded", message, retrySeconds);
  }
  running += 1;
  const send: CodeArchiveFile["send"] = async (write) => {
    try {
      const zip = new ZipWriter(write);
      const names = fileNamesOf(addresses);
      for (const [at, address] of addresses.entries()) {
        const { body } = await draw(address);
        await zip.add(`${names[at]}.${format}`, (put) => put(body));
      }
      await zip.end();
    } finally {
      running -= 1;
    }
  };
  return { name: "fuxi-qr-codes.zip", type: "application/zip", send };
}
