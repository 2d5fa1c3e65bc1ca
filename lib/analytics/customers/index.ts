/**
 * Customers: what a workspace knows about people who became leads or bought something, encrypted
 * with its keys of people's data. A customer is found by a keyed digest of the external id. Without
 * people.view, an actor only sees the id of a customer.
 */
import { newId } from "#lib/basics/ids";
import type { Connection } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import {
  openPeopleKeys,
  type PeopleKeys,
  replaceSealed,
  type SealedTable,
} from "#lib/tenancy/people-keys";
import {
  type CustomerFacts,
  type CustomerRow,
  insertCustomer,
  lockByHash,
  sealFacts,
  unsealFacts,
} from "./store.ts";

export { editCustomer, eraseCustomer, repeatErasure } from "./changes.ts";
export { findPresented, getCustomer, listCustomers, presentWithoutFacts } from "./reading.ts";
export type { CustomerFacts } from "./store.ts";
export { addSale } from "./store.ts";

/** Answered by customer_list. */
const sealedFacts: SealedTable = { table: "customer", column: "sealed" };
/** Also the metadata of events. Answered by conversion_workspace. */
export const sealedCustomers: readonly SealedTable[] = [
  sealedFacts,
  { table: "analytics.conversion", column: "metadata" },
];

export interface FirstClick {
  linkPk: number;
  at: Date;
  id: string;
  country: string | null;
}

export interface OpenCustomer {
  row: CustomerRow;
  facts: CustomerFacts;
}

interface Writing {
  keys: PeopleKeys;
  mayChange: boolean;
  now: Date;
}

/** Locks or creates the customer. Undefined for a new customer without a click. */
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

export function sealMetadata(keys: PeopleKeys, metadata: object, eventId: string): Buffer {
  return keys.seal(JSON.stringify(metadata), eventId);
}

interface SealedMetadata {
  id: string;
  key_version: number | null;
  metadata: Buffer | null;
}

/** In the order of the rows; null without metadata, and without people.view. */
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
