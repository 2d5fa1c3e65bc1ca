/**
 * Asks gateways about messages whose response was lost. Nothing is sent: a question settles a message as accepted,
 * delivered or failed where the gateway has it for certain, and otherwise leaves it unknown, for a receipt or a person.
 *
 *     attempt ──2 min──▶ question 1 ──5 min──▶ 2 ──30 min──▶ 3 ──2 h──▶ 4 ──12 h──▶ 5
 *
 * A question is counted before it is asked, so that a message is asked about this often at most, whatever happens to a
 * worker.
 */
import { openGatewayByPk } from "#lib/outreach/gateway-accounts";
import type { SentState } from "#lib/outreach/gateways/schema";
import { optOutBySystem } from "#lib/outreach/opt-outs";
import { slicesOf } from "#lib/platform/batches";
import { exposeCounters, log } from "#lib/platform/log";
import { transaction } from "#lib/platform/postgres";
import { openPeopleKeys } from "#lib/tenancy/people-keys";
import { type AskedRow, settleAsked, takeUnknown } from "./asking-store.ts";
import { storableCode } from "./codes.ts";
import { pausesSeconds } from "./pauses.ts";
import { openText, UnknownColumn, writeMessage } from "./rendering.ts";

const rowsPerRun = 50;
const questionsAtOnce = 5;

const counters = { settled: 0, uncertain: 0 };
exposeCounters("campaign_questions", "Questions about unknown messages by outcome.", counters);

/** Asks about what is due. Safe to run twice, and concurrently. Returns how many messages were asked about. */
export async function askGateways(): Promise<number> {
  const rows = await transaction((tx) => takeUnknown(tx, pausesSeconds, rowsPerRun));
  for (const group of slicesOf(rows, questionsAtOnce)) {
    await Promise.all(
      group.map((row) =>
        ask(row).catch((error: unknown) => {
          log.warn({ event: "sending.question_failed", error: String(error) });
        }),
      ),
    );
  }
  return rows.length;
}

async function ask(row: AskedRow): Promise<void> {
  const { workspace_pk: workspacePk, gateway_pk: gatewayPk, attempted_at: attemptedAt } = row;
  const gateway = await openGatewayByPk(workspacePk, gatewayPk);
  const { sealed, key_version: version, slug, key } = row;
  if (!gateway || !sealed || version === null || slug === null || key === null) return;
  const keys = await openPeopleKeys(workspacePk);
  const recipient = { ...row, sealed, key_version: version, slug, key };
  let message: ReturnType<typeof writeMessage>;
  try {
    message = writeMessage(openText(row, gateway.settings), keys, recipient);
  } catch (error) {
    // A variable was changed since; the text that was sent is not known any more.
    if (error instanceof UnknownColumn) return;
    throw error;
  }
  const found = message && (await gateway.client.find(message, attemptedAt));
  if (!found) {
    counters.uncertain += 1;
    return;
  }
  const remoteHash = found.gatewayId === null ? null : keys.hash(found.gatewayId);
  const isSettled = await settleAsked(row, { ...stored(found), remoteHash });
  if (isSettled) counters.settled += 1;
  if (found.state === "optedOut" && message) {
    await optOutBySystem(workspacePk, [message.phone], "gateway");
  }
}

function stored({ state, code }: SentState): {
  state: "accepted" | "delivered" | "failed";
  code: string | null;
} {
  if (state === "optedOut") return { state: "failed", code: "opted_out" };
  return { state, code: storableCode(code) };
}
