/**
 * Sends campaigns with the gateways of their workspace: starts and controls it, and shows what became of each message.
 * slices.ts does the sending. A draft has no row.
 *
 *     draft ──start──▶ scheduled ──▶ sending ◀──▶ paused
 *                                      ├──▶ finished ──start──▶ scheduled    for recipients that were added since
 *                                      └──▶ cancelled
 */
import { z } from "zod";
import { newId, presentId } from "#lib/basics/ids";
import { holdGateway, openGatewayOf } from "#lib/outreach/gateway-accounts";
import { findOptedOut } from "#lib/outreach/opt-outs";
import { addCosts, costOf } from "#lib/outreach/segments";
import { AppError } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { parsePhone } from "#lib/platform/phones";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { assertConfirmed, assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import type { AuditAction } from "#lib/tenancy/audit/schema";
import { assertFeatureOn } from "#lib/tenancy/features";
import { openPeopleKeys } from "#lib/tenancy/people-keys";
import { assertIncluded } from "#lib/tenancy/quotas";
import { assertHours, assertSendable, getRow } from "./checks.ts";
import { askGateways } from "./delivery-states.ts";
import { openText, writeMessage } from "./message-text.ts";
import { paceOf } from "./pace.ts";
import { quietOf, timeOf } from "./quiet.ts";
import { countDue, type DueCount, findRecipient } from "./recipient-store.ts";
import {
  type DryRun,
  type ListSends,
  type Send,
  type Sending,
  type Settle,
  type StartSending,
  sendStates,
  type TestedMessage,
  type TestMessage,
} from "./schema.ts";
import { sendDue } from "./slices.ts";
import {
  countSends,
  findSending,
  isUndoing,
  listSendRows,
  putSending,
  type SendingRow,
  type SendingState,
  settleRows,
  updateState,
} from "./store.ts";

export { getRow as getSendableRow } from "./checks.ts";
export { askGateways } from "./delivery-states.ts";
export { storableCode } from "./gateway-calls.ts";
export { sendDue } from "./slices.ts";

const sendEveryMs = 1_000;
const askEveryMs = 15_000;
const sendingsAtOnce = 4;

/** Why a campaign in this state can’t be started, paused, resumed or canceled, and what to do. */
const obstacles: Readonly<Record<SendingState | "draft", string>> = {
  draft: "The campaign is still a draft. Start it first.",
  scheduled: "The campaign is already scheduled. Wait until it starts, or cancel it.",
  sending: "The campaign is already being sent. Wait until it’s finished, or pause it.",
  paused: "The campaign is paused. Resume or cancel it.",
  finished: "The campaign is already finished. Create a new one to send more messages.",
  cancelled: "The campaign was canceled. Create a new one.",
};

export async function startSending(
  scope: WorkspaceScope,
  id: string,
  body: StartSending,
): Promise<Sending> {
  assertMay(scope, "campaigns.write");
  assertConfirmed(scope);
  assertIncluded(scope, "campaigns");
  await assertFeatureOn("sending");
  const { workspacePk, actor } = scope;
  const gateway = await openGatewayOf(scope, body.gatewayId);
  const row = await getRow(scope, id);
  assertSendable(row, gateway.settings);
  await assertHours(scope, row, body);
  await transaction(async (tx) => {
    // The lock keeps the campaign from being deleted or erased before the commit.
    const locked = await getRow(scope, id, tx);
    assertSendable(locked, gateway.settings);
    await assertNoUndo(tx, row.pk);
    const before = await findSending(row.pk, tx);
    if (before && before.state !== "finished") {
      throw new AppError("conflict", obstacles[before.state], { problem: "sending_changed" });
    }
    if (!(await holdGateway(tx, gateway.pk))) {
      const message = "The gateway was deleted. Choose another one.";
      throw new AppError("conflict", message, { problem: "gateway_gone" });
    }
    await putSending(tx, {
      campaignPk: row.pk,
      workspacePk,
      gatewayPk: gateway.pk,
      startsAt: new Date(body.at ?? Date.now()),
      rate: body.rate,
      quiet: body.quietHours ? quietOf(body.quietHours) : null,
    });
    const details = { gateway: body.gatewayId, rate: body.rate, at: body.at ?? null };
    await recordAudit(tx, [{ workspacePk, actor, action: "campaign.start", subject: id, details }]);
  });
  return await summarizeSending(row.pk);
}

/** Messages that are being sent right now are finished. */
export async function pauseCampaign(scope: WorkspaceScope, id: string): Promise<Sending> {
  return await change(scope, id, "campaign.pause", (row) =>
    row.state === "scheduled" || row.state === "sending" ? "paused" : undefined,
  );
}

export async function resumeCampaign(scope: WorkspaceScope, id: string): Promise<Sending> {
  assertConfirmed(scope);
  await assertFeatureOn("sending");
  return await change(scope, id, "campaign.resume", async (row, tx) => {
    if (row.state !== "paused") return undefined;
    await assertNoUndo(tx, row.campaign_pk);
    return row.starts_at > new Date() ? "scheduled" : "sending";
  });
}

async function assertNoUndo(tx: Connection, campaignPk: number): Promise<void> {
  if (!(await isUndoing(tx, campaignPk))) return;
  const message =
    "Recipients are being removed from this campaign. Wait until that’s done, then start it.";
  throw new AppError("conflict", message, { problem: "recipients_undoing" });
}

/** Final. Messages that are being sent right now are finished. */
export async function cancelCampaign(scope: WorkspaceScope, id: string): Promise<Sending> {
  return await change(scope, id, "campaign.cancel", (row) =>
    row.state === "finished" || row.state === "cancelled" ? undefined : "cancelled",
  );
}

type Next = (
  row: SendingRow,
  tx: Connection,
) => SendingState | undefined | Promise<SendingState | undefined>;

async function change(
  scope: WorkspaceScope,
  id: string,
  action: AuditAction,
  next: Next,
): Promise<Sending> {
  assertMay(scope, "campaigns.write");
  const { workspacePk, actor } = scope;
  const pk = await transaction(async (tx) => {
    const row = await getRow(scope, id, tx);
    const sending = await findSending(row.pk, tx);
    const state = sending && (await next(sending, tx));
    if (!state) {
      const message = obstacles[sending?.state ?? "draft"];
      throw new AppError("conflict", message, { problem: "sending_changed" });
    }
    await updateState(tx, row.pk, state);
    await recordAudit(tx, [{ workspacePk, actor, action, subject: id }]);
    return row.pk;
  });
  return await summarizeSending(pk);
}

export async function getSending(scope: WorkspaceScope, id: string): Promise<Sending> {
  assertMay(scope, "campaigns.read");
  return await summarizeSending((await getRow(scope, id)).pk);
}

export async function summarizeSending(campaignPk: number): Promise<Sending> {
  const [row, rows] = await Promise.all([findSending(campaignPk), countSends(campaignPk)]);
  const countOf = (state: string) =>
    rows.reduce((sum, one) => sum + (one.state === state ? one.rows : 0), 0);
  const { quiet_from: from = null, quiet_until: until = null } = row ?? {};
  return {
    state: row?.state ?? "draft",
    gatewayId: row?.gateway ?? null,
    startsAt: row?.starts_at.toISOString() ?? null,
    rate: row?.rate ?? null,
    quietHours:
      from === null || until === null ? null : { from: timeOf(from), until: timeOf(until) },
    reason: row?.reason ?? null,
    startedAt: row?.started_at?.toISOString() ?? null,
    finishedAt: row?.finished_at?.toISOString() ?? null,
    pace: paceOf(row, rows, Date.now()),
    counts: countsBy(countOf),
    codes: rows.flatMap(({ state, code, rows: count }) =>
      code === null ? [] : [{ state, code, rows: count }],
    ),
  };
}

/** Sound because every state is a key. */
function countsBy(countOf: (state: string) => number): Sending["counts"] {
  return Object.fromEntries(
    sendStates.map((state) => [state, countOf(state)]),
  ) as Sending["counts"];
}

export async function listSends(
  scope: WorkspaceScope,
  id: string,
  { pageSize, startingAfter, state }: ListSends,
): Promise<Send[]> {
  assertMay(scope, "campaigns.read");
  const { pk } = await getRow(scope, id);
  const rows = await listSendRows(pk, {
    state: state ?? null,
    after: startingAfter,
    limit: pageSize,
  });
  return rows.map((row) => ({
    position: row.position,
    recipientId: presentId("rcp", row.id),
    messageId: row.message_id,
    state: row.state,
    code: row.code,
    attempts: row.attempts,
    attemptedAt: row.attempted_at?.toISOString() ?? null,
    settledAt: row.settled_at?.toISOString() ?? null,
  }));
}

/** Records a person's decision about messages that may have been sent. */
export async function settleSends(
  scope: WorkspaceScope,
  id: string,
  { messageIds, as }: Settle,
): Promise<{ settled: number }> {
  assertMay(scope, "campaigns.write");
  const { workspacePk, actor } = scope;
  return await transaction(async (tx) => {
    const row = await getRow(scope, id, tx);
    const sending = await findSending(row.pk, tx);
    if (as === "again" && sending?.state === "cancelled") {
      const message =
        "This campaign was canceled, so its messages can’t be sent again. Create a new campaign.";
      throw new AppError("conflict", message, { problem: "sending_cancelled" });
    }
    const settled = await settleRows(tx, row.pk, messageIds, as === "sent" ? "accepted" : "due");
    if (settled === 0) return { settled };
    if (as === "again" && sending?.state === "finished") await updateState(tx, row.pk, "sending");
    const details = { as, messages: settled };
    const action = "campaign.settle" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: id, details }]);
    return { settled };
  });
}

async function sendAllDue(): Promise<void> {
  const lanes = Array.from({ length: sendingsAtOnce }, async () => {
    while (await sendDue());
  });
  await Promise.all(lanes);
}

export const sendingJobs = [
  defineJob({
    name: "campaigns.send",
    schema: z.object({}),
    handle: sendAllDue,
    everyMs: sendEveryMs,
    due: () => `EXISTS (
      SELECT
      FROM campaign_sending
      WHERE state IN ('scheduled', 'sending')
        AND next_at <= now()
        AND (lease_until IS NULL OR lease_until < now()))`,
  }),
  defineJob({
    name: "campaigns.ask",
    schema: z.object({}),
    handle: askGateways,
    everyMs: askEveryMs,
  }),
];

/** Shows what a start would send, refuse and cost. Sends and stores nothing. */
export async function tryStart(
  scope: WorkspaceScope,
  id: string,
  body: StartSending,
): Promise<DryRun> {
  assertMay(scope, "campaigns.write");
  const gateway = await openGatewayOf(scope, body.gatewayId);
  const row = await getRow(scope, id);
  assertSendable(row, gateway.settings);
  await assertHours(scope, row, body);
  const counts = await countDue(row.pk);
  const ready = counts.filter(({ code }) => code === null);
  const { prices } = row;
  const countries = ready.map(({ country, rows, parts }) => {
    const cost = costOf(parts, country ?? "", prices);
    return { country: country ?? "", messages: rows, parts, cost };
  });
  const messages = sumOf(ready, "rows");
  return {
    messages,
    parts: sumOf(ready, "parts"),
    cost: prices && addCosts(countries.map(({ cost }) => cost)),
    currency: prices?.currency ?? null,
    seconds: Math.ceil(messages / Math.min(body.rate, gateway.rate)),
    refused: refusedOf(counts),
    countries,
  };
}

function sumOf(counts: readonly DueCount[], name: "rows" | "parts"): number {
  return counts.reduce((sum, count) => sum + count[name], 0);
}

function refusedOf(counts: readonly DueCount[]): DryRun["refused"] {
  const byCode = new Map<string, number>();
  for (const { code, rows } of counts) {
    if (code !== null) byCode.set(code, (byCode.get(code) ?? 0) + rows);
  }
  return [...byCode].map(([code, rows]) => ({ code, rows }));
}

export async function sendTest(
  scope: WorkspaceScope,
  id: string,
  body: TestMessage,
): Promise<TestedMessage> {
  assertMay(scope, "campaigns.write");
  assertMay(scope, "people.view");
  assertConfirmed(scope);
  await assertFeatureOn("sending");
  const { workspacePk, actor } = scope;
  const gateway = await openGatewayOf(scope, body.gatewayId);
  const row = await getRow(scope, id);
  assertSendable(row, gateway.settings);
  const phone = parsePhone(body.phone, "")?.number;
  if (!phone) {
    const problem = "phone: Use a phone in E.164, such as +8613800138000.";
    throw new AppError("unprocessable_entity", problem, { problem: "phone_invalid" });
  }
  const keys = await openPeopleKeys(workspacePk);
  if ((await findOptedOut(workspacePk, [keys.hash(phone)])).size > 0) {
    throw new AppError("conflict", "This phone number has opted out.", {
      problem: "phone_opted_out",
    });
  }
  const recipient = await findRecipient(row.pk, body.messageId ?? null);
  const message = recipient && writeMessage(openText(row, gateway.settings), keys, recipient);
  if (!message) {
    throw new AppError("not_found", "No recipient has this message ID.", {
      problem: "message_unknown",
    });
  }
  await takeTest(workspacePk);
  await transaction((tx) =>
    recordAudit(tx, [{ workspacePk, actor, action: "campaign.test", subject: id }]),
  );
  // A new id, so that receipts of the test are not matched to the recipient.
  const [outcome] = await gateway.client.send([{ ...message, phone, messageId: newId("rcp") }]);
  const { state } = outcome ?? { state: "unknown" as const };
  const isProblem = outcome && outcome.state !== "accepted";
  return {
    state,
    code: isProblem ? outcome.code : null,
    reason: isProblem ? outcome.reason : null,
    text: message.text,
  };
}

async function takeTest(workspacePk: number): Promise<void> {
  const attempt = await tryLimit("testMessagePerWorkspace", String(workspacePk));
  if (attempt.ok) return;
  const message = "Too many test messages. Try again later.";
  throw new AppError("rate_limit_exceeded", message, attempt);
}
