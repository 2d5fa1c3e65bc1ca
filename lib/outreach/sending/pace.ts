/** How fast a campaign is being sent, what limits it, and how long the rest takes. */
import { minuteMs } from "#lib/basics/time/schema";
import type { Sending } from "./schema.ts";
import type { SendingRow, StateCount } from "./store.ts";

const openStates: ReadonlySet<string> = new Set(["due", "attempting", "later"]);

export function paceOf(
  row: SendingRow | undefined,
  counts: readonly StateCount[],
  now: number,
): Sending["pace"] {
  if (row?.state !== "sending") return null;
  const { rate: ownRate, gateway_rate: gatewayRate, next_at: nextAt, started_at: startedAt } = row;
  const rate = Math.min(ownRate, gatewayRate ?? ownRate);
  const open = counts.filter(({ state }) => openStates.has(state));
  const left = sumOf(open, "rows");
  const lastMinute = sumOf(counts, "recent") - sumOf(open, "recent");
  const sinceMs = Math.min(minuteMs, Math.max(1_000, now - (startedAt?.getTime() ?? 0)));
  const actual = Math.min(rate, (lastMinute * 1_000) / sinceMs);
  // Waits for the rate are shorter than a second, and not stored.
  const waitMs = Math.max(0, nextAt.getTime() - now);
  return {
    lastMinute,
    rate,
    limit: waitMs > 0 ? waitOf(open) : gatewayRate === rate ? "gateway" : "campaign",
    until: waitMs > 0 ? nextAt.toISOString() : null,
    secondsLeft: Math.ceil(left / (actual || rate) + waitMs / 1_000),
  };
}

/** Without messages to send again, only quiet hours make a campaign wait. */
function waitOf(open: readonly StateCount[]): "busy" | "quiet_hours" {
  return open.some(({ state }) => state === "later") ? "busy" : "quiet_hours";
}

function sumOf(counts: readonly StateCount[], name: "rows" | "recent"): number {
  return counts.reduce((sum, count) => sum + count[name], 0);
}
