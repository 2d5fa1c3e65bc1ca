/**
 * Sending of campaigns with the gateways of their workspace: starting and controlling it, and what became of each
 * message. slices.ts sends.
 *
 *     draft ──start──▶ scheduled ──▶ sending ◀──▶ paused      draft: there is no row
 *                                      ├──▶ finished ──start──▶ scheduled    for recipients that were added since
 *                                      └──▶ cancelled
 */

import { z } from "zod";
import { presentId } from "#lib/basics/ids";
import { holdGateway, openGatewayOf } from "#lib/outreach/gateway-accounts";
import { AppError } from "#lib/platform/errors";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { assertConfirmed, assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import type { AuditAction } from "#lib/tenancy/audit/schema";
import { assertFeatureOn } from "#lib/tenancy/features";
import { assertIncluded } from "#lib/tenancy/quotas";
import { askGateways } from "./asking.ts";
import { assertHours, assertSendable, getRow } from "./checks.ts";
import { quietOf, timeOf } from "./quiet.ts";
import {
  type ListSends,
  type Send,
  type Sending,
  type Settle,
  type StartSending,
  sendStates,
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

export { askGateways } from "./asking.ts";
export { getRow as getSendableRow } from "./checks.ts";
export { storableCode } from "./codes.ts";
export { sendDue } from "./slices.ts";
export { sendTest, tryStart } from "./trying.ts";

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

/** Schedules the messages of a campaign; a worker sends them. */
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
    // Locked: it is neither deleted nor erased before the commit.
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

/** Messages that are being sent at this moment are finished. */
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

/** For good. Messages that are being sent at this moment are finished. */
export async function cancelCampaign(scope: WorkspaceScope, id: string): Promise<Sending> {
  return await change(scope, id, "campaign.cancel", (row) =>
    row.state === "finished" || row.state === "cancelled" ? undefined : "cancelled",
  );
}

/** The new state; undefined: it is not possible now. */
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

/** The state of the sending, and the number of messages by state. */
export async function getSending(scope: WorkspaceScope, id: string): Promise<Sending> {
  assertMay(scope, "campaigns.read");
  return await summarizeSending((await getRow(scope, id)).pk);
}

/** The same for a campaign that was found for its reader. */
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

/** A page of messages with their states, in the order of adding. */
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

/** A person decides about messages that may have been sent. */
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
    await recordAudit(tx, [
      { workspacePk, actor, action: "campaign.settle", subject: id, details },
    ]);
    return { settled };
  });
}

/** Sends what is due, several campaigns at once. Safe to run twice, and concurrently. */
async function sendAllDue(): Promise<void> {
  const lanes = Array.from({ length: sendingsAtOnce }, async () => {
    while (await sendDue());
  });
  await Promise.all(lanes);
}

/** The jobs of this module, for a worker. */
export const sendingJobs = [
  defineJob({
    name: "campaigns.send",
    schema: z.object({}),
    handle: sendAllDue,
    everyMs: sendEveryMs,
  }),
  defineJob({
    name: "campaigns.ask",
    schema: z.object({}),
    handle: askGateways,
    everyMs: askEveryMs,
  }),
];
