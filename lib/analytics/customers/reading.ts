/** Customers as the actor may see them. */
import { parseId, presentId } from "#lib/basics/ids";
import { shortUrl } from "#lib/links/hosts";
import {
  fillPage,
  findVisibleLinks,
  findVisiblePk,
  type NamedLink,
  type VisibleLinks,
  visibleLinks,
} from "#lib/links/visible-links";
import { AppError } from "#lib/platform/errors";
import { query, SqlValues } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { openPeopleKeys, type PeopleKeys } from "#lib/tenancy/people-keys";
import type { Customer, ListCustomers, ListedCustomer } from "./schema.ts";
import { type CustomerRow, customerColumns, unsealFacts } from "./store.ts";

/** Omits personal data, for stored events and for actors without people.view. */
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

/** By id, or by `ext_` and the external id. */
export async function getCustomer(scope: WorkspaceScope, id: string): Promise<ListedCustomer> {
  assertMay(scope, "analytics.read");
  return presentListed(scope, await openPeopleKeys(scope.workspacePk), await getRow(scope, id));
}

const externalPrefix = "ext_";

/** Also throws a 404 for a customer who came with a link that the actor may not see. */
export async function getRow(scope: WorkspaceScope, id: string): Promise<FoundCustomer> {
  const { workspacePk } = scope;
  const external = id.startsWith(externalPrefix) ? id.slice(externalPrefix.length) : undefined;
  const keys = await openPeopleKeys(workspacePk);
  const by = external === undefined ? { id } : { hash: keys.hash(external) };
  const [row] = await findCustomers({ workspacePk, ...by, limit: 1 }, await visibleLinks(scope));
  if (row) return row;
  throw new AppError("not_found", "Customer not found.");
}

interface CustomerFilter {
  workspacePk: number;
  id?: string | undefined;
  hash?: Buffer | undefined;
  linkUuid?: string | undefined;
  country?: string | undefined;
  afterPk?: number | undefined;
  pks?: readonly number[];
  limit: number;
}

type FoundCustomer = CustomerRow & { [Name in keyof NamedLink]: NamedLink[Name] | null };

const unseen = { link_id: null, slug: null, key: null, url: null };

/** Newest first. `pks` are found even if the actor may not see their first link. */
async function findCustomers(filter: CustomerFilter, seen: VisibleLinks): Promise<FoundCustomer[]> {
  const { workspacePk, linkUuid, limit } = filter;
  const linkPk =
    linkUuid === undefined ? undefined : await findVisiblePk(workspacePk, linkUuid, seen);
  if (linkUuid !== undefined && linkPk === undefined) return [];
  return await fillPage(
    limit,
    (last: CustomerRow | undefined, size) =>
      listRows({ ...filter, afterPk: last?.pk ?? filter.afterPk, limit: size }, linkPk),
    (rows) => withLinks(filter, rows, seen),
  );
}

async function withLinks(
  { workspacePk, pks }: CustomerFilter,
  rows: readonly CustomerRow[],
  seen: VisibleLinks,
): Promise<FoundCustomer[]> {
  const clicked = rows.flatMap(({ link_pk }) => link_pk ?? []);
  const linkOf = await findVisibleLinks(workspacePk, clicked, seen);
  return rows.flatMap((row) => {
    const link = row.link_pk === null ? undefined : linkOf.get(row.link_pk);
    const isShown = link !== undefined || pks !== undefined || row.link_pk === null;
    return isShown ? [{ ...row, ...(link ?? unseen) }] : [];
  });
}

async function listRows(
  filter: CustomerFilter,
  linkPk: number | undefined,
): Promise<CustomerRow[]> {
  const { list: values, place } = new SqlValues();
  const { workspacePk, id, hash, country, afterPk, pks, limit } = filter;
  const where = [
    `customer.workspace_pk = ${place(workspacePk, "int")}`,
    ...(id === undefined ? [] : [`customer.id = ${place(id, "text")}`]),
    ...(hash === undefined ? [] : [`customer.external_hash = ${place(hash, "bytea")}`]),
    ...(linkPk === undefined ? [] : [`customer.link_pk = ${place(linkPk, "bigint")}`]),
    ...(country === undefined ? [] : [`customer.country = ${place(country, "text")}`]),
    ...(afterPk === undefined ? [] : [`customer.pk < ${place(afterPk, "bigint")}`]),
    ...(pks === undefined ? [] : [`customer.pk = ANY(${place(pks, "bigint[]")})`]),
  ];
  // Answered by customer_list, customer_id_key, customer_external or customer_pkey.
  const text = `
    SELECT ${customerColumns}
    FROM customer
    WHERE ${where.join("\n      AND ")}
    ORDER BY customer.pk DESC
    LIMIT ${place(limit, "int")}`;
  return await query({ text, values });
}
