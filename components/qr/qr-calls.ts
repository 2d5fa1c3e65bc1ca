import { z } from "zod";
import { callApi } from "#components/forms/call-api.ts";
import type { QrDesign } from "#lib/links/qr-design/schema";
import type { PictureFormat } from "#lib/outreach/qr/schema";
import {
  type Logo,
  type labelSheetsBody,
  logoShape,
  type Template,
  templateShape,
} from "#lib/outreach/qr-templates/schema";

export { ApiError } from "#components/forms/call-api.ts";

export interface DrawRequest {
  workspace: string;
  linkId: string;
  design: QrDesign;
  format: PictureFormat;
  size: number;
  millimeters?: number;
  signal?: AbortSignal;
}

export async function drawCode({ workspace, linkId, signal, ...body }: DrawRequest): Promise<Blob> {
  const path = `/links/${linkId}/qr`;
  const request = { workspace, path, method: "POST", body };
  return await (await callApi({ ...request, ...(signal ? { signal } : {}) })).blob();
}

export async function readProgramCode(workspace: string, linkId: string): Promise<Blob> {
  return await (await callApi({ workspace, path: `/links/${linkId}/mini-program-code` })).blob();
}

export async function saveDesign(
  workspace: string,
  linkId: string,
  qr: QrDesign | null,
): Promise<void> {
  await callApi({ workspace, path: `/links/${linkId}`, method: "PATCH", body: { qr } });
}

export async function readTemplates(workspace: string): Promise<Template[]> {
  const response = await callApi({ workspace, path: "/qr-templates" });
  return z.array(templateShape).parse(await response.json());
}

export interface TemplateBody {
  name?: string;
  design?: QrDesign;
  isDefault?: boolean;
}

/** Updates the template with that id, or creates one. */
export async function saveTemplate(
  workspace: string,
  id: string | undefined,
  body: TemplateBody,
): Promise<Template> {
  const [path, method] = id ? [`/qr-templates/${id}`, "PATCH"] : ["/qr-templates", "POST"];
  return templateShape.parse(await (await callApi({ workspace, path, method, body })).json());
}

export async function removeTemplate(workspace: string, id: string): Promise<void> {
  await callApi({ workspace, path: `/qr-templates/${id}`, method: "DELETE" });
}

export async function uploadLogo(workspace: string, file: File): Promise<Logo> {
  const body = { image: await base64Of(file) };
  const response = await callApi({ workspace, path: "/qr-logos", method: "POST", body });
  return logoShape.parse(await response.json());
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

export async function removeLogo(workspace: string, id: string): Promise<void> {
  await callApi({ workspace, path: `/qr-logos/${id}`, method: "DELETE" });
}

/** The workspace is in the URL, because image requests cannot have custom headers. */
export function logoUrl(workspace: string, id: string): string {
  return `/api/qr-logos/${id}?${new URLSearchParams({ workspace })}`;
}

export interface ArchiveRequest {
  linkIds: readonly string[];
  template?: string;
  format: PictureFormat;
  size?: number;
  millimeters?: number | undefined;
}

export async function readArchive(workspace: string, body: ArchiveRequest): Promise<Blob> {
  return await (await callApi({ workspace, path: "/qr-archives", method: "POST", body })).blob();
}

export async function readLabels(
  workspace: string,
  body: z.input<typeof labelSheetsBody>,
): Promise<{ file: Blob; moduleMillimeters: number }> {
  const response = await callApi({ workspace, path: "/qr-labels", method: "POST", body });
  const moduleMillimeters = Number(response.headers.get("X-Fuxi-Module-Millimeters"));
  return { file: await response.blob(), moduleMillimeters };
}

export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  // Revoked later, because the browser only starts to read it after this task.
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
