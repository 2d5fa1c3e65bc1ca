/**
 * Sends the codes that confirm phones of forms (audience/phone-codes) with the gateway of the form.
 * Without one, writes them to the log of this process. An attempt is committed before the gateway is
 * called and repeated only if it was certainly not sent. Visitors wait for these messages, so they
 * ignore the rate of the gateway, and campaigns get what is left of it.
 */
import { z } from "zod";
import { takeFailureNews } from "#lib/audience/forms";
import {
  type ClaimedRow,
  claimPhoneCode,
  claimRises,
  drawPhoneCode,
  settlePhoneCode,
} from "#lib/audience/phone-codes";
import { codeMinutes } from "#lib/audience/phone-codes/schema";
import { newId } from "#lib/basics/ids";
import { type OpenedGateway, openGatewayByPk, spendRate } from "#lib/outreach/gateway-accounts";
import { type GatewaySettings, kindOf, type SendOutcome } from "#lib/outreach/gateways/schema";
import { findOptedOut, holdList, optOutBySystem } from "#lib/outreach/opt-outs";
import { storableCode } from "#lib/outreach/sending";
import { exposeCounters, log } from "#lib/platform/log";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { isFeatureOn } from "#lib/tenancy/features";
import { notifyManagers } from "#lib/tenancy/notifications";

const sendEveryMs = 500;
const watchEveryMs = 60_000;
const perRun = 50;
const runsAtOnce = 20;
/** A code that was certainly not sent is retried for this long after the request. */
const againMs = 120_000;
const againAfterMs = 5_000;
const tellAgainHours = 24;

const counters = {
  logged: 0,
  optedOut: 0,
  accepted: 0,
  refused: 0,
  later: 0,
  stopped: 0,
  unknown: 0,
};
exposeCounters("phone_codes", "Codes by SMS for forms, by outcome.", counters);

/** Returns the number of codes. Safe to run twice, and concurrently. */
export async function sendPhoneCodes(): Promise<number> {
  if (!(await isFeatureOn("sending"))) return 0;
  const calls: Promise<void>[] = [];
  while (calls.length < perRun) {
    const claimed = await claimPhoneCode(hasOptedOut);
    if (!claimed) break;
    if (claimed.isOptedOut) counters.optedOut += 1;
    const call = claimed.isOptedOut ? Promise.resolve() : deliver(claimed.row);
    call.catch(() => undefined);
    calls.push(call);
  }
  const failed = (await Promise.allSettled(calls)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return calls.length;
}

async function hasOptedOut(
  tx: Connection,
  workspacePk: number,
  phoneHash: Buffer,
): Promise<boolean> {
  await holdList(tx, workspacePk);
  // defence: phone-code-opted-out
  return (await findOptedOut(workspacePk, [phoneHash], tx)).size > 0;
}

async function deliver(row: ClaimedRow): Promise<void> {
  const { workspace_pk: workspacePk, gateway_pk: gatewayPk } = row;
  const gateway = gatewayPk === null ? null : await openGatewayByPk(workspacePk, gatewayPk);
  const drawn = await drawPhoneCode(row);
  if (!drawn) return;
  const { phone, code } = drawn;
  if (gateway === null) {
    counters.logged += 1;
    log.info({ event: "phone-code.logged", form: row.form_id, code });
    await settlePhoneCode(row, { state: "sent" });
    return;
  }
  const outcome: SendOutcome = gateway
    ? await callGateway(gateway, row, { phone, code })
    : { state: "stopped", code: "gateway_deleted", reason: "The gateway was deleted" };
  counters[outcome.state] += 1;
  await settle(row, outcome, phone);
}

async function callGateway(
  { client, settings, pk, rate }: OpenedGateway,
  row: ClaimedRow,
  { phone, code }: { phone: string; code: string },
): Promise<SendOutcome> {
  await transaction((tx) => spendRate(tx, pk, 1_000 / rate));
  const [outcome] = await client.send([
    {
      // Not the id of the row: a person who knows that could enter the code.
      messageId: newId("rcp"),
      phone,
      text: codeText(row.language, { code, title: row.title }),
      variables: variablesOf(settings, code),
      slug: code,
    },
  ]);
  return outcome ?? { state: "unknown", code: "no_response", reason: "No response" };
}

async function settle(row: ClaimedRow, outcome: SendOutcome, phone: string): Promise<void> {
  // A code that may have been sent is not sent again: the visitor can ask for another one.
  if (outcome.state === "accepted" || outcome.state === "unknown") {
    await settlePhoneCode(row, { state: "sent" });
    return;
  }
  log.warn({ event: "phone-code.unsent", form: row.form_id, code: storableCode(outcome.code) });
  if (outcome.state === "refused" && outcome.optedOut) {
    await optOutBySystem(row.workspace_pk, [phone], "gateway");
    await settlePhoneCode(row, { state: "optedOut" });
    return;
  }
  const waitMs =
    outcome.state === "later" ? Math.max(againAfterMs, (outcome.waitS ?? 0) * 1_000) : 0;
  const isInTime = Date.now() + waitMs < row.asked_at.getTime() + againMs;
  if (outcome.state === "later" && isInTime) {
    await settlePhoneCode(row, { state: "due", dueInMs: waitMs });
    return;
  }
  await transaction(async (tx) => {
    await settlePhoneCode(row, { state: "failed" }, tx);
    // A refused number says nothing about the gateway; other failures do.
    if (outcome.state !== "refused")
      await tellFailing(tx, row, storableCode(outcome.code) ?? "unknown");
  });
}

/** Notifies owners and admins once a day, however many visitors wait for a code. */
async function tellFailing(
  tx: Connection,
  { form_id: formId, workspace_pk: workspacePk }: ClaimedRow,
  reason: string,
): Promise<void> {
  const name = await takeFailureNews(tx, { workspacePk, id: formId }, tellAgainHours);
  if (name === undefined) return;
  const details = { name, reason };
  await notifyManagers(tx, {
    workspacePk,
    kind: "form.failing",
    subject: formId,
    details,
    mail: true,
  });
}

export const phoneCodeJobs = [
  defineJob({
    name: "phone-codes.send",
    schema: z.object({}),
    handle: sendPhoneCodes,
    everyMs: sendEveryMs,
    due: () => "EXISTS (SELECT FROM phone_code WHERE state = 'due' AND due_at <= now())",
    concurrency: runsAtOnce,
  }),
  defineJob({
    name: "phone-codes.watch",
    schema: z.object({}),
    handle: tellRises,
    everyMs: watchEveryMs,
  }),
];

interface CodeMessage {
  code: string;
  title: string;
}

function codeText(language: string, { code, title }: CodeMessage): string {
  return language === "zh"
    ? `验证码 ${code}，用于“${title}”，${codeMinutes} 分钟内有效。请勿告诉他人。`
    : `${code} is your code for "${title}". It is valid for ${codeMinutes} minutes. Don’t share it.`;
}

/** There is no recipient, so columns other than {code} get their fallback. */
function variablesOf(settings: GatewaySettings, code: string): Record<string, string> {
  const variables = kindOf(settings).templateOf?.(settings)?.variables ?? {};
  return Object.fromEntries(
    Object.entries(variables).map(([name, text]) => [name, fillCode(text, code)]),
  );
}

function fillCode(text: string, code: string): string {
  return text.replace(/\{([^{}|]*)(?:\|([^{}]*))?\}/g, (_, name: string, fallback = "") =>
    name.trim() === "code" ? code : fallback,
  );
}

export const riseCodesMin = 50;
/** Compared with the busiest hour of the week before. */
export const riseFactor = 3;

const riseCounters = { told: 0 };
exposeCounters("phone_code_rises", "Sudden rises of codes by SMS to a country.", riseCounters);

/** A sudden rise of messages to a country may be fraud. Safe to run twice. */
export async function tellRises(): Promise<number> {
  const rises = await transaction(async (tx) => {
    const claimed = await claimRises(tx, { codesMin: riseCodesMin, factor: riseFactor });
    for (const rise of claimed) await tell(tx, rise);
    return claimed;
  });
  riseCounters.told += rises.length;
  for (const { workspace_pk: workspace, country, asked } of rises) {
    log.warn({ event: "phone-code.rise", workspace, country, asked });
  }
  return rises.length;
}

type CodeRise = Awaited<ReturnType<typeof claimRises>>[number];

async function tell(
  tx: Connection,
  { workspace_pk: workspacePk, country, asked, usual }: CodeRise,
): Promise<void> {
  const details = { country, asked, usual };
  await notifyManagers(tx, { workspacePk, kind: "codes.rising", details, mail: true });
}
