import { z } from "zod";
import { callApi } from "#components/forms/call-api.ts";
import { type FileUpload, sendFile } from "#components/forms/send-file.ts";
import {
  type ChangeImport,
  type Import,
  importShape,
  type Preview,
  previewShape,
  type RefusedRow,
  refusedRowShape,
} from "#lib/transfer/imports/schema";

const pathOf = (id: string) => `/imports/${encodeURIComponent(id)}`;

async function read(workspace: string, path: string, method = "GET", body?: unknown) {
  return await (await callApi({ workspace, path, method, body })).json();
}

export async function readImport(workspace: string, id: string): Promise<Import> {
  return importShape.parse(await read(workspace, pathOf(id)));
}

export async function readPreview(workspace: string, id: string): Promise<Preview> {
  return previewShape.parse(await read(workspace, `${pathOf(id)}/preview`));
}

export async function saveSettings(
  workspace: string,
  id: string,
  body: ChangeImport,
): Promise<Import> {
  return importShape.parse(await read(workspace, pathOf(id), "PATCH", body));
}

export async function actOn(
  workspace: string,
  id: string,
  act: "start" | "cancel",
): Promise<Import> {
  return importShape.parse(await read(workspace, `${pathOf(id)}/${act}`, "POST"));
}

export async function deleteImport(workspace: string, id: string): Promise<void> {
  await callApi({ workspace, path: pathOf(id), method: "DELETE" });
}

export async function readRefused(
  workspace: string,
  id: string,
  page: number,
): Promise<RefusedRow[]> {
  const params = new URLSearchParams({ page: String(page), pageSize: String(refusedPageSize) });
  return z.array(refusedRowShape).parse(await read(workspace, `${pathOf(id)}/refused?${params}`));
}

export const refusedPageSize = 50;

export function resultsUrl(workspace: string, id: string, only: "all" | "failed"): string {
  return `/api${pathOf(id)}/results?${new URLSearchParams({ workspace, only })}`;
}

export function sendImport(
  workspace: string,
  file: File,
  onProgress: (share: number) => void,
): FileUpload<Import> {
  const parse = (answer: unknown) => importShape.parse(answer);
  return sendFile({ workspace, path: "/imports", file, parse }, onProgress);
}
