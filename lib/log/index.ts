/** JSON lines on standard output; pretty when a person looks at a terminal. No addresses, keys or passwords. */
import { pino } from "pino";
import pretty from "pino-pretty";
import { peekLogLevel } from "#lib/config";

const options = {
  level: peekLogLevel(),
  base: { process: processName() },
  timestamp: pino.stdTimeFunctions.isoTime,
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

function processName(): string {
  const entry = process.argv[1] ?? "fuxi";
  return (entry.split("/").at(-1) ?? entry).replace(/\.\w+$/, "");
}

export const log = process.stdout.isTTY
  ? pino(options, pretty({ sync: true, ignore: "pid,hostname", messageKey: "text" }))
  : pino(options);
