/**
 * Customers: what a workspace knows about people who became leads or bought something, encrypted with its keys of
 * people's data. A customer is found by a keyed digest of the external id. Whoever may not see people's data reads the
 * id of a customer only.
 */
import { shortUrl } from "#lib/links/hosts";
import { visibleLinks } from "#lib/links/visible-links";
import { AppError } from "#lib/platform/errors";
import { newId, parseId, presentId } from "#lib/platform/ids";
import { type Connection, transaction } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { holdVersion, openPeopleKeys, type PeopleKeys } from "#lib/tenancy/people-keys";
import type { Customer, ListCustomers, ListedCustomer } from "./schema.ts";
import {
  type CustomerRow,
  deleteCustomer,
  type FoundCustomer,
  findCustomers,
  insertCustomer,
  listOlder,
  listOlderEvents,
  lockByHash,
  updateMetadata,
  updateSealed,
} from "./store.ts";

export { addSale, usesVersion as customersUseVersion } from "./store.ts";

/** What is encrypted. */
export interface CustomerFacts {
  externalId: string;
  name: string | null;
  email: string | null;
  avatar: string | null;
}

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

function sealFacts(keys: PeopleKeys, facts: CustomerFacts, id: string): Buffer {
  const { externalId, name, email, avatar } = facts;
  return keys.seal(JSON.stringify([externalId, name, email, avatar]), id);
}

function unsealFacts(keys: PeopleKeys, { id, key_version: version, sealed }: CustomerRow) {
  const [externalId, name, email, avatar]: [string, string | null, string | null, string | null] =
    JSON.parse(keys.unseal({ version, sealed }, id));
  return { externalId, name, email, avatar } satisfies CustomerFacts;
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
    await updateSealed(tx, keys.version, [{ pk: row.pk, sealed: sealFacts(keys, facts, row.id) }]);
  }
  return { row, facts };
}

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

async function getRow(scope: WorkspaceScope, id: string): Promise<FoundCustomer> {
  const { workspacePk } = scope;
  const external = id.startsWith(externalPrefix) ? id.slice(externalPrefix.length) : undefined;
  const keys = await openPeopleKeys(workspacePk);
  const by = external === undefined ? { id } : { hash: keys.hash(external) };
  const [row] = await findCustomers({ workspacePk, ...by, limit: 1 }, await visibleLinks(scope));
  if (row) return row;
  throw new AppError("not_found", "Customer not found.");
}

/**
 * Erases a customer: what is known about the person, and the metadata of their events. Leads and sales stay counted,
 * without a customer.
 */
export async function eraseCustomer(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "conversions.write");
  assertMay(scope, "people.view");
  const row = await getRow(scope, id);
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    if (!(await deleteCustomer(tx, workspacePk, row.id))) return;
    await recordAudit(tx, [{ workspacePk, actor, action: "customer.erase", subject: row.id }]);
  });
  return { id: row.id };
}

/** The metadata of an event, encrypted. */
export function sealMetadata(keys: PeopleKeys, metadata: object, eventId: string): Buffer {
  return keys.seal(JSON.stringify(metadata), eventId);
}

export interface SealedMetadata {
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

/** Encrypts what has an older version with the newest one. Returns the number of rows. */
export async function resealCustomers(keys: PeopleKeys, rowsMax: number): Promise<number> {
  return await transaction(async (tx) => {
    await holdVersion(tx, keys);
    const { workspacePk, version } = keys;
    const again = (row: { pk: number; bound: string; version: number; sealed: Buffer }) => ({
      pk: row.pk,
      sealed: keys.seal(keys.unseal(row, row.bound), row.bound),
    });
    const customers = await listOlder(tx, workspacePk, version, rowsMax);
    const events = await listOlderEvents(tx, workspacePk, version, rowsMax);
    if (customers.length > 0) await updateSealed(tx, version, customers.map(again));
    if (events.length > 0) await updateMetadata(tx, version, events.map(again));
    return customers.length + events.length;
  });
}
