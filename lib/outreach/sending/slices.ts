/**
 * Sends campaigns, a slice at a time:
 *
 *     lease → transaction: hold opt-outs, lock the sending and the rate, pick messages, record attempts
 *           → call the gateway → write outcomes → next slice, until nothing is due
 *
 *     due ──attempt──▶ attempting ──▶ accepted ──receipt──▶ delivered │ failed
 *      ▲                   ├────────▶ refused
 *      └── later ◀─────────┤  certainly not sent
 *                          └────────▶ unknown ──receipt, question or person──▶ accepted │ delivered │ failed │ due
 *
 * An attempt is committed before the gateway is called, and repeated only if it was certainly refused. So nobody gets two
 * messages if a worker dies: its open attempts become unknown. The price is that some of these were never sent. Texts and
 * phones are only in memory, from the transaction until the call.
 */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  lockRate,
  type OpenedGateway,
  openGatewayByPk,
  spendRate,
} from "#lib/outreach/gateway-accounts";
import type { OutgoingMessage } from "#lib/outreach/gateways/schema";
import { findOptedOut, holdList } from "#lib/outreach/opt-outs";
import { log } from "#lib/platform/log";
import { type Connection, transaction } from "#lib/platform/postgres";
import { isFeatureOn } from "#lib/tenancy/features";
import { openPeopleKeys, type PeopleKeys } from "#lib/tenancy/people-keys";
import { type Attempt, type PreparedAttempts, sendAttempts } from "./gateway-calls.ts";
import {
  type Claim,
  claimDue,
  fillSends,
  finishSending,
  type HeldRow,
  holdSending,
  pauseSending,
  releaseLease,
} from "./lease-store.ts";
import { type OpenText, openText, UnknownColumn, writeMessage } from "./message-text.ts";
import { nextAllowed, type Quiet } from "./quiet.ts";
import {
  type DueRow,
  findNextDue,
  lockDue,
  type Postponed,
  postponeRows,
  type Refused,
  recordAttempts,
  refuseRows,
} from "./slice-store.ts";

const fillRows = 5_000;
/** Rows to look at for a slice, because some are postponed by quiet hours. */
const pickedRows = 500;
const messagesPerSlice = 100;
/** Longer waits give up the lease. */
const waitedMs = 1_000;
const turnMs = 15_000;

type Slice =
  | ({ kind: "attempts" } & PreparedAttempts)
  | { kind: "prepared" }
  | { kind: "wait"; ms: number }
  | { kind: "pause"; reason: string }
  /** Finished, paused by a person, or taken by another worker. */
  | { kind: "over" };

/** Sends a campaign that is due, for some seconds. False if none was due. */
export async function sendDue(): Promise<boolean> {
  if (!(await isFeatureOn("sending"))) return false;
  const claim = await claimDue(randomUUID());
  if (!claim) return false;
  let nextAt: Date | null = null;
  try {
    nextAt = await takeTurn(claim, Date.now() + turnMs);
  } finally {
    await releaseLease(claim, nextAt);
  }
  return true;
}

/** Returns when the campaign is due again; null keeps the stored time. */
async function takeTurn(claim: Claim, until: number): Promise<Date | null> {
  // If an administrator turns sending off, a campaign stops before its next slice.
  while (Date.now() < until && (await isFeatureOn("sending"))) {
    const slice = await prepareSlice(claim);
    if (slice.kind === "over") return null;
    const waitMs = await handleSlice(claim, slice);
    if (waitMs > waitedMs) return new Date(Date.now() + waitMs);
    if (waitMs > 0) await setTimeout(waitMs);
  }
  return null;
}

async function handleSlice(claim: Claim, slice: Slice): Promise<number> {
  if (slice.kind === "attempts") return await sendAttempts(claim, slice);
  if (slice.kind === "wait") return slice.ms;
  if (slice.kind === "pause") {
    await pauseSending(claim, slice.reason);
    log.warn({ event: "sending.paused", campaign: claim.campaignPk, code: slice.reason });
  }
  return 0;
}

/** Commits the recorded attempts before it returns. */
async function prepareSlice(claim: Claim): Promise<Slice> {
  const opened = await transaction((tx) => holdSending(tx, claim));
  if (!opened) return { kind: "over" };
  const { workspace_pk: workspacePk, gateway_pk: gatewayPk } = opened;
  const gateway = gatewayPk === null ? undefined : await openGatewayByPk(workspacePk, gatewayPk);
  if (!gateway) return { kind: "pause", reason: "gateway_deleted" };
  let text: OpenText;
  try {
    text = openText(opened, gateway.settings);
  } catch (error) {
    if (error instanceof UnknownColumn) return { kind: "pause", reason: "variable_unknown" };
    throw error;
  }
  const keys = await openPeopleKeys(workspacePk);
  return await transaction(async (tx) => {
    // Lock the list before the sending, in the same order as everywhere.
    await holdList(tx, workspacePk);
    const held = await holdSending(tx, claim);
    if (held?.gateway_pk !== gateway.pk) return held ? { kind: "prepared" } : { kind: "over" };
    if (held.filled_position < held.last_position) {
      const end = Math.min(held.filled_position + fillRows, held.last_position);
      await fillSends(tx, claim.campaignPk, end);
      return { kind: "prepared" };
    }
    return await pick(tx, claim, { held, gateway, keys, text });
  });
}

interface Opened {
  held: HeldRow;
  gateway: OpenedGateway;
  keys: PeopleKeys;
  text: OpenText;
}

async function pick(tx: Connection, claim: Claim, opened: Opened): Promise<Slice> {
  const { held, gateway, keys } = opened;
  const { campaignPk } = claim;
  const limit = await lockRate(tx, gateway.pk);
  if (!limit) return { kind: "prepared" };
  if (limit.waitMs > 0) return { kind: "wait", ms: limit.waitMs };
  const rows = await lockDue(tx, campaignPk, pickedRows);
  if (rows.length === 0) return await endOrWait(tx, campaignPk);
  const rate = Math.min(limit.rate, held.rate);
  const { attempts, refused, postponed } = await sortRows(tx, opened, rows, {
    max: Math.min(rate, messagesPerSlice),
    now: Date.now(),
  });
  if (refused.length > 0) await refuseRows(tx, campaignPk, refused);
  if (postponed.length > 0) await postponeRows(tx, campaignPk, postponed);
  if (attempts.length === 0) return { kind: "prepared" };
  const positions = attempts.map(({ position }) => position);
  await recordAttempts(tx, campaignPk, gateway.pk, positions);
  await spendRate(tx, gateway.pk, (attempts.length / rate) * 1_000);
  return { kind: "attempts", attempts, keys, gateway };
}

async function endOrWait(tx: Connection, campaignPk: number): Promise<Slice> {
  const next = await findNextDue(tx, campaignPk);
  if (next) return { kind: "wait", ms: Math.max(waitedMs + 1, next.getTime() - Date.now()) };
  await finishSending(tx, campaignPk);
  return { kind: "over" };
}

interface Sorted {
  attempts: Attempt[];
  refused: Refused[];
  postponed: Postponed[];
}

async function sortRows(
  tx: Connection,
  { held, keys, text }: Opened,
  rows: readonly DueRow[],
  { max, now }: { max: number; now: number },
): Promise<Sorted> {
  const hashes = rows.flatMap(({ phone_hash: hash }) => hash ?? []);
  const optedOut = await findOptedOut(held.workspace_pk, hashes, tx);
  const momentOf = momentsBy(quietOf(held), held.zone, now);
  const sorted: Sorted = { attempts: [], refused: [], postponed: [] };
  for (const row of rows) {
    const { position } = row;
    const at = momentOf(row.country ?? "");
    const code = refusalOf(row, optedOut, at);
    if (code !== undefined) sorted.refused.push({ position, code });
    else if (at !== undefined && at > now) sorted.postponed.push({ position, at: new Date(at) });
    else if (sorted.attempts.length < max) addAttempt(sorted, row, write(text, keys, row));
  }
  return sorted;
}

function refusalOf(
  { phone_hash: hash }: DueRow,
  optedOut: ReadonlySet<string>,
  at: number | undefined,
): string | undefined {
  // defence: opt-outs-looked-up-at-send
  if (hash && optedOut.has(hash.toString("hex"))) return "opted_out";
  return at === undefined ? "quiet_hours" : undefined;
}

function addAttempt(sorted: Sorted, row: DueRow, written: OutgoingMessage | string): void {
  const { position, attempts } = row;
  if (typeof written === "string") sorted.refused.push({ position, code: written });
  else sorted.attempts.push({ position, attempts: attempts + 1, message: written });
}

function quietOf({ quiet_from: from, quiet_until: until }: HeldRow): Quiet | null {
  return from === null || until === null ? null : { from, until };
}

function momentsBy(quiet: Quiet | null, zone: string, now: number) {
  const moments = new Map<string, number | undefined>();
  return (country: string): number | undefined => {
    if (!moments.has(country)) moments.set(country, nextAllowed(quiet, country, zone, now));
    return moments.get(country);
  };
}

function write(text: OpenText, keys: PeopleKeys, row: DueRow): OutgoingMessage | string {
  const { sealed, key_version: version, slug, key } = row;
  if (!sealed || version === null) return "erased";
  if (slug === null || key === null) return "link_deleted";
  const message = writeMessage(text, keys, { ...row, sealed, key_version: version, slug, key });
  return message ?? "message_invalid";
}
