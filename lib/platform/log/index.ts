/** JSON lines on standard output; pretty in a terminal. Never log addresses, keys or passwords. */
import { pino } from "pino";
import pretty from "pino-pretty";
import { peekLogLevel } from "#lib/platform/config";

export {
  exposeCounters,
  exposeGauges,
  exposeHistogram,
  Histogram,
  readCounters,
  readStatus,
  renderMetrics,
  serveSiblings,
} from "./metrics.ts";

export { crashingParts, listenToStart, tellStart } from "./parts.ts";

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

// A system write per line would cost as much as answering a request, so lines are buffered.
const buffer = process.stdout.isTTY
  ? undefined
  : pino.destination({ sync: false, minLength: bufferBytes });
let flushing: NodeJS.Timeout | undefined;
// Its own periodic flush would wake a silent process four times a second.
const lines = buffer && {
  write: (line: string) => {
    buffer.write(line);
    if (flushing) return;
    flushing = setTimeout(() => {
      flushing = undefined;
      buffer.flush();
    }, bufferMaxMs).unref();
  },
};

export const log = lines
  ? pino(options, lines)
  : pino(options, pretty({ sync: true, ignore: "pid,hostname", messageKey: "text" }));

/** For lines about each request. Their fields cannot be secret, so this skips the search for secrets. */
export const requestLog = lines ? pino({ ...options, redact: [] }, lines) : log;

export function flushLog(): void {
  try {
    buffer?.flushSync();
  } catch {}
}
