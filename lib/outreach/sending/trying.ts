/** Trying a campaign before it is sent: a dry run, and a test message. */

import { newId } from "#lib/basics/ids";
import { openGatewayOf } from "#lib/outreach/gateway-accounts";
import { findOptedOut } from "#lib/outreach/opt-outs";
import { addCosts, costOf } from "#lib/outreach/segments";
import { AppError } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { parsePhone } from "#lib/platform/phones";
import { transaction } from "#lib/platform/postgres";
import { assertConfirmed, assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { assertFeatureOn } from "#lib/tenancy/features";
import { openPeopleKeys } from "#lib/tenancy/people-keys";
import { assertHours, assertSendable, getRow } from "./checks.ts";
import { countDue, type DueCount, findRecipient } from "./recipient-store.ts";
import { openText, writeMessage } from "./rendering.ts";
import type { DryRun, StartSending, TestedMessage, TestMessage } from "./schema.ts";

/** What a start would send, refuse and cost. Sends nothing and stores nothing. */
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

/** Sends the message of a recipient to another phone, once. */
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
  // An id of its own: receipts of a test are not those of the recipient.
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
