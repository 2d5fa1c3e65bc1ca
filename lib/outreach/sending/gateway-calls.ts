/** Calls the gateway for recorded attempts, and writes what became of them. */
import type { OpenedGateway } from "#lib/outreach/gateway-accounts";
import type { OutgoingMessage, SendOutcome } from "#lib/outreach/gateways/schema";
import { optOutBySystem } from "#lib/outreach/opt-outs";
import { slicesOf } from "#lib/platform/batches";
import { exposeCounters, log } from "#lib/platform/log";
import type { PeopleKeys } from "#lib/tenancy/people-keys";
import { attemptsMax, type Claim, leaseSeconds, pauseSending } from "./lease-store.ts";
import { type Outcome, writeOutcomes } from "./slice-store.ts";

const callsAtOnce = 50;
/** After this long, this attempt sends no more messages. */
const attemptMs = (leaseSeconds - 20) * 1_000;
const retryFirstMs = 30_000;
const retryMaxMs = 3_600_000;
const breakMs = 10_000;

const counters = { accepted: 0, refused: 0, later: 0, stopped: 0, unknown: 0 };
exposeCounters("campaign_messages", "Attempts to send messages of campaigns by outcome.", counters);

export interface Attempt {
  position: number;
  attempts: number;
  message: OutgoingMessage;
}

export interface PreparedAttempts {
  attempts: Attempt[];
  keys: PeopleKeys;
  gateway: OpenedGateway;
}

export async function sendAttempts(
  claim: Claim,
  { attempts, keys, gateway }: PreparedAttempts,
): Promise<number> {
  const outcomes = await callGateway(gateway, attempts, Date.now() + attemptMs);
  for (const { state } of outcomes) counters[state] += 1;
  const now = Date.now();
  const rows = attempts.map((attempt, at) => outcomeOf(attempt, outcomes[at], keys, now));
  await writeOutcomes(claim.campaignPk, rows);
  const unsubscribed = attempts.filter((_, at) => {
    const outcome = outcomes[at];
    return outcome?.state === "refused" && outcome.optedOut;
  });
  const phones = unsubscribed.map(({ message }) => message.phone);
  if (phones.length > 0) await optOutBySystem(gateway.workspacePk, phones, "gateway");
  const stopped = outcomes.find(({ state }) => state === "stopped");
  if (stopped?.state === "stopped") {
    const reason = storableCode(stopped.code) ?? "stopped";
    await pauseSending(claim, reason);
    log.warn({ event: "sending.paused", campaign: claim.campaignPk, code: reason });
  }
  return breakOf(outcomes);
}

/** A gateway that is busy or down gets a break, so that messages do not use up their attempts. */
function breakOf(outcomes: readonly SendOutcome[]): number {
  const later = outcomes.flatMap((one) => {
    if (one.state === "later") return [one.waitS ?? 0];
    return one.state === "unknown" && one.resend ? [0] : [];
  });
  if (later.length * 2 < outcomes.length) return 0;
  return Math.max(breakMs, Math.max(...later) * 1_000);
}

async function callGateway(
  { client }: OpenedGateway,
  attempts: readonly Attempt[],
  deadline: number,
): Promise<SendOutcome[]> {
  const batches = [...slicesOf(attempts, client.batchMax)];
  const results: SendOutcome[] = [];
  for (const group of slicesOf(batches, callsAtOnce)) {
    const sent = await Promise.all(group.map((batch) => callOnce(client, batch, deadline)));
    results.push(...sent.flat());
  }
  return results;
}

async function callOnce(
  client: OpenedGateway["client"],
  batch: readonly Attempt[],
  deadline: number,
): Promise<SendOutcome[]> {
  if (Date.now() > deadline) {
    const late: SendOutcome = { state: "later", code: "late", reason: "Not sent", waitS: null };
    return batch.map(() => late);
  }
  return await client.send(batch.map(({ message }) => message));
}

function outcomeOf(
  { position, attempts }: Attempt,
  outcome: SendOutcome | undefined,
  keys: PeopleKeys,
  now: number,
): Outcome {
  const base = { position, attempts, code: null, remoteHash: null, dueAt: null };
  if (!outcome) return { ...base, state: "unknown", code: "no_response" };
  if (outcome.state === "accepted") {
    const { gatewayId } = outcome;
    return { ...base, state: "accepted", remoteHash: gatewayId ? keys.hash(gatewayId) : null };
  }
  const code = storableCode(outcome.code);
  if (outcome.state === "refused") {
    return { ...base, state: "refused", code: outcome.optedOut ? "opted_out" : code };
  }
  // A person continues it after fixing the gateway or its account.
  if (outcome.state === "stopped") return { ...base, state: "due", code, dueAt: new Date(now) };
  const dueAt = nextAttempt(outcome, attempts, now);
  if (dueAt) return { ...base, state: "later", code, dueAt };
  return { ...base, state: outcome.state === "later" ? "refused" : "unknown", code };
}

/** Undefined: it is not sent again. */
function nextAttempt(
  outcome: SendOutcome & { state: "later" | "unknown" },
  attempts: number,
  now: number,
): Date | undefined {
  if (attempts >= attemptsMax) return undefined;
  if (outcome.state === "unknown" && !outcome.resend) return undefined;
  const ownMs = Math.min(retryMaxMs, retryFirstMs * 2 ** (attempts - 1));
  const waitS = outcome.state === "later" ? outcome.waitS : null;
  return new Date(now + (waitS === null ? ownMs : waitS * 1_000));
}

const pattern = /^[\w.:-]{1,64}$/;
const longNumber = /\d{7,}/;
const otherCode = "other";

/** The part of a gateway's answer that may be stored: its text could repeat a phone or a name. */
export function storableCode(text: string | null): string | null {
  if (text === null) return null;
  // defence: gateway-texts-not-stored
  return pattern.test(text) && !longNumber.test(text) ? text : otherCode;
}
