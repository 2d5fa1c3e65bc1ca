/**
 * The lifecycle of a process: resources are closed in reverse order, once, after the last flush.
 *
 * A process started by `npm start` has an IPC channel. It reports "ready" over it, and its closing means that the
 * supervisor is gone (even by kill -9): the process then ends instead of staying behind as an orphan.
 *
 * States: running → closing (first SIGTERM, SIGINT or lost supervisor) → exit. A second signal changes nothing;
 * a close that takes longer than `closeTimeoutMs`, and than what was asked for in addition, ends the process with exit
 * code 1.
 */
import { flushLog, log } from "#lib/platform/log";
import { nameSourceLines } from "./stack-traces.ts";

interface Closer {
  name: string;
  close: () => Promise<unknown> | unknown;
}

const closers: Closer[] = [];
const closeTimeoutMs = 20_000;
let closing: Promise<void> | undefined;
let moreTimeMs = 0;

/** Registers something to close when the process ends. Last opened, first closed. */
export function onClose(name: string, close: Closer["close"]): void {
  closers.push({ name, close });
}

/** Time for a closer that waits on purpose. */
export function allowToClose(ms: number): void {
  moreTimeMs = Math.max(moreTimeMs, ms);
}

/** Closes everything in reverse order. A closer that fails is logged and does not stop the others. */
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
  if (closing !== undefined) return;
  log.info({ event: "process.closing", reason });
  setTimeout(() => exit(1), closeTimeoutMs + moreTimeMs).unref();
  await closeAll();
  exit(exitCode);
}

function exit(code: number): never {
  flushLog();
  process.exit(code);
}

/** Handles signals, the supervisor and fatal errors until the process ends. Called once, at the top of an entry. */
export function superviseProcess(): void {
  if (import.meta.isCompiled) nameSourceLines();
  process.on("SIGTERM", () => void end("SIGTERM", 0));
  process.on("SIGINT", () => void end("SIGINT", 0));
  process.on("disconnect", () => void end("supervisor gone", 0));
  for (const fault of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(fault, (error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log.fatal({ event: "process.failed", fault, error: text });
      void end(fault, 1);
    });
  }
}

/** Reports to the supervisor, if there is one, that this process serves. */
export function reportReady(): void {
  process.send?.({ type: "ready" });
}
