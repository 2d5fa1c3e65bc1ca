/**
 * Codes by SMS, which confirm the phone of an answer before the answer counts:
 *
 *     due ──attempt──▶ attempting ──▶ sent ──code──▶ deleted, with the contact stored
 *      ▲                   ├────────▶ failed, optedOut
 *      └── not sent ◀──────┘
 *      └── another code is requested, from any state
 *
 * The answers wait here, encrypted. A worker (outreach/phone-code-sending) commits an attempt,
 * draws the code, stores its keyed digest, and calls the gateway. Nothing stores a code. If a
 * worker dies, its attempts are not repeated, and the visitor requests another code. Each request
 * has its own row, so that nobody changes the answers that wait for someone else’s code.
 */
import { randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import { type Connection, transaction } from "#lib/platform/postgres";
import { isFeatureOn } from "#lib/tenancy/features";
import {
  holdVersion,
  openPeopleKeys,
  type PeopleKeys,
  type SealedTable,
  withPeopleKeys,
} from "#lib/tenancy/people-keys";
import { askWithin, type CodeRefusal, findAllowance } from "./allowance.ts";
import { codeDigits, codeGapSeconds, codeMinutes, codeTriesMax } from "./schema.ts";
import {
  type ClaimedRow,
  type CodePlace,
  claimDue,
  countTry,
  findOpen,
  insertRow,
  type PhoneCodeRow,
  type PhoneCodeState,
  renewRow,
  setCode,
  settleRow,
  takeRow,
} from "./store.ts";

export { claimRises, findCodeCountries } from "./allowance.ts";
export type { ClaimedRow, CodePlace } from "./store.ts";
export { deleteOfPhone as forgetPhoneCodes, settleRow as settlePhoneCode } from "./store.ts";

/** Answered by phone_code_phone. The rows expire before their key is dropped. */
export const sealedPhoneCodes: SealedTable = { table: "phone_code", column: "sealed" };

// defence: phone-code-minutes
const validMs = codeMinutes * 60_000;

interface Waiting {
  place: CodePlace;
  formVersion: number;
  phone: string;
  /** Where the form sends codes. Empty: the countries of the workspace. */
  countries: readonly string[];
  language: string;
  answers: string;
}

export type StartedCode = { ok: true; id: string } | { ok: false; reason: CodeRefusal };

/**
 * Stores answers until the code is entered. Only the worker looks up opt-outs, so that neither the
 * response nor its timing reveals which phones are on the list.
 */
export async function startPhoneCode(waiting: Waiting, now = new Date()): Promise<StartedCode> {
  const { place, formVersion, phone, countries, language, answers } = waiting;
  if (!(await isFeatureOn("sending"))) return { ok: false, reason: "off" };
  const allowance = await findAllowance(place.workspacePk, phone, countries);
  if (typeof allowance === "string") return { ok: false, reason: allowance };
  return await withPeopleKeys(place.workspacePk, async (keys) => {
    const phoneHash = keys.hash(phone);
    // Random, because other ids contain their time, and this one must not be guessed.
    const id = randomUUID();
    const sealed = keys.seal(JSON.stringify([phone, answers]), id);
    const expiresAt = new Date(now.getTime() + validMs);
    const started = await askWithin(place.workspacePk, allowance, async (tx) => {
      await holdVersion(tx, keys);
      const { version } = keys;
      await insertRow(tx, {
        ...place,
        ...{ id, formVersion, phoneHash, version, sealed, language, now, expiresAt },
      });
      return true;
    });
    return started ? { ok: true, id } : { ok: false, reason: "budget" };
  });
}

function unsealRow(
  keys: PeopleKeys,
  { id, key_version: version, sealed }: Pick<PhoneCodeRow, "id" | "key_version" | "sealed">,
): { phone: string; answers: string } {
  const [phone = "", answers = ""]: string[] = JSON.parse(keys.unseal({ version, sealed }, id));
  return { phone, answers };
}

export interface OpenCode {
  pk: number;
  phone: string;
  state: PhoneCodeState;
}

export async function findPhoneCode(
  place: CodePlace,
  id: string,
  now = new Date(),
): Promise<OpenCode | undefined> {
  const row = await findOpen(place, id, { now, triesMax: codeTriesMax });
  if (!row) return undefined;
  const { phone } = unsealRow(await openPeopleKeys(place.workspacePk), row);
  return { pk: row.pk, phone, state: row.state };
}

/** Requests another code. early: less than a minute after the last request. */
export async function renewPhoneCode(
  workspacePk: number,
  { pk, phone }: OpenCode,
  countries: readonly string[],
  now = new Date(),
): Promise<"renewed" | "early" | CodeRefusal> {
  const allowance = await findAllowance(workspacePk, phone, countries);
  if (typeof allowance === "string") return allowance;
  // defence: phone-code-gap
  const askedBefore = new Date(now.getTime() - codeGapSeconds * 1_000);
  const times = { now, askedBefore, expiresAt: new Date(now.getTime() + validMs) };
  // defence: renewed-code-counts
  const renewed = await askWithin(workspacePk, allowance, (tx) => renewRow(tx, pk, times));
  if (renewed === undefined) return "budget";
  return renewed ? "renewed" : "early";
}

type TriedCode =
  | { kind: "right"; keys: PeopleKeys; formVersion: number; answers: string; take: TakeCode }
  | { kind: "wrong"; triesLeft: number }
  /** Expired, used, out of tries, or of another link. */
  | { kind: "gone" };

/** Uses the code up in the transaction that stores the answers. False: it was used meanwhile. */
type TakeCode = (tx: Connection) => Promise<boolean>;

/** Compares a code. Each call uses one of the tries. */
export async function tryPhoneCode(
  place: CodePlace,
  id: string,
  code: string,
  now = new Date(),
): Promise<TriedCode> {
  const row = await countTry(place, id, { now, triesMax: codeTriesMax });
  if (!row) return { kind: "gone" };
  const keys = await openPeopleKeys(place.workspacePk);
  const given = hashOf(keys, row.id, code);
  if (!row.code_hash || !timingSafeEqual(row.code_hash, given)) {
    return { kind: "wrong", triesLeft: codeTriesMax - row.tries };
  }
  const { answers } = unsealRow(keys, row);
  // defence: phone-code-once
  const take = (tx: Connection) => takeRow(tx, row.pk, given);
  return { kind: "right", keys, formVersion: row.form_version, answers, take };
}

/** Includes the id of the row, so that the same code for another phone has another digest. */
function hashOf(keys: PeopleKeys, id: string, code: string): Buffer {
  // defence: phone-code-of-phone
  return keys.hash(`phone code ${id} ${code}`);
}

const perWorkspace = 10;
const lostMs = 30_000;

/** Marks a due code as being sent, and returns it. */
export async function claimPhoneCode(
  /** Runs in the transaction of the attempt, so that a later opt-out counts as after the message. */
  optedOut: (tx: Connection, workspacePk: number, phoneHash: Buffer) => Promise<boolean>,
): Promise<{ row: ClaimedRow; isOptedOut: boolean } | undefined> {
  return await transaction(async (tx) => {
    const row = await claimDue(tx, { perWorkspace, lostMs });
    if (!row) return undefined;
    const isOut = await optedOut(tx, row.workspace_pk, row.phone_hash);
    if (isOut) await settleRow(row, { state: "optedOut" }, tx);
    return { row, isOptedOut: isOut };
  });
}

/** Undefined: another code was requested meanwhile, or the person was erased. */
export async function drawPhoneCode(
  row: ClaimedRow,
  random: (below: number) => number = randomInt,
): Promise<{ phone: string; code: string } | undefined> {
  const keys = await openPeopleKeys(row.workspace_pk);
  const code = String(random(10 ** codeDigits)).padStart(codeDigits, "0");
  if (!(await setCode(row, hashOf(keys, row.id, code)))) return undefined;
  return { phone: unsealRow(keys, row).phone, code };
}
