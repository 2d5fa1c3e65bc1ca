/**
 * The root link of a domain is created and deleted with the domain. Until it has a URL, lists omit
 * it, and visits of the root go to the placeholder of the domain.
 */
import { newUuid, uuidTime } from "#lib/basics/ids";
import { rootKey, takeCodes } from "#lib/links/keys";
import { plainColumns } from "#lib/links/link-columns/schema";
import { claimNames, insertRows, type LinkRow, pkTriesMax } from "#lib/links/link-rows";
import type { ReadyCode } from "#lib/platform/codes";
import type { Connection } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";

/** Several codes, because a chosen name may have reserved a pk. Taken before the transaction. */
export function takeRootCodes(): Promise<ReadyCode[]> {
  return takeCodes(pkTriesMax);
}

export async function insertRootLink(
  tx: Connection,
  { workspacePk, userPk, apiKeyPk }: WorkspaceScope,
  domain: { pk: number; revision: number },
  codes: readonly ReadyCode[],
): Promise<void> {
  const id = newUuid();
  const created = new Date(uuidTime(id));
  for (const { pk } of codes) {
    const row: LinkRow = {
      ...plainColumns,
      pk,
      id,
      revision: domain.revision,
      workspace_pk: workspacePk,
      domain_pk: domain.pk,
      user_pk: userPk,
      api_key_pk: apiKeyPk,
      key: rootKey,
      url: "",
      alias: true,
      created_at: created,
      updated_at: created,
    };
    if ((await insertRows(tx, [{ row, tagPks: [] }])).size > 0) continue;
    await claimNames(tx, [row]);
    return;
  }
  throw new Error(`No free pk in ${codes.length} tries`);
}
