/**
 * Posts what is due. One worker at a time calls a webhook, for a few seconds, so that a slow
 * receiver delays nobody else. A failing webhook gets single events until it answers again. A chat
 * gets pending events in one message, and only as many messages as it permits.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { contactFacts } from "#lib/audience/contacts";
import { dayMs } from "#lib/basics/time/schema";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { postPublic } from "#lib/platform/safe-fetch";
import { recordAudit } from "#lib/tenancy/audit";
import { privateNetworksOf } from "#lib/tenancy/instance-rules";
import { addNotification } from "#lib/tenancy/notifications";
import { hasPeople } from "#lib/tenancy/webhook-events/schema";
import { bodyOf, type EventRow, headersOf } from "./bodies.ts";
import { messageOf } from "./chat-message.ts";
import { type ChatRequest, chatBody, chatRequest, judgeChat, takeMessage } from "./chats.ts";
import {
  type Attempt,
  type Claim,
  claimDue,
  type DueDelivery,
  listDue,
  release,
  settle,
  type WebhookResult,
} from "./delivery-store.ts";
import { routeEvents } from "./routing.ts";
import { isChat, keptDays } from "./schema.ts";
import { secretsOf, shownUrl } from "./secrets.ts";
import { getPlace, type WebhookRow } from "./store.ts";

const jobEveryMs = 1_000;
const jobsMax = 4;
const lanesMax = 8;
const deliveriesPerBatch = 20;
/** Read at once: an event may have a hundred kilobytes. */
const eventsPerMessage = 100;
const turnMaxMs = 5_000;
const runMaxMs = 20_000;
const firstPauseMs = 2_000;
const pauseMaxMs = 300_000;

export const webhookJobs = [
  defineJob({
    name: "webhooks.deliver",
    schema: z.object({}),
    everyMs: jobEveryMs,
    due: () => `(
      EXISTS (SELECT FROM webhook_outbox)
      OR EXISTS (
        SELECT
        FROM webhook
        WHERE state = 'active'
          AND due_at <= now()
          AND (lease_until IS NULL OR lease_until < now())))`,
    concurrency: jobsMax,
    handle: () => deliverAll(),
  }),
];

/** Routes new events and delivers what is due. Safe to run twice, and concurrently. */
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
  isEnd: boolean;
}

/** `lost`: another worker has the webhook now. */
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

/** A chat gets more events at once; they are read only when it may get a message. */
async function postNext(webhook: WebhookRow, due: readonly DueDelivery[]): Promise<Outcome[]> {
  if (!isChat(webhook.format)) {
    return (await Promise.all(due.map((delivery) => post(webhook, [delivery])))).flat();
  }
  const [first, ...others] = await listDue(webhook, eventsPerMessage);
  return first ? await post(webhook, [first, ...others]) : [];
}

/** A webhook that accepted anything works: events that it refused are repeated on their own. */
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

async function recordDisabled(tx: Connection, webhook: WebhookRow): Promise<void> {
  const { workspace_pk: workspacePk, user_pk: userPk, id: subject, name, url, format } = webhook;
  const details = { name, url: shownUrl(format, url) };
  const action = "webhook.disable";
  await recordAudit(tx, [{ workspacePk, actor: "system", action, subject, details }]);
  if (userPk === null) return;
  const kind = "webhook.disabled";
  await addNotification(tx, { workspacePk, userPk, kind, subject, details, mail: true });
}

const keptMs = keptDays * dayMs;
const timeoutMs = 10_000;
const responseBytesMax = 1_024;
const pausesS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800];
const statusGone = 410;

interface Outcome {
  settled: Attempt;
  isGone: boolean;
  retryAfterS: number;
}

type Request = ChatRequest & { headers: Record<string, string> };

interface Answer {
  status: number | null;
  ms: number;
  response: string;
  isAccepted: boolean;
  isGone: boolean;
  retryAfterS: number;
}

/** Posts one event, or to a chat all of them. */
async function post(
  webhook: WebhookRow,
  deliveries: readonly [DueDelivery, ...DueDelivery[]],
): Promise<Outcome[]> {
  const now = new Date();
  const answer = await send(webhook, await requestOf(webhook, deliveries, now));
  return deliveries.map((delivery) => outcomeOf(delivery, answer, now));
}

async function requestOf(
  webhook: WebhookRow,
  deliveries: readonly [DueDelivery, ...DueDelivery[]],
  now: Date,
): Promise<Request> {
  const { format, url } = webhook;
  const secrets = secretsOf(webhook, now);
  if (isChat(format)) {
    const message = messageOf(webhook, deliveries, await getPlace(webhook));
    const [secret = ""] = secrets;
    const signing = { url, secret, now };
    const body = chatBody(format, message, webhook.language);
    const headers = { "content-type": "application/json; charset=utf-8" };
    return { ...chatRequest(format, signing, body), headers };
  }
  const [{ id }] = deliveries;
  const body = bodyOf(webhook, format, await withPeople(webhook, deliveries[0]));
  const seconds = Math.floor(now.getTime() / 1_000);
  return { url, body, headers: headersOf(format, secrets, { id, body, seconds }) };
}

async function send(webhook: WebhookRow, request: Request): Promise<Answer> {
  const { format, workspace_pk: workspacePk } = webhook;
  const networks = await privateNetworksOf(workspacePk);
  const from = performance.now();
  const answer = await postPublic({ ...request, timeoutMs, bytesMax: responseBytesMax, networks });
  const ms = Math.round(performance.now() - from);
  if (answer.kind !== "answered") {
    return { status: null, ms, response: "", isAccepted: false, isGone: false, retryAfterS: 0 };
  }
  const { status, body } = answer;
  const verdict = isChat(format)
    ? judgeChat(format, status, body)
    : { isAccepted: status >= 200 && status < 300, isGone: status === statusGone, retryAfterS: 0 };
  return {
    ...verdict,
    status,
    ms,
    // PostgreSQL cannot store NUL.
    response: body.replaceAll("\0", ""),
    retryAfterS: Math.max(verdict.retryAfterS, answer.retryAfterS ?? 0),
  };
}

function outcomeOf(delivery: DueDelivery, answer: Answer, now: Date): Outcome {
  const { status, ms, response, isAccepted, isGone, retryAfterS } = answer;
  const isOver = now.getTime() - delivery.created_at.getTime() >= keptMs;
  const pauseS = pausesS[Math.min(delivery.attempts, pausesS.length - 1)] ?? 0;
  return {
    settled: {
      eventPk: delivery.pk,
      state: isAccepted ? "delivered" : isOver ? "failed" : "waiting",
      dueAt: isAccepted ? null : new Date(now.getTime() + pauseS * 1_000),
      status,
      ms,
      response,
    },
    isGone,
    retryAfterS,
  };
}

interface PeopleWebhook {
  workspace_pk: number;
  people: boolean;
}

/** Adds what the contact entered and shared, which stored events never contain. */
async function withPeople<Event extends EventRow>(
  { workspace_pk: workspacePk, people }: PeopleWebhook,
  event: Event,
): Promise<Event> {
  if (!people || !hasPeople(event.type)) return event;
  const { contact } = event.data;
  const facts = (await contactFacts(workspacePk, [contact.id])).get(contact.id);
  return facts ? { ...event, data: { ...event.data, contact: { ...contact, ...facts } } } : event;
}
