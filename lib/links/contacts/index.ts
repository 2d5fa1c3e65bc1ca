/**
 * Contacts: people who answered a form of a link. What they said is encrypted with the keys of the workspace; a person is
 * found again by a keyed digest of the phone, else of the email address. Only who may see people's data reads any of it.
 */
import type { ShownForm } from "#lib/links/forms/schema";
import { findByPks, presentFound } from "#lib/links/presenting";
import { newUuid, presentId } from "#lib/platform/ids";
import { type Connection, transaction } from "#lib/platform/postgres";
import { holdVersion, type PeopleKeys, withPeopleKeys } from "#lib/tenancy/people-keys";
import { addEvents, findListener } from "#lib/tenancy/webhook-events";
import {
  type ContactFacts,
  type GivenAnswer,
  identityOf,
  sealFacts,
  sealGiven,
  unsealFacts,
} from "./facts.ts";
import { insertVisits, type MarkedVisit } from "./history-store.ts";
import {
  type ContactRow,
  insertAnswer,
  insertContact,
  lockByHash,
  updateContact,
} from "./store.ts";

export { contactJobs, eraseContact, repeatContactErasure, withdrawContact } from "./erasing.ts";
export type { ContactFacts, GivenAnswer } from "./facts.ts";
export type { MarkedVisit } from "./history-store.ts";
export { contactFacts, exportContacts, getContact, listContacts } from "./reading.ts";
export { contactsUseVersion, resealContacts } from "./sealing.ts";

/** What a visitor sent, valid. */
interface Submission {
  form: ShownForm;
  linkPk: number;
  facts: ContactFacts;
  given: readonly GivenAnswer[];
  marketing: boolean;
  language: string;
  /** ISO 3166-1, if known. */
  country: string | null;
}

/** Stores an answer in one transaction with its contact and the event of webhooks. Returns the UUID of the contact. */
export async function saveAnswer(submission: Submission): Promise<string> {
  const { form, facts } = submission;
  return await withPeopleKeys(form.workspacePk, (keys) =>
    transaction(async (tx) => {
      await holdVersion(tx, keys);
      const now = new Date();
      const { row, isNew } = await putContact(tx, keys, submission, now);
      const known = unsealFacts(keys, row);
      const merged = {
        phone: facts.phone ?? known.phone,
        email: facts.email ?? known.email,
        name: facts.name ?? known.name,
      };
      await updateContact(tx, {
        pk: row.pk,
        version: keys.version,
        sealed: sealFacts(keys, merged, row.id),
        country: submission.country ?? row.country,
        marketing: submission.marketing,
        now,
      });
      await addAnswer(tx, keys, { row, submission, now });
      if (isNew) await tellWebhooks(tx, row, submission, now);
      return row.id;
    }),
  );
}

async function putContact(
  tx: Connection,
  keys: PeopleKeys,
  { facts, country }: Submission,
  now: Date,
): Promise<{ row: ContactRow; isNew: boolean }> {
  const id = newUuid();
  const { workspacePk, version } = keys;
  const hash = keys.hash(identityOf(facts) ?? id);
  const sealed = sealFacts(keys, facts, id);
  await insertContact(tx, { id, workspacePk, hash, version, sealed, country, now });
  const row = await lockByHash(tx, workspacePk, hash);
  if (!row) throw new Error("A contact is neither new nor known");
  return { row, isNew: row.id === id };
}

interface AddedAnswer {
  row: ContactRow;
  submission: Submission;
  now: Date;
}

async function addAnswer(
  tx: Connection,
  keys: PeopleKeys,
  { row, submission, now }: AddedAnswer,
): Promise<void> {
  const { form, linkPk, given, marketing, language } = submission;
  const id = newUuid();
  await insertAnswer(tx, {
    id,
    workspacePk: keys.workspacePk,
    contactPk: row.pk,
    formPk: form.pk,
    formVersion: form.version,
    linkPk,
    now,
    marketing,
    language,
    version: keys.version,
    sealed: sealGiven(keys, given, id),
  });
}

/** Without what is encrypted: events are stored until they are delivered. */
async function tellWebhooks(
  tx: Connection,
  row: ContactRow,
  { form, linkPk, marketing, country }: Submission,
  now: Date,
): Promise<void> {
  const { workspacePk } = form;
  const listener = await findListener(tx, workspacePk, "contact.created");
  if (!listener) return;
  const found = await findByPks(workspacePk, [linkPk], tx);
  const [link] = await presentFound(listener, found, tx);
  if (!link) return;
  const contact = {
    id: presentId("con", row.id),
    country,
    marketing,
    createdAt: now.toISOString(),
  };
  const data = { contact, form: { id: form.id, version: form.version }, link };
  await addEvents(tx, [{ workspacePk, type: "contact.created", linkId: link.id, data }]);
}

/** Adds counted clicks of contacts, in the transaction that counts them. */
export async function addContactVisits(
  tx: Connection,
  visits: readonly MarkedVisit[],
): Promise<void> {
  if (visits.length > 0) await insertVisits(tx, visits);
}
