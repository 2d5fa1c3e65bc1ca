/**
 * Customers: what a workspace knows about people who became leads or bought something, encrypted with its keys of
 * people's data. A customer is found by a keyed digest of the external id. Whoever may not see people's data reads the
 * id of a customer only.
 */
import { newId } from "#lib/basics/ids";
import type { Connection } from "#lib/platform/postgres";
import { type PeopleKeys, replaceSealed, type SealedTable } from "#lib/tenancy/people-keys";
import { type CustomerFacts, sealFacts, unsealFacts } from "./facts.ts";
import { type CustomerRow, insertCustomer, lockByHash } from "./store.ts";

export { editCustomer, eraseCustomer, repeatErasure } from "./changes.ts";
export type { CustomerFacts } from "./facts.ts";
export { findPresented, getCustomer, listCustomers, presentWithoutFacts } from "./reading.ts";
export { addSale } from "./store.ts";

/** Answered by customer_list. */
const sealedFacts: SealedTable = { table: "customer", column: "sealed" };
/** Also the metadata of events, answered by conversion_workspace. */
export const sealedCustomers: readonly SealedTable[] = [
  sealedFacts,
  { table: "analytics.conversion", column: "metadata" },
];

/** The click that a new customer came with. */
export interface FirstClick {
  linkPk: number;
  at: Date;
  id: string;
  country: string | null;
}

/** A locked customer, decrypted. */
export interface OpenCustomer {
  row: CustomerRow;
  facts: CustomerFacts;
}

interface Writing {
  keys: PeopleKeys;
  /** What is known may replace what was known before. */
  mayChange: boolean;
  now: Date;
}

/**
 * The customer with an external id, locked until the commit; created with the click, if there is one. The version of the
 * keys is held by the caller. Undefined: there is no such customer, and no click.
 */
export async function putCustomer(
  tx: Connection,
  { keys, mayChange, now }: Writing,
  given: CustomerFacts,
  click: FirstClick | undefined,
): Promise<OpenCustomer | undefined> {
  const { workspacePk } = keys;
  const hash = keys.hash(given.externalId);
  const found = await lockByHash(tx, workspacePk, hash);
  if (found) return mayChange ? await addFacts(tx, keys, found, given) : openRow(keys, found);
  if (!click) return undefined;
  const id = newId("cus");
  await insertCustomer(tx, {
    id,
    workspacePk,
    hash,
    version: keys.version,
    sealed: sealFacts(keys, given, id),
    linkPk: click.linkPk,
    clickAt: click.at,
    clickId: click.id,
    country: click.country,
    now,
  });
  // Of concurrent calls the first creates it, and the others wait here.
  const row = await lockByHash(tx, workspacePk, hash);
  if (!row) throw new Error("A customer is neither new nor known");
  if (row.id === id || !mayChange) return openRow(keys, row);
  return await addFacts(tx, keys, row, given);
}

function openRow(keys: PeopleKeys, row: CustomerRow): OpenCustomer {
  return { row, facts: unsealFacts(keys, row) };
}

async function addFacts(
  tx: Connection,
  keys: PeopleKeys,
  row: CustomerRow,
  given: CustomerFacts,
): Promise<OpenCustomer> {
  const known = unsealFacts(keys, row);
  const facts = {
    externalId: known.externalId,
    name: given.name ?? known.name,
    email: given.email ?? known.email,
    avatar: given.avatar ?? known.avatar,
  };
  if (JSON.stringify(facts) !== JSON.stringify(known)) {
    const sealed = sealFacts(keys, facts, row.id);
    await replaceSealed(tx, sealedFacts, keys.version, [{ pk: row.pk, sealed }]);
  }
  return { row, facts };
}
