/**
 * The codes of links, drawn on request. A code contains the short link with `?qr=1`, which marks a
 * visit as a scan, so the code stays the same when the destination changes. It has the design or
 * template of the request, otherwise the design of the link, the default template, or the plain
 * design.
 */
import type { Link } from "#lib/links/fields/schema";
import { findSignedDesign } from "#lib/links/qr-design";
import type { QrDesign } from "#lib/links/qr-design/schema";
import { getLink } from "#lib/links/reading";
import { type DrawnCode, drawableText, drawDesign } from "#lib/outreach/qr";
import type { PictureFormat } from "#lib/outreach/qr/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { getLogoPng } from "./logos.ts";
import { findLogoPng } from "./store.ts";
import { findDesign } from "./templates.ts";

export interface RequestedLook {
  template?: string | undefined;
  design?: QrDesign | undefined;
}

export interface CodeLook {
  design: QrDesign;
  logo: Uint8Array | undefined;
}

export interface PictureOptions {
  format: PictureFormat;
  size: number;
  millimeters: number;
}

/** Throws not_found for the link, and for the template or logo of the request. */
export async function drawLinkCode(
  scope: WorkspaceScope,
  linkId: string,
  requested: RequestedLook,
  options: PictureOptions,
): Promise<DrawnCode> {
  const { link } = await getLink(scope, linkId);
  return await drawCode(link.shortLink, await lookOf(scope, link, requested), options);
}

export function drawCode(
  shortLink: string,
  look: CodeLook,
  { format, size, millimeters }: PictureOptions,
): Promise<DrawnCode> {
  const width = format === "pdf" ? millimeters : size;
  return drawDesign({ address: scanUrl(shortLink), ...look, format, width });
}

export function scanUrl(shortLink: string): string {
  return `${new URL(shortLink).href}?qr=1`;
}

export async function lookOf(
  scope: WorkspaceScope,
  link: Pick<Link, "qr">,
  { template, design }: RequestedLook,
): Promise<CodeLook> {
  if (design === undefined && template === undefined && link.qr) {
    return await savedLook(scope.workspacePk, link.qr);
  }
  const chosen = design ?? (await findDesign(scope, template));
  const logo = chosen.logoId === null ? undefined : await getLogoPng(scope, chosen.logoId);
  return { design: chosen, logo };
}

/** Other sites embed the images, so a missing logo or character is left out instead of causing an error. */
async function savedLook(workspacePk: number, saved: QrDesign): Promise<CodeLook> {
  const { logoId } = saved;
  const design = { ...saved, caption: await drawableText(saved.caption) };
  return { design, logo: logoId === null ? undefined : await findLogoPng(workspacePk, logoId) };
}

/** Undefined for other signatures. Needs no API key: only readers of the link see its signature. */
export async function drawSignedCode(
  signature: string,
  url: string,
  { format, size }: { format: "png" | "svg"; size: number },
): Promise<DrawnCode | undefined> {
  const saved = await findSignedDesign(signature, url);
  if (!saved) return undefined;
  const look = await savedLook(saved.workspacePk, saved.design);
  return await drawDesign({ address: new URL(url).href, ...look, format, width: size });
}
