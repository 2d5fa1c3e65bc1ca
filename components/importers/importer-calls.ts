import { callApi } from "#components/forms/call-api.ts";
import { type Importer, importerShape, type NewImporter } from "#lib/transfer/importers/schema";

async function read(workspace: string, path: string, method = "GET", body?: unknown) {
  const answer = await callApi({ workspace, path: `/importers${path}`, method, body });
  return importerShape.parse(await answer.json());
}

export function createImporter(workspace: string, body: NewImporter): Promise<Importer> {
  return read(workspace, "", "POST", body);
}

export function readImporter(workspace: string, id: string): Promise<Importer> {
  return read(workspace, `/${encodeURIComponent(id)}`);
}

export function cancelImporter(workspace: string, id: string): Promise<Importer> {
  return read(workspace, `/${encodeURIComponent(id)}/cancel`, "POST");
}
