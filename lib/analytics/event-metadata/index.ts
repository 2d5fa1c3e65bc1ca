/** What a call says about a lead or sale: encrypted with the keys of people's data, and read by those who may see it. */
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openPeopleKeys, type PeopleKeys } from "#lib/tenancy/people-keys";

/** The metadata of an event, encrypted. */
export function sealMetadata(keys: PeopleKeys, metadata: object, eventId: string): Buffer {
  return keys.seal(JSON.stringify(metadata), eventId);
}

interface SealedMetadata {
  id: string;
  key_version: number | null;
  metadata: Buffer | null;
}

/** The metadata of events, decrypted, in their order; null without any, and for those who may not see people's data. */
export async function openMetadata(
  scope: WorkspaceScope,
  rows: readonly SealedMetadata[],
): Promise<(Record<string, unknown> | null)[]> {
  if (!scope.permissions.has("people.view") || rows.every(({ metadata }) => metadata === null)) {
    return rows.map(() => null);
  }
  const keys = await openPeopleKeys(scope.workspacePk);
  return rows.map(({ id, key_version: version, metadata: sealed }) =>
    version === null || sealed === null ? null : JSON.parse(keys.unseal({ version, sealed }, id)),
  );
}
