/** The logos of a workspace, which codes show in their middle. */
import { hash } from "node:crypto";
import { newId } from "#lib/basics/ids";
import { AppError, assertRoom } from "#lib/platform/errors";
import { readLogo } from "#lib/platform/images";
import { transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import type { Logo } from "./schema.ts";
import {
  countLinksUsing,
  countLogos,
  deleteLogoRow,
  findLogoByHash,
  findLogoPng,
  findTemplateUsing,
  insertLogo,
  type LogoRow,
  listLogoRows,
  lockLogo,
} from "./store.ts";
import { assertId, missingLogo } from "./templates.ts";

export const logosMax = 100;

export async function listLogos(scope: WorkspaceScope): Promise<Logo[]> {
  assertMay(scope, "links.read");
  return (await listLogoRows(scope.workspacePk)).map(presentLogo);
}

function presentLogo({ id, width, height, createdAt }: LogoRow): Logo {
  return { id, width, height, createdAt: createdAt.toISOString() };
}

export async function storeLogo(
  scope: WorkspaceScope,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<Logo> {
  assertMay(scope, "links.write");
  const { workspacePk, workspaceId, actor } = scope;
  const logo = await readLogo(bytes, { workspaceId, signal });
  const row = { ...logo, id: newId("qrl"), hash: hash("sha256", logo.png, "hex") };
  return await transaction(async (tx) => {
    await lockWorkspace(tx, workspacePk);
    const known = await findLogoByHash(tx, workspacePk, row.hash);
    if (known) return presentLogo(known);
    assertRoom(await countLogos(tx, workspacePk), logosMax, "logos");
    const inserted = await insertLogo(tx, workspacePk, row);
    if (!inserted) throw new Error("A logo was added while its workspace was locked");
    const details = { width: row.width, height: row.height, bytes: row.png.length };
    const action = "qr-logo.create" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: row.id, details }]);
    return presentLogo(inserted);
  });
}

export async function getLogoPng(
  scope: WorkspaceScope,
  id: string,
): Promise<Uint8Array<ArrayBuffer>> {
  assertMay(scope, "links.read");
  assertId("qrl", id, missingLogo);
  const png = await findLogoPng(scope.workspacePk, id);
  if (!png) throw missingLogo(id);
  return png;
}

export async function deleteLogo(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "links.write");
  assertId("qrl", id, missingLogo);
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const pk = await lockLogo(tx, workspacePk, id);
    if (pk === undefined) throw missingLogo(id);
    const name = await findTemplateUsing(tx, pk);
    if (name !== undefined) {
      const message = `The template "${name}" uses this logo. Choose another logo for it first.`;
      throw new AppError("conflict", message);
    }
    const links = await countLinksUsing(tx, workspacePk, id);
    if (links > 0) {
      const message = `The QR codes of ${links} links use this logo. Choose another logo for them first.`;
      throw new AppError("conflict", message);
    }
    await deleteLogoRow(tx, pk);
    await recordAudit(tx, [{ workspacePk, actor, action: "qr-logo.delete", subject: id }]);
  });
  return { id };
}
