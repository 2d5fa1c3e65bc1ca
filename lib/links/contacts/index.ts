/**
 * Contacts: people who answered a form of a link. What they said is encrypted with the keys of the workspace; a person is
 * found again by a keyed digest of the phone, else of the email address. Only who may see people's data reads any of it.
 */
import {
  type CodePlace,
  type StartedCode,
  startPhoneCode,
  tryPhoneCode,
} from "#lib/links/phone-codes";
import { type Connection, transaction } from "#lib/platform/postgres";
import { withPeopleKeys } from "#lib/tenancy/people-keys";
import { insertVisits, type MarkedVisit } from "./history-store.ts";
import { addSubmission, type Submission } from "./saving.ts";

export { contactJobs, eraseContact, repeatContactErasure, withdrawContact } from "./erasing.ts";
export type { MarkedVisit } from "./history-store.ts";
export { contactFacts, exportContacts, getContact, listContacts } from "./reading.ts";
export { contactsUseVersion, resealContacts } from "./sealing.ts";

/** Stores an answer in one transaction with its contact and the event of webhooks. Returns the UUID of the contact. */
export async function saveAnswer(submission: Submission): Promise<string> {
  return await withPeopleKeys(submission.form.workspacePk, (keys) =>
    transaction((tx) => addSubmission(tx, keys, submission, { phoneConfirmed: false })),
  );
}

type Answers = Omit<Submission, "form" | "linkPk">;

function placeOf({ form, linkPk }: Pick<Submission, "form" | "linkPk">): CodePlace {
  return { workspacePk: form.workspacePk, formPk: form.pk, linkPk };
}

/** Keeps the answers until the code was entered. A worker sends it: no gateway is called here. */
export async function startConfirmation(
  submission: Submission & { phone: string },
): Promise<StartedCode> {
  const { form, phone, facts, given, marketing, language, country } = submission;
  const answers: Answers = { facts, given, marketing, language, country };
  return await startPhoneCode({
    place: placeOf(submission),
    formVersion: form.version,
    phone,
    language,
    answers: JSON.stringify(answers),
  });
}

/** What `startConfirmation` wrote. */
function readAnswers(text: string): Answers {
  return JSON.parse(text) as Answers;
}

type Confirmed =
  /** The UUID of the contact. */
  { kind: "confirmed"; contact: string } | { kind: "wrong"; triesLeft: number } | { kind: "gone" };

/** Stores the answers that wait for this code, to the version of the form that they were given to. */
export async function confirmAnswer(
  at: Pick<Submission, "form" | "linkPk">,
  id: string,
  code: string,
): Promise<Confirmed> {
  const tried = await tryPhoneCode(placeOf(at), id, code);
  if (tried.kind !== "right") return tried;
  const { formVersion, keys, take } = tried;
  const { form, linkPk } = at;
  const answers = readAnswers(tried.answers);
  return await transaction(async (tx): Promise<Confirmed> => {
    if (!(await take(tx))) return { kind: "gone" };
    const submission = { form: { ...form, version: formVersion }, linkPk, ...answers };
    const contact = await addSubmission(tx, keys, submission, { phoneConfirmed: true });
    return { kind: "confirmed", contact };
  });
}

/** Adds counted clicks of contacts, in the transaction that counts them. */
export async function addContactVisits(
  tx: Connection,
  visits: readonly MarkedVisit[],
): Promise<void> {
  if (visits.length > 0) await insertVisits(tx, visits);
}
