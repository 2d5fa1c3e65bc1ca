/** For tests: the results of an import as a text. */

import type { WorkspaceScope } from "#lib/tenancy/access";
import { openResults } from "#lib/transfer/imports";

export async function resultsOf(
  scope: WorkspaceScope,
  id: string,
  only: "all" | "failed" = "all",
): Promise<string> {
  const chunks: Uint8Array[] = [];
  await (await openResults(scope, id, { only })).send((bytes) => {
    chunks.push(bytes);
    return Promise.resolve();
  });
  return Buffer.concat(chunks).toString();
}
