/** The domains and folders that a key can be limited to in the dashboard; the API accepts all of them. */

import type { KeyChoices } from "#components/keys/key-limits";
import { listDomainStates } from "#lib/links/domains";
import { listDomainsQuery } from "#lib/links/domains/schema";
import { listFolders } from "#lib/links/folders";
import { listFoldersQuery } from "#lib/links/folders/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";

export async function readChoices(scope: WorkspaceScope): Promise<KeyChoices> {
  const [domains, folders] = await Promise.all([
    listDomainStates(scope, listDomainsQuery.parse({})),
    listFolders(scope, listFoldersQuery.parse({})),
  ]);
  const active = domains.filter(({ verified }) => verified);
  return {
    domains: active.map(({ id, slug }) => ({ id, name: slug })),
    folders: folders.map(({ id, name }) => ({ id, name })),
  };
}
