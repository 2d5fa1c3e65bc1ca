/**
 * Posts what is due. One worker at a time calls a webhook, for a few seconds; then the next one has its turn, so that a
 * slow receiver delays nobody else. A webhook that fails is tried with a single event until it answers again. A chat
 * gets all events of a moment in one message, and no more messages than it permits: the events wait for the next one.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { recordAudit } from "#lib/tenancy/audit";
import { addNotification } from "#lib/tenancy/notifications";
import { takeMessage } from "./chats.ts";
import {
  type Claim,
  claimDue,
  type DueDelivery,
  listDue,
  release,
  settle,
  type WebhookResult,
} from "./delivery-store.ts";
import { keptMs, type Outcome, post } from "./posting.ts";
import { routeEvents } from "./routing.ts";
import { isChat } from "./schema.ts";
import { shownUrl } from "./secrets.ts";
import type { WebhookRow } from "./store.ts";

const jobEveryMs = 1_000;
/** Runs of the job in a worker: while one waits for slow receivers, the next one calls the others. */
const jobsMax = 4;
/** Webhooks that one run calls at the same time. */
const lanesMax = 8;
const deliveriesPerBatch = 20;
/** Read at once: an event may have a hundred kilobytes. */
const eventsPerMessage = 100;
const turnMaxMs = 5_000;
const runMaxMs = 20_000;
/** The pause of a webhook that fails: doubled with each failure. */
const firstPauseMs = 2_000;
const pauseMaxMs = 300_000;

export const webhookJobs = [
  defineJob({
    name: "webhooks.deliver",
    schema: z.object({}),
    everyMs: jobEveryMs,
    concurrency: jobsMax,
    handle: () => deliverAll(),
  }),
];

/** Routes new events, and delivers what is due. Safe to run twice, and concurrently. */
export async function deliverAll(): Promise<void> {
  await routeEvents();
  const until = Date.now() + runMaxMs;
  await Promise.all(Array.from({ length: lanesMax }, () => deliverUntil(until)));
}

async function deliverUntil(until: number): Promise<void> {
  while (Date.now() < until) {
    const claim = await claimDue(randomUUID());
    if (!claim) return;
    await deliverTurn(claim);
  }
}

async function deliverTurn(claim: Claim): Promise<void> {
  const until = Date.now() + turnMaxMs;
  let { failures } = claim.webhook;
  let notBefore: Date | null = null;
  while (Date.now() < until) {
    const step = await deliverNext(claim, failures);
    if (step === "lost") return;
    ({ failures, notBefore } = step);
    if (step.isEnd) break;
  }
  await release(claim, notBefore);
}

interface Step {
  failures: number;
  notBefore: Date | null;
  /** The turn is over. */
  isEnd: boolean;
}

/** Posts what is due at once. `lost`: another worker has the webhook now. */
async function deliverNext(claim: Claim, failures: number): Promise<Step | "lost"> {
  const { webhook } = claim;
  // defence: failing-webhook-one-event
  const due = await listDue(webhook, failures > 0 ? 1 : deliveriesPerBatch);
  const waitS = due.length > 0 ? await secondsUntilMessage(webhook) : 0;
  const notBefore = waitS > 0 ? new Date(Date.now() + waitS * 1_000) : null;
  const outcomes = waitS > 0 ? [] : await postNext(webhook, due);
  if (outcomes.length === 0) return { failures, notBefore, isEnd: true };
  const result = resultOf(claim, failures, outcomes);
  const attempts = outcomes.map(({ settled }) => settled);
  const isHeld = await transaction(async (tx) => {
    const held = await settle(tx, claim, attempts, result);
    if (held && result.disabled) await recordDisabled(tx, webhook);
    return held;
  });
  return isHeld ? { ...result, isEnd: result.isFailing } : "lost";
}

async function secondsUntilMessage({ format, url }: WebhookRow): Promise<number> {
  return isChat(format) ? await takeMessage(format, url) : 0;
}

/** A chat gets more events at once, which are read when it may have a message. */
async function postNext(webhook: WebhookRow, due: readonly DueDelivery[]): Promise<Outcome[]> {
  if (!isChat(webhook.format)) {
    return (await Promise.all(due.map((delivery) => post(webhook, [delivery])))).flat();
  }
  const [first, ...others] = await listDue(webhook, eventsPerMessage);
  return first ? await post(webhook, [first, ...others]) : [];
}

/** A webhook that took anything works: what it refused alone is tried again by itself. */
function resultOf({ webhook }: Claim, before: number, outcomes: readonly Outcome[]): WebhookResult {
  const isWorking = outcomes.some(({ settled }) => settled.state === "delivered");
  if (isWorking) return { failures: 0, isFailing: false, notBefore: null, disabled: null };
  const failures = before + 1;
  const asked = Math.max(...outcomes.map(({ retryAfterS }) => retryAfterS)) * 1_000;
  const pause = Math.max(asked, Math.min(pauseMaxMs, firstPauseMs * 2 ** (failures - 1)));
  const since = webhook.failing_since?.getTime() ?? Date.now();
  const isGone = outcomes.some((outcome) => outcome.isGone);
  const disabled = isGone ? "gone" : Date.now() - since >= keptMs ? "failing" : null;
  return { failures, isFailing: true, notBefore: new Date(Date.now() + pause), disabled };
}

/** In the transaction that disables it: the person who made it is told. */
async function recordDisabled(tx: Connection, webhook: WebhookRow): Promise<void> {
  const { workspace_pk: workspacePk, user_pk: userPk, id: subject, name, url, format } = webhook;
  const details = { name, url: shownUrl(format, url) };
  const action = "webhook.disable";
  await recordAudit(tx, [{ workspacePk, actor: "system", action, subject, details }]);
  if (userPk === null) return;
  const kind = "webhook.disabled";
  await addNotification(tx, { workspacePk, userPk, kind, subject, details, mail: true });
}
