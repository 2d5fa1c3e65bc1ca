/** Stores answers of visitors, at once or after a code by SMS, and codes of WeChat. */
import { addSubmission } from "#lib/audience/contacts";
import type { Submission } from "#lib/audience/contacts/schema";
import {
  type CodePlace,
  type StartedCode,
  startPhoneCode,
  tryPhoneCode,
} from "#lib/audience/phone-codes";
import { addWechatCode } from "#lib/audience/wechat-codes";
import { transaction } from "#lib/platform/postgres";
import { withPeopleKeys } from "#lib/tenancy/people-keys";

/** Stores an answer with its contact and its event. Returns the UUID of the contact. */
export async function saveAnswer(submission: Submission): Promise<string> {
  return await withPeopleKeys(submission.form.workspacePk, (keys) =>
    transaction((tx) => addSubmission(tx, keys, submission, { phoneConfirmed: false })),
  );
}

type Answers = Omit<Submission, "form" | "linkPk"> & {
  /** Whether WeChat asks the visitor afterwards. */
  wechat: boolean;
};

function placeOf({ form, linkPk }: Pick<Submission, "form" | "linkPk">): CodePlace {
  return { workspacePk: form.workspacePk, formPk: form.pk, linkPk };
}

/** Keeps the answers until the code is entered. A worker sends it, so no gateway is called here. */
export async function startConfirmation(
  submission: Submission & { phone: string; wechat: boolean },
): Promise<StartedCode> {
  const { form, phone, facts, given, marketing, language, country, wechat } = submission;
  const answers: Answers = { facts, given, marketing, language, country, wechat };
  return await startPhoneCode({
    place: placeOf(submission),
    formVersion: form.version,
    phone,
    countries: form.content.codeCountries ?? [],
    language,
    answers: JSON.stringify(answers),
  });
}

/** Sound because `startConfirmation` wrote it. */
function readAnswers(text: string): Answers {
  return JSON.parse(text) as Answers;
}

type Confirmed =
  | { kind: "confirmed"; contact: string; wechat: boolean }
  | { kind: "wrong"; triesLeft: number }
  | { kind: "gone" };

/** Stores the answers waiting for this code, with the version of the form that the visitor answered. */
export async function confirmAnswer(
  at: Pick<Submission, "form" | "linkPk">,
  id: string,
  code: string,
): Promise<Confirmed> {
  const tried = await tryPhoneCode(placeOf(at), id, code);
  if (tried.kind !== "right") return tried;
  const { formVersion, keys, take } = tried;
  const { form, linkPk } = at;
  const { wechat, ...answers } = readAnswers(tried.answers);
  return await transaction(async (tx): Promise<Confirmed> => {
    if (!(await take(tx))) return { kind: "gone" };
    const submission = { form: { ...form, version: formVersion }, linkPk, ...answers };
    const contact = await addSubmission(tx, keys, submission, { phoneConfirmed: true });
    return { kind: "confirmed", contact, wechat: wechat ?? false };
  });
}

export interface WechatReturn {
  /** In the version that the visitor agreed to. */
  form: Submission["form"];
  linkPk: number;
  /** UUID of the contact, or empty if the visitor is unknown. */
  contact: string;
  marketing: boolean;
  language: string;
  country: string | null;
  state: string;
  accountPk: number;
  /** Whether to fetch name and picture too. */
  profile: boolean;
  code: string;
}

class UsedState extends Error {}

/**
 * Keeps the code that a visitor brought back from WeChat. Creates a contact in the same transaction
 * if there is none. Returns the UUID of the contact, or undefined if the state was used before or
 * the contact was erased.
 */
export async function keepWechatCode(given: WechatReturn): Promise<string | undefined> {
  const { form, linkPk, marketing, language, country, state, accountPk, profile, code } = given;
  const isNew = given.contact === "";
  const facts = { phone: null, email: null, name: null };
  const submission = { form, linkPk, facts, given: [], marketing, language, country };
  try {
    return await withPeopleKeys(form.workspacePk, (keys) =>
      transaction(async (tx) => {
        const contact = isNew
          ? await addSubmission(tx, keys, submission, { phoneConfirmed: false, isUnknown: true })
          : given.contact;
        const kept = await addWechatCode(tx, keys, {
          ...{ id: state, accountPk, contact, linkPk, isNew, profile, code },
          ...{ formPk: form.pk, formVersion: form.version },
        });
        if (!kept) throw new UsedState();
        return contact;
      }),
    );
  } catch (error) {
    if (error instanceof UsedState) return undefined;
    throw error;
  }
}
