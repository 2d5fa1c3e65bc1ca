/** The domains in the dashboard’s list, each with the state of its verification. */
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import type { DomainView, ListDomains, Verification } from "./schema.ts";
import { listRows } from "./store.ts";
import { presentDomain } from "./values.ts";
import { stateOf } from "./verifying.ts";

export interface ListedDomain extends DomainView {
  state: Verification["state"];
}

export async function listDomainStates(
  scope: WorkspaceScope,
  query: ListDomains,
): Promise<ListedDomain[]> {
  assertMay(scope, "domains.read");
  const rows = await listRows(scope.workspacePk, query);
  return rows.map((row) => ({ ...presentDomain(row), state: stateOf(row) }));
}
