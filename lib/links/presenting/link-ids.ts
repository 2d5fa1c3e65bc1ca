import { parseId } from "#lib/basics/ids";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { externalPrefix, findByExternalId } from "./find.ts";

function uuidOf(id: string): string {
  const uuid = parseId("link", id);
  if (uuid) return uuid;
  throw missingLink(id);
}

/** Links are named by their id, or by `ext_` and their externalId. */
export async function resolveLinkUuid(scope: WorkspaceScope, id: string): Promise<string> {
  if (!id.startsWith(externalPrefix)) return uuidOf(id);
  const found = await findByExternalId(scope, id);
  if (!found) throw missingLink(id);
  return found.id;
}

export function missingLink(id: string): AppError {
  return new AppError("not_found", `Link "${id}" not found in this workspace.`);
}
