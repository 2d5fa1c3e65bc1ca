/**
 * While the CPU is short, many checks of a process fail for that one reason. Instead of a line for each, the log gets one line per
 * minute that counts them.
 */
import { log } from "#lib/platform/log";

const tickEveryMs = 1_000;
/** A timer that is this late had to wait for the CPU. */
const lateMs = 1_000;
const starvedForMs = 60_000;

interface Line {
  event: string;
  job?: string;
}

let tickedAt = performance.now();
let starvedUntil = 0;
let longestWaitMs = 0;
let counts: Record<string, number> = {};

setInterval(noticeWait, tickEveryMs).unref();

/** Also called before a line is written: after a pause, the timers of others may fire before ours. */
function noticeWait(): void {
  const now = performance.now();
  const waitMs = now - tickedAt - tickEveryMs;
  tickedAt = now;
  if (waitMs < lateMs) return;
  longestWaitMs = Math.max(longestWaitMs, waitMs);
  starvedUntil = now + starvedForMs;
}

export function logUnlessStarved<Fields extends Line>(level: "warn" | "error", line: Fields): void {
  if (performance.now() - tickedAt > tickEveryMs) noticeWait();
  if (performance.now() > starvedUntil) {
    log[level](line);
    return;
  }
  if (Object.keys(counts).length === 0) setTimeout(summarize, starvedForMs).unref();
  const what = line.job === undefined ? line.event : `${line.event} ${line.job}`;
  counts[what] = (counts[what] ?? 0) + 1;
}

function summarize(): void {
  log.warn({
    event: "cpu.short",
    text: "This process waited for the CPU. Counted instead of one line each:",
    longestWaitMs: Math.round(longestWaitMs),
    ...counts,
  });
  counts = {};
  longestWaitMs = 0;
}
