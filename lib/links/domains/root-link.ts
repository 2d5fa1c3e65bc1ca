/**
 * The root link of a domain: it is created with the domain and deleted with it. Until it has a url, lists leave it out,
 * and visits of the root use the placeholder of the domain.
 */
import { newUuid, uuidTime } from "#lib/basics/ids";
import { rootKey, takeCodes } from "#lib/links/keys";
import { plainColumns } from "#lib/links/link-columns/schema";
import { claimNames, insertRows, type LinkRow, pkTriesMax } from "#lib/links/link-rows";
import type { ReadyCode } from "#lib/platform/codes";
import type { Connection } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";

/** Spare pks for a root link: a pk may be reserved by a chosen name. Taken before the transaction. */
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
