/** What importers keep sealed: the token, and the pages that were read, which may have passwords of links. */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type SealedColumn, seal, unseal } from "#lib/platform/sealing";
import type { Cells } from "./systems/system.ts";

const tokenPurpose = "importer-tokens";
const pagePurpose = "importer-pages";

export const importerTokenColumn: SealedColumn = {
  table: "importer",
  column: "sealed",
  key: ["id"],
  purpose: tokenPurpose,
  binding: "id",
};

export const importerPageColumn: SealedColumn = {
  table: "importer_page",
  column: "sealed",
  key: ["importer_id", "number"],
  purpose: pagePurpose,
  binding: "importer_id",
};

const compress = promisify(gzip);
const expand = promisify(gunzip);

export function sealToken(id: string, token: string): Buffer {
  return seal(tokenPurpose, Buffer.from(token), id);
}

export function unsealToken(id: string, sealed: Buffer): string {
  return unseal(tokenPurpose, sealed, id).toString();
}

export async function sealPage(id: string, links: readonly Cells[]): Promise<Buffer> {
  return seal(pagePurpose, await compress(JSON.stringify(links)), id);
}

export async function unsealPage(id: string, sealed: Buffer): Promise<Cells[]> {
  // Sound because `sealPage` wrote it.
  return JSON.parse((await expand(unseal(pagePurpose, sealed, id))).toString());
}
