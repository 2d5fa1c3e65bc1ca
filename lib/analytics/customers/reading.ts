/** Customers as the actor may see them. */

import { parseId, presentId } from "#lib/basics/ids";
import { shortUrl } from "#lib/links/hosts";
import { visibleLinks } from "#lib/links/visible-links";
import { AppError } from "#lib/platform/errors";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { openPeopleKeys, type PeopleKeys } from "#lib/tenancy/people-keys";
import { unsealFacts } from "./facts.ts";
import { type FoundCustomer, findCustomers } from "./listing-store.ts";
import type { Customer, ListCustomers, ListedCustomer } from "./schema.ts";
import type { CustomerRow } from "./store.ts";

/** A customer without anything personal: for events that are stored, and for those who may not see people's data. */
export function presentWithoutFacts(row: CustomerRow, externalId: string): Customer {
  return {
    id: row.id,
    externalId,
    name: null,
    email: null,
    avatar: null,
    country: row.country,
    sales: row.sales,
    saleAmount: row.sale_amount,
    createdAt: row.created_at.toISOString(),
    firstSaleAt: row.first_sale_at?.toISOString() ?? null,
  };
}

function present(scope: WorkspaceScope, keys: PeopleKeys, row: CustomerRow): Customer {
  const bare = presentWithoutFacts(row, row.id);
  return scope.permissions.has("people.view") ? { ...bare, ...unsealFacts(keys, row) } : bare;
}

function presentListed(
  scope: WorkspaceScope,
  keys: PeopleKeys,
  row: FoundCustomer,
): ListedCustomer {
  const { link_id: linkId, slug, key, url } = row;
  const isLinked = linkId !== null && slug !== null && key !== null && url !== null;
  return {
    ...present(scope, keys, row),
    link: isLinked
      ? {
          id: presentId("link", linkId),
          domain: slug,
          key,
          shortLink: shortUrl(slug, key),
          url,
          programId: null,
        }
      : null,
  };
}

/** Customers by pk, as the actor may see them. */
export async function findPresented(
  scope: WorkspaceScope,
  pks: readonly number[],
): Promise<Map<number, Customer>> {
  if (pks.length === 0) return new Map();
  const { workspacePk } = scope;
  const filter = { workspacePk, pks, limit: pks.length };
  const rows = await findCustomers(filter, await visibleLinks(scope));
  const keys = await openPeopleKeys(workspacePk);
  return new Map(rows.map((row) => [row.pk, present(scope, keys, row)]));
}

/** Customers, newest first. */
export async function listCustomers(
  scope: WorkspaceScope,
  asked: ListCustomers,
): Promise<ListedCustomer[]> {
  assertMay(scope, "analytics.read");
  const { workspacePk } = scope;
  const { externalId, linkId, country, startingAfter, pageSize } = asked;
  const seen = await visibleLinks(scope);
  const keys = await openPeopleKeys(workspacePk);
  const linkUuid = linkId === undefined ? undefined : parseId("link", linkId);
  if (linkId !== undefined && linkUuid === undefined) return [];
  const afterPk = startingAfter === undefined ? undefined : (await getRow(scope, startingAfter)).pk;
  const hash = externalId === undefined ? undefined : keys.hash(externalId);
  const filter = { workspacePk, hash, linkUuid, country, afterPk, limit: pageSize };
  const rows = await findCustomers(filter, seen);
  return rows.map((row) => presentListed(scope, keys, row));
}

/** By its id, or by `ext_` and the external id. */
export async function getCustomer(scope: WorkspaceScope, id: string): Promise<ListedCustomer> {
  assertMay(scope, "analytics.read");
  return presentListed(scope, await openPeopleKeys(scope.workspacePk), await getRow(scope, id));
}

const externalPrefix = "ext_";

/** Throws a 404 also for a customer who came with a link that the actor may not see. */
export async function getRow(scope: WorkspaceScope, id: string): Promise<FoundCustomer> {
  const { workspacePk } = scope;
  const external = id.startsWith(externalPrefix) ? id.slice(externalPrefix.length) : undefined;
  const keys = await openPeopleKeys(workspacePk);
  const by = external === undefined ? { id } : { hash: keys.hash(external) };
  const [row] = await findCustomers({ workspacePk, ...by, limit: 1 }, await visibleLinks(scope));
  if (row) return row;
  throw new AppError("not_found", "Customer not found.");
}
