import { newUuid, presentId } from "#lib/basics/ids";
import { findByPks, presentFound } from "#lib/links/presenting";
import type { Connection } from "#lib/platform/postgres";
import { holdVersion, type PeopleKeys } from "#lib/tenancy/people-keys";
import { addEvents, findListener } from "#lib/tenancy/webhook-events";
import { identityOf, sealFacts, sealGiven, unsealFacts } from "./facts.ts";
import type { Submission } from "./schema.ts";
import {
  type ContactRow,
  insertAnswer,
  insertContact,
  lockByHash,
  updateContact,
} from "./store.ts";

export interface AnswerState {
  phoneConfirmed: boolean;
  /** We don’t know yet who answered, so there is no event and no lead. */
  isUnknown?: boolean;
}

/** Stores a contact, an answer and an event of webhooks. Returns the UUID of the contact. */
export async function addSubmission(
  tx: Connection,
  keys: PeopleKeys,
  submission: Submission,
  { phoneConfirmed, isUnknown = false }: AnswerState,
): Promise<string> {
  const { facts, marketing } = submission;
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
    ...{ marketing, phoneConfirmed, now },
  });
  await addAnswer(tx, keys, { row, submission, now, isLead: !isUnknown });
  if (isNew && !isUnknown) {
    await addContactEvent(tx, { row, submission, phoneConfirmed, now }, "contact.created");
  }
  return row.id;
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
  isLead: boolean;
}

async function addAnswer(
  tx: Connection,
  keys: PeopleKeys,
  { row, submission, now, isLead }: AddedAnswer,
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
    isLead,
  });
}

interface ContactEvent {
  row: Pick<ContactRow, "id">;
  submission: Pick<Submission, "linkPk" | "marketing" | "country"> & {
    form: { id: string; version: number; workspacePk: number };
  };
  phoneConfirmed: boolean;
  now: Date;
}

/** Leaves out encrypted data, because events are stored. `merged`: the id of a merged contact. */
export async function addContactEvent(
  tx: Connection,
  { row, submission, phoneConfirmed, now }: ContactEvent,
  type: "contact.created" | "contact.updated",
  merged: string | null = null,
): Promise<void> {
  const { form, linkPk, marketing, country } = submission;
  const { workspacePk } = form;
  const listener = await findListener(tx, workspacePk, type);
  if (!listener) return;
  const found = await findByPks(workspacePk, [linkPk], tx);
  const [link] = await presentFound(listener, found, tx);
  if (!link) return;
  const contact = {
    id: presentId("con", row.id),
    country,
    phoneConfirmed,
    marketing,
    createdAt: now.toISOString(),
  };
  const data = {
    contact,
    ...(type === "contact.updated" ? { merged } : {}),
    form: { id: form.id, version: form.version },
    link,
  };
  await addEvents(tx, [{ workspacePk, type, linkId: link.id, data }]);
}
