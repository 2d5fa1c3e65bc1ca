/**
 * The lifecycle of a process. Resources are closed once, in reverse order.
 *
 * `npm start` gives its processes an IPC channel. They report "ready" over it. When it closes, the
 * supervisor is gone, and the process ends instead of becoming an orphan.
 *
 * States: running → closing (SIGTERM, SIGINT or lost supervisor) → exit. Further signals change
 * nothing. Closing that takes longer than `closeTimeoutMs` plus `allowToClose` exits with code 1.
 */
import { ConfigError, unfixableExit } from "#lib/platform/config";
import { flushLog, listenToStart, log, tellStart } from "#lib/platform/log";
import { nameSourceLines } from "./stack-traces.ts";

interface Closer {
  name: string;
  close: () => Promise<unknown> | unknown;
}

const closers: Closer[] = [];
const closeTimeoutMs = 20_000;
let closing: Promise<void> | undefined;
let ends = false;
let moreTimeMs = 0;

export function onClose(name: string, close: Closer["close"]): void {
  closers.push({ name, close });
}

export function allowToClose(ms: number): void {
  moreTimeMs = Math.max(moreTimeMs, ms);
}

export function closeAll(): Promise<void> {
  closing ??= (async () => {
    for (const closer of closers.splice(0).reverse()) {
      try {
        await closer.close();
      } catch (error) {
        log.error({ event: "close.failed", what: closer.name, error: String(error) });
      }
    }
  })();
  return closing;
}

async function end(reason: string, exitCode: number): Promise<void> {
  if (ends) return;
  ends = true;
  log.info({ event: "process.closing", reason });
  setTimeout(() => exit(1), closeTimeoutMs + moreTimeMs).unref();
  await closeAll();
  exit(exitCode);
}

function exit(code: number): never {
  flushLog();
  process.exit(code);
}

/** Handles signals, the supervisor and fatal errors. Call it once, at the top of an entry. */
export function superviseProcess(): void {
  if (import.meta.isCompiled) nameSourceLines();
  listenToStart();
  process.on("SIGTERM", () => void end("SIGTERM", 0));
  process.on("SIGINT", () => void end("SIGINT", 0));
  process.on("disconnect", () => void end("supervisor gone", 0));
  for (const fault of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(fault, (error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log.fatal({ event: "process.failed", fault, error: text });
      void end(fault, error instanceof ConfigError ? unfixableExit : 1);
    });
  }
}

export function reportReady(): void {
  tellStart({ type: "ready" });
}
