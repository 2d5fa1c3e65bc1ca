/** API calls of the import pages. */
import { z } from "zod";
import {
  type ChangeImport,
  type Import,
  importShape,
  type Preview,
  previewShape,
  type RefusedRow,
  refusedRowShape,
} from "#lib/transfer/imports/schema";
import { apiErrorOf, callApi } from "../forms/call-api.ts";

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

export interface FileUpload {
  answer: Promise<Import>;
  abort: () => void;
}

/** The upload failed: it was cancelled, or the connection broke. */
export class UploadFailed extends Error {}

/** Uploads a file with progress. With XMLHttpRequest, because fetch does not report upload progress. */
export function sendFile(
  workspace: string,
  file: File,
  onProgress: (share: number) => void,
): FileUpload {
  const request = new XMLHttpRequest();
  const answer = new Promise<Import>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status !== 201) return reject(apiErrorOf(request.status, request.response));
      resolve(importShape.parse(request.response));
    };
    request.onerror = () => reject(new UploadFailed());
    request.onabort = () => reject(new UploadFailed());
  });
  request.open("POST", `/api/imports?${new URLSearchParams({ name: file.name.slice(-200) })}`);
  request.responseType = "json";
  request.setRequestHeader("Content-Type", "text/csv");
  request.setRequestHeader("X-Fuxi-Workspace", workspace);
  request.send(file);
  return { answer, abort: () => request.abort() };
}
