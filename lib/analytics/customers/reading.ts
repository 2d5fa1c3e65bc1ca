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
import { mapInSlices } from "#lib/platform/batches";
import { AppError } from "#lib/platform/errors";
import { query, SqlValues } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { openPeopleKeys, type PeopleKeys } from "#lib/tenancy/people-keys";
import { type Customer, type ListCustomers, type ListedCustomer, searchedMax } from "./schema.ts";
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
  const { externalId, linkId, country, email, search, sortBy, page = 1, pageSize } = asked;
  // defence: customer-search-needs-people
  if (email !== undefined || search !== undefined) assertMay(scope, "people.view");
  const seen = await visibleLinks(scope);
  const keys = await openPeopleKeys(workspacePk);
  const linkUuid = linkId === undefined ? undefined : parseId("link", linkId);
  if (linkId !== undefined && linkUuid === undefined) return [];
  const backwards = asked.endingBefore !== undefined;
  const rows = await findCustomers(
    {
      ...{ workspacePk, linkUuid, country, sortBy },
      hash: externalId === undefined ? undefined : keys.hash(externalId),
      matches: matcherOf(keys, { email, search }),
      after: await findCursor(scope, asked),
      ascending: (asked.sortOrder === "asc") !== backwards,
      limit: page * pageSize,
    },
    seen,
  );
  const shown = rows.slice((page - 1) * pageSize);
  return (backwards ? shown.toReversed() : shown).map((row) => presentListed(scope, keys, row));
}

async function findCursor(
  scope: WorkspaceScope,
  { startingAfter, endingBefore }: ListCustomers,
): Promise<CustomerRow | undefined> {
  const id = startingAfter ?? endingBefore;
  if (id === undefined) return undefined;
  const row = await findRow(scope, id);
  if (row) return row;
  const field = startingAfter === undefined ? "endingBefore" : "startingAfter";
  const message = `${field}: Customer "${id}" not found in this workspace. Use the id of a customer from another page.`;
  throw new AppError("unprocessable_entity", message);
}

type Matcher = (row: CustomerRow) => boolean;

/** Finds customers by what is encrypted. */
function matcherOf(
  keys: PeopleKeys,
  { email, search }: Pick<ListCustomers, "email" | "search">,
): Matcher | undefined {
  if (email === undefined && search === undefined) return undefined;
  const address = email?.toLowerCase();
  const part = search?.toLowerCase() ?? "";
  return (row) => {
    const facts = unsealFacts(keys, row);
    if (address !== undefined && facts.email?.toLowerCase() !== address) return false;
    const texts = [facts.externalId, facts.name, facts.email];
    return texts.some((text) => text?.toLowerCase().includes(part));
  };
}

/** By id, or by `ext_` and the external id. */
export async function getCustomer(scope: WorkspaceScope, id: string): Promise<ListedCustomer> {
  assertMay(scope, "analytics.read");
  return presentListed(scope, await openPeopleKeys(scope.workspacePk), await getRow(scope, id));
}

const externalPrefix = "ext_";

/** Also throws a 404 for a customer who came with a link that the actor may not see. */
export async function getRow(scope: WorkspaceScope, id: string): Promise<FoundCustomer> {
  const row = await findRow(scope, id);
  if (row) return row;
  throw new AppError("not_found", "Customer not found.");
}

async function findRow(scope: WorkspaceScope, id: string): Promise<FoundCustomer | undefined> {
  const { workspacePk } = scope;
  const external = id.startsWith(externalPrefix) ? id.slice(externalPrefix.length) : undefined;
  const keys = await openPeopleKeys(workspacePk);
  const by = external === undefined ? { id } : { hash: keys.hash(external) };
  const [row] = await findCustomers({ workspacePk, ...by, limit: 1 }, await visibleLinks(scope));
  return row;
}

interface CustomerFilter {
  workspacePk: number;
  id?: string | undefined;
  hash?: Buffer | undefined;
  linkUuid?: string | undefined;
  country?: string | undefined;
  matches?: Matcher | undefined;
  sortBy?: ListCustomers["sortBy"];
  ascending?: boolean;
  after?: CustomerRow | undefined;
  pks?: readonly number[];
  limit: number;
}

type FoundCustomer = CustomerRow & { [Name in keyof NamedLink]: NamedLink[Name] | null };

const unseen = { link_id: null, slug: null, key: null, url: null };

/** Newest first, unless sorted. `pks` are found even if the actor may not see their first link. */
async function findCustomers(filter: CustomerFilter, seen: VisibleLinks): Promise<FoundCustomer[]> {
  const { workspacePk, linkUuid, limit } = filter;
  const linkPk =
    linkUuid === undefined ? undefined : await findVisiblePk(workspacePk, linkUuid, seen);
  if (linkUuid !== undefined && linkPk === undefined) return [];
  let searched = 0;
  return await fillPage(
    limit,
    (last: CustomerRow | undefined, size) =>
      listRows({ ...filter, after: last ?? filter.after, limit: size }, linkPk),
    async (rows) => {
      if (!filter.matches) return await withLinks(filter, rows, seen);
      searched += rows.length;
      if (searched > searchedMax) throw tooMany();
      return await withLinks(filter, await matching(rows, filter.matches), seen);
    },
  );
}

async function matching(rows: readonly CustomerRow[], matches: Matcher): Promise<CustomerRow[]> {
  const found = await mapInSlices(rows, (row) => (matches(row) ? row : undefined));
  return found.flatMap((row) => row ?? []);
}

function tooMany(): AppError {
  const message = "This workspace has too many customers to search. Add linkId or country.";
  return new AppError("unprocessable_entity", message);
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
  const { workspacePk, id, hash, country, pks, limit, ascending = false } = filter;
  const order = ascending ? "ASC" : "DESC";
  const sorted = sortedBy[filter.sortBy ?? "createdAt"];
  const where = [
    `customer.workspace_pk = ${place(workspacePk, "int")}`,
    ...(id === undefined ? [] : [`customer.id = ${place(id, "text")}`]),
    ...(hash === undefined ? [] : [`customer.external_hash = ${place(hash, "bytea")}`]),
    ...(linkPk === undefined ? [] : [`customer.link_pk = ${place(linkPk, "bigint")}`]),
    ...(country === undefined ? [] : [`customer.country = ${place(country, "text")}`]),
    ...beyond(filter, place),
    ...(pks === undefined ? [] : [`customer.pk = ANY(${place(pks, "bigint[]")})`]),
  ];
  // Answered by customer_list, customer_id_key, customer_external or customer_pkey. Orders by sales sort all of the workspace.
  const text = `
    SELECT ${customerColumns}
    FROM customer
    WHERE ${where.join("\n      AND ")}
    ORDER BY ${sorted.map((column) => `${column} ${order}`).join(", ")}
    LIMIT ${place(limit, "int")}`;
  return await query({ text, values });
}

/** Columns of an order, each of which ends with the creation. */
const sortedBy = {
  createdAt: ["customer.pk"],
  saleAmount: ["customer.sale_amount", "customer.pk"],
  firstSaleAt: ["coalesce(customer.first_sale_at, '-infinity')", "customer.pk"],
} as const satisfies Record<ListCustomers["sortBy"], readonly string[]>;

function beyond(
  { after, sortBy = "createdAt", ascending = false }: CustomerFilter,
  place: SqlValues["place"],
): string[] {
  if (!after) return [];
  const values = {
    createdAt: () => [],
    saleAmount: () => [place(after.sale_amount, "bigint")],
    firstSaleAt: () => [
      `coalesce(${place(after.first_sale_at, "timestamptz")}, '-infinity'::timestamptz)`,
    ],
  };
  const position = [...values[sortBy](), place(after.pk, "bigint")];
  const columns = sortedBy[sortBy].join(", ");
  return [`(${columns}) ${ascending ? ">" : "<"} (${position.join(", ")})`];
}
