/** The SQL of lists of customers, which contain those whose first link the actor may see. */
import {
  fillPage,
  findVisibleLinks,
  findVisiblePk,
  type NamedLink,
  type VisibleLinks,
} from "#lib/links/visible-links";
import { query, SqlValues } from "#lib/platform/postgres";
import { type CustomerRow, customerColumns } from "./store.ts";

export interface CustomerFilter {
  workspacePk: number;
  id?: string | undefined;
  hash?: Buffer | undefined;
  linkUuid?: string | undefined;
  country?: string | undefined;
  afterPk?: number | undefined;
  pks?: readonly number[];
  limit: number;
}

export type FoundCustomer = CustomerRow & {
  [Name in keyof NamedLink]: NamedLink[Name] | null;
};

const unseen = { link_id: null, slug: null, key: null, url: null };

/**
 * Customers, newest first, with the link of their first click if the actor may see it. Who came with another link is not
 * listed, but named (`pks`) in the events that the actor may see.
 */
export async function findCustomers(
  filter: CustomerFilter,
  seen: VisibleLinks,
): Promise<FoundCustomer[]> {
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
