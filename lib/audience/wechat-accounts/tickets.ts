/** Keeps the tickets of official accounts, so that visits find them: they never wait for WeChat. */
import { z } from "zod";
import { defineJob } from "#lib/platform/queue";
import { fetchTicket } from "#lib/platform/wechat";
import { noteCall, openRow } from "./opening.ts";
import { takeDueTickets } from "./store.ts";

const everyMs = 30_000;
/** Each account is looked at once a minute; mostly its ticket is in Redis, and WeChat is not called. */
const leaseMs = 60_000;
const takenMax = 200;
/** Other jobs of the worker have their turn, too; what is left is due again a minute later. */
const runMaxMs = 20_000;

/** Fetches what is missing or ends within minutes. Returns how many tickets are there. */
export async function fetchTickets(): Promise<number> {
  const endsAt = Date.now() + runMaxMs;
  let kept = 0;
  for (const row of await takeDueTickets(takenMax, leaseMs)) {
    if (Date.now() > endsAt) break;
    const account = openRow(row);
    const result = await fetchTicket(account.app);
    await noteCall(account, result);
    if (result.ok) kept += 1;
  }
  return kept;
}

export const wechatTicketJobs = [
  defineJob({
    name: "wechat-ticket.fetch",
    schema: z.object({}),
    handle: () => fetchTickets(),
    everyMs,
  }),
];
