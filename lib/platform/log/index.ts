/** JSON lines on standard output; pretty in a terminal. No addresses, keys or passwords. */
import { pino } from "pino";
import pretty from "pino-pretty";
import { peekLogLevel } from "#lib/platform/config";

export {
  exposeCounters,
  exposeGauges,
  exposeHistogram,
  Histogram,
  readCounters,
  renderMetrics,
} from "./metrics.ts";
export { serveSiblings } from "./siblings.ts";
export { readStatus } from "./status.ts";

/** What this process does, such as `front`. */
export const processName = nameOfProcess();

const options = {
  level: peekLogLevel(),
  base: { process: processName },
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label: string) => ({ level: label }) },
  messageKey: "text",
  redact: [
    "password",
    "secret",
    "token",
    "apiKey",
    "*.password",
    "*.secret",
    "*.token",
    "*.apiKey",
  ],
};

function nameOfProcess(): string {
  const [file = "fuxi"] = (process.argv[1] ?? "").split("/").slice(-1);
  const names: Record<string, string> = { "server.ts": "front", "index.ts": "worker" };
  return names[file] ?? file.replace(/\.\w+$/, "");
}

const bufferBytes = 8_192;
const bufferMaxMs = 250;

// A line costs a system write; one per request would cost as much as answering it. Lines are collected for a moment,
// and flushed before the process ends.
const lines = process.stdout.isTTY
  ? undefined
  : pino.destination({ sync: false, minLength: bufferBytes, periodicFlush: bufferMaxMs });

export const log = lines
  ? pino(options, lines)
  : pino(options, pretty({ sync: true, ignore: "pid,hostname", messageKey: "text" }));

/** For lines that are written for every request, of fields that cannot be secret: nothing is searched for secrets. */
export const requestLog = lines ? pino({ ...options, redact: [] }, lines) : log;

/** Writes the collected lines. For the end of a process. */
export function flushLog(): void {
  try {
    lines?.flushSync();
  } catch {
    // Nothing was written yet: the destination is not open.
  }
}
