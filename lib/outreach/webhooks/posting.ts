/** One request: an event to a program, or a message about several to a chat. */

import { dayMs } from "#lib/basics/time/schema";
import { postPublic } from "#lib/platform/safe-fetch";
import { bodyOf, headersOf } from "./bodies.ts";
import { messageOf } from "./chat-message.ts";
import { type ChatRequest, chatBody, chatRequest, judgeChat } from "./chats.ts";
import type { Attempt, DueDelivery } from "./delivery-store.ts";
import { withPeople } from "./people.ts";
import { isChat, keptDays } from "./schema.ts";
import { secretsOf } from "./secrets.ts";
import { getPlace, type WebhookRow } from "./store.ts";

export const keptMs = keptDays * dayMs;
const timeoutMs = 10_000;
const responseBytesMax = 1_024;
/** The pause of a delivery after each attempt; the last one repeats. */
const pausesS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800];
const statusGone = 410;

export interface Outcome {
  settled: Attempt;
  isGone: boolean;
  retryAfterS: number;
}

type Request = ChatRequest & { headers: Record<string, string> };

/** A response, or that there was none, and what it means. */
interface Answer {
  status: number | null;
  ms: number;
  response: string;
  isAccepted: boolean;
  isGone: boolean;
  retryAfterS: number;
}

/** Posts an event, or to a chat all of these. */
export async function post(
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

async function send({ format }: WebhookRow, request: Request): Promise<Answer> {
  const from = performance.now();
  const answer = await postPublic({ ...request, timeoutMs, bytesMax: responseBytesMax });
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
    // PostgreSQL stores no NUL.
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
