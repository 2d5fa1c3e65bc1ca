/**
 * Posts what is due. One worker at a time calls a webhook, for a few seconds; then the next one has its turn, so that a
 * slow receiver delays nobody else. A webhook that fails is tried with a single event until it answers again.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { postPublic } from "#lib/platform/safe-fetch";
import { recordAudit } from "#lib/tenancy/audit";
import { addNotification } from "#lib/tenancy/notifications";
import { bodyOf, headersOf } from "./bodies.ts";
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
import { keptDays } from "./schema.ts";
import { secretsOf } from "./secrets.ts";
import type { WebhookRow } from "./store.ts";

const jobEveryMs = 1_000;
/** Runs of the job in a worker: while one waits for slow receivers, the next one calls the others. */
const jobsMax = 4;
/** Webhooks that one run calls at the same time. */
const lanesMax = 8;
const deliveriesPerBatch = 20;
const turnMaxMs = 5_000;
const runMaxMs = 20_000;
const timeoutMs = 10_000;
const responseBytesMax = 1_024;
const keptMs = keptDays * 86_400_000;
/** The pause of a delivery after each attempt; the last one repeats. */
const pausesS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800];
/** The pause of a webhook that fails: doubled with each failure. */
const firstPauseMs = 2_000;
const pauseMaxMs = 300_000;
const statusGone = 410;

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
    const due = await listDue(claim.webhook, failures > 0 ? 1 : deliveriesPerBatch);
    if (due.length === 0) break;
    const outcomes = await Promise.all(due.map((delivery) => attempt(claim, delivery)));
    const result = resultOf(claim, failures, outcomes);
    const isHeld = await transaction(async (tx) => {
      const held = await settle(
        tx,
        claim,
        outcomes.map(({ settled }) => settled),
        result,
      );
      if (held && result.isDisabled) await recordDisabled(tx, claim.webhook);
      return held;
    });
    if (!isHeld) return;
    ({ failures, notBefore } = result);
    if (failures > 0 || result.isDisabled) break;
  }
  await release(claim, notBefore);
}

interface Outcome {
  settled: Attempt;
  isGone: boolean;
  retryAfterS: number;
}

async function attempt({ webhook }: Claim, delivery: DueDelivery): Promise<Outcome> {
  const body = bodyOf(webhook, webhook.format, delivery);
  const now = new Date();
  const seconds = Math.floor(now.getTime() / 1_000);
  const headers = headersOf(webhook.format, secretsOf(webhook, now), {
    id: delivery.id,
    body,
    seconds,
  });
  const from = performance.now();
  const bytesMax = responseBytesMax;
  const answer = await postPublic({ url: webhook.url, headers, body, timeoutMs, bytesMax });
  const ms = Math.round(performance.now() - from);
  const status = answer.kind === "answered" ? answer.status : null;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const isOver = now.getTime() - delivery.created_at.getTime() >= keptMs;
  const pauseS = pausesS[Math.min(delivery.attempts, pausesS.length - 1)] ?? 0;
  return {
    settled: {
      eventPk: delivery.pk,
      state: isDelivered ? "delivered" : isOver ? "failed" : "waiting",
      dueAt: isDelivered ? null : new Date(now.getTime() + pauseS * 1_000),
      status,
      ms,
      // PostgreSQL stores no NUL.
      response: answer.kind === "answered" ? answer.body.replaceAll("\0", "") : "",
    },
    isGone: status === statusGone,
    retryAfterS: (answer.kind === "answered" && answer.retryAfterS) || 0,
  };
}

/** A webhook that took anything works: what it refused alone is tried again by itself. */
function resultOf({ webhook }: Claim, before: number, outcomes: readonly Outcome[]): WebhookResult {
  const isWorking = outcomes.some(({ settled }) => settled.state === "delivered");
  if (isWorking) return { failures: 0, isFailing: false, notBefore: null, isDisabled: false };
  const failures = before + 1;
  const asked = Math.max(...outcomes.map(({ retryAfterS }) => retryAfterS)) * 1_000;
  const pause = Math.max(asked, Math.min(pauseMaxMs, firstPauseMs * 2 ** (failures - 1)));
  const since = webhook.failing_since?.getTime() ?? Date.now();
  const isDisabled = outcomes.some(({ isGone }) => isGone) || Date.now() - since >= keptMs;
  return { failures, isFailing: true, notBefore: new Date(Date.now() + pause), isDisabled };
}

/** In the transaction that disables it: the person who made it is told. */
async function recordDisabled(tx: Connection, webhook: WebhookRow): Promise<void> {
  const { workspace_pk: workspacePk, user_pk: userPk, id: subject, name, url } = webhook;
  const details = { name, url };
  const action = "webhook.disable";
  await recordAudit(tx, [{ workspacePk, actor: "system", action, subject, details }]);
  if (userPk === null) return;
  const kind = "webhook.disabled";
  await addNotification(tx, { workspacePk, userPk, kind, subject, details, mail: true });
}
