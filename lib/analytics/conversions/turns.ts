/** Who reports a conversion, and the transaction in which it is recorded. */
import {
  addSale,
  type CustomerFacts,
  type FirstClick,
  type OpenCustomer,
  putCustomer,
} from "#lib/analytics/customers";
import { sealMetadata } from "#lib/analytics/event-metadata";
import { newUuid } from "#lib/basics/ids";
import { type Connection, transaction } from "#lib/platform/postgres";
import { holdVersion, type PeopleKeys, withPeopleKeys } from "#lib/tenancy/people-keys";
import type { Clicks } from "./clicks.ts";
import type { TrackLead } from "./schema.ts";
import { addToStat, type EventRow } from "./store.ts";
import { tellWebhooks } from "./told.ts";

/** Who reports. */
export interface Reporter extends Clicks {
  workspaceId: string;
  verified: boolean;
  /** May read what is known about a customer; otherwise only what the call itself says. */
  seesPeople: boolean;
}

/** One transaction of a customer. */
export interface Turn {
  tx: Connection;
  keys: PeopleKeys;
  reporter: Reporter;
  now: Date;
}

/** Runs work with the keys of the workspace, whose version stays until the commit. */
export async function inTurn<T>(reporter: Reporter, work: (turn: Turn) => Promise<T>): Promise<T> {
  return await withPeopleKeys(reporter.workspacePk, (keys) =>
    transaction(async (tx) => {
      await holdVersion(tx, keys);
      return await work({ tx, keys, reporter, now: new Date() });
    }),
  );
}

type Person = Pick<
  TrackLead,
  "customerExternalId" | "customerName" | "customerEmail" | "customerAvatar"
>;

export async function lockCustomer(
  { tx, keys, reporter, now }: Turn,
  person: Person,
  click: FirstClick | undefined,
): Promise<LockedCustomer | undefined> {
  const given: CustomerFacts = {
    externalId: person.customerExternalId,
    name: person.customerName || null,
    email: person.customerEmail || null,
    avatar: person.customerAvatar || null,
  };
  // Anyone can use a public key: it creates customers, and changes none.
  // defence: public-key-changes-no-customer
  const writing = { keys, mayChange: reporter.verified, now };
  const customer = await putCustomer(tx, writing, given, click);
  return customer && { ...customer, shown: reporter.seesPeople ? customer.facts : given };
}

/** A customer, and what the reporter may read of it. */
export interface LockedCustomer extends OpenCustomer {
  shown: CustomerFacts;
}

/** What leads and sales have in common. */
export function newEvent(
  { keys, reporter, now }: Turn,
  { row }: OpenCustomer,
  metadata: object | null,
) {
  const id = newUuid();
  return {
    id,
    at: now,
    workspacePk: reporter.workspacePk,
    customerPk: row.pk,
    verified: reporter.verified,
    version: metadata ? keys.version : null,
    metadata: metadata ? sealMetadata(keys, metadata, id) : null,
  };
}

interface Counting {
  lead?: EventRow;
  leads?: number;
  sale?: EventRow;
}

/** Adds what was recorded to the counters, and tells webhooks. */
export async function count(
  { tx, reporter, now }: Turn,
  { row, facts }: OpenCustomer,
  { lead, leads = 0, sale }: Counting,
): Promise<void> {
  const { workspacePk } = reporter;
  const linkPk = (sale ?? lead)?.link_pk;
  if (linkPk === undefined) return;
  // defence: public-sales-apart
  const counted = sale?.verified === true ? sale : undefined;
  if (counted) await addSale(tx, row.pk, counted.amount, now);
  await addToStat(
    tx,
    { workspacePk, linkPk },
    {
      leads,
      conversions: counted && row.sales === 0 ? 1 : 0,
      sales: counted ? 1 : 0,
      saleAmount: counted?.amount ?? 0,
    },
  );
  const told = { ...(lead ? { lead } : {}), ...(sale ? { sale } : {}) };
  await tellWebhooks(tx, reporter, { row, externalId: facts.externalId }, told);
}
