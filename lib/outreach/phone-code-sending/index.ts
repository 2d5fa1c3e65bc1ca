/**
 * Sends the codes that confirm phones of forms (audience/phone-codes), with the gateway of the form. Without one, the code
 * is written to the log of this process.
 *
 * An attempt is committed before the gateway is called, and only one that was certainly not sent is made again. Visitors
 * wait for these messages, so they do not wait for the rate of their gateway: campaigns get what is left of it.
 */
import { z } from "zod";
import { takeFailureNews } from "#lib/audience/forms";
import {
  type ClaimedRow,
  claimPhoneCode,
  drawPhoneCode,
  settlePhoneCode,
} from "#lib/audience/phone-codes";
import { newId } from "#lib/basics/ids";
import { type OpenedGateway, openGatewayByPk, spendRate } from "#lib/outreach/gateway-accounts";
import type { SendOutcome } from "#lib/outreach/gateways/schema";
import { findOptedOut, holdList, optOutBySystem } from "#lib/outreach/opt-outs";
import { storableCode } from "#lib/outreach/sending";
import { exposeCounters, log } from "#lib/platform/log";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { isFeatureOn } from "#lib/tenancy/features";
import { notifyManagers } from "#lib/tenancy/notifications";
import { tellRises } from "./rises.ts";
import { codeText, variablesOf } from "./texts.ts";

export { riseCodesMin, riseFactor, tellRises } from "./rises.ts";

const sendEveryMs = 500;
const watchEveryMs = 60_000;
const perRun = 50;
/** A run waits for its gateways, and the next ones go on meanwhile. */
const runsAtOnce = 20;
/** For so long after it was asked for, a code that was certainly not sent is sent again. */
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

/** Sends codes that are due. Returns their number. Safe to run twice, and concurrently. */
export async function sendPhoneCodes(): Promise<number> {
  if (!(await isFeatureOn("sending"))) return 0;
  const calls: Promise<void>[] = [];
  while (calls.length < perRun) {
    const claimed = await claimPhoneCode(hasOptedOut);
    if (!claimed) break;
    if (claimed.isOptedOut) counters.optedOut += 1;
    const call = claimed.isOptedOut ? Promise.resolve() : deliver(claimed.row);
    // Awaited below: until then, a failure must not end the process.
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
      // Not the id of the row: whoever knows that may enter the code.
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
  // What may have been sent is not sent again: the visitor can ask for another code.
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
    // A refused number is about this number; anything else is about the gateway.
    if (outcome.state !== "refused")
      await tellFailing(tx, row, storableCode(outcome.code) ?? "unknown");
  });
}

/** Owners and admins hear of it once a day, however many visitors wait for a code. */
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

/** The jobs of this module, for a worker. */
export const phoneCodeJobs = [
  defineJob({
    name: "phone-codes.send",
    schema: z.object({}),
    handle: sendPhoneCodes,
    everyMs: sendEveryMs,
    concurrency: runsAtOnce,
  }),
  defineJob({
    name: "phone-codes.watch",
    schema: z.object({}),
    handle: tellRises,
    everyMs: watchEveryMs,
  }),
];
