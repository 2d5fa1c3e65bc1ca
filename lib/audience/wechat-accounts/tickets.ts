import { z } from "zod";
import { defineJob } from "#lib/platform/queue";
import { fetchTicket } from "#lib/platform/wechat";
import { noteCall, openRow } from "./opening.ts";
import { takeDueTickets } from "./store.ts";

const everyMs = 30_000;
/**
 * Each account is checked once a minute. Usually its ticket is in Redis, and WeChat is not called.
 */
const leaseMs = 60_000;
const takenMax = 200;
/** So that other jobs of the worker get their turn. The rest is due again a minute later. */
const runMaxMs = 20_000;

/** Fetches tickets ahead, so that visits never wait for WeChat. Returns how many there are. */
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
