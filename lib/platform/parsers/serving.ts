/** The child's side: parses one document at a time. A thread watches it. */
import { Worker } from "node:worker_threads";
import { AppError } from "#lib/platform/errors";
import { programOf } from "#lib/platform/processes";
import type { Parser } from "./index.ts";
import { type Answer, checkMs, rssBytesMax, type Task } from "./protocol.ts";

// biome-ignore lint/suspicious/noExplicitAny: parsers of any kind; `Task` says which one its input is for.
type AnyParser = Pick<Parser<any, unknown>, "name" | "parse">;

export function serveParsers(parsers: readonly AnyParser[]): void {
  const byName = new Map(parsers.map((parser) => [parser.name, parser]));
  const watch = startWatchdog();
  process.on("disconnect", () => process.exit());
  process.on("message", async (message) => {
    const { name, input, cpuMsMax } = message as Task;
    watch.begin(cpuMsMax);
    const answer = await answerOf(() => {
      const parser = byName.get(name);
      if (!parser) throw new Error(`workers/parser.ts has no parser "${name}"`);
      return parser.parse(input);
    });
    watch.end();
    process.send?.(answer);
  });
}

async function answerOf(parse: () => unknown): Promise<Answer> {
  try {
    return { kind: "parsed", output: await parse() };
  } catch (error) {
    if (!(error instanceof AppError)) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { kind: "failed", message };
    }
    const { code, message, retryAfterSeconds, problem } = error;
    return { kind: "failed", code, message, retryAfterSeconds, problem };
  }
}

const program = new URL("./watchdog.mjs", import.meta.url);

function startWatchdog() {
  const shared = new SharedArrayBuffer(16);
  const state = new Int32Array(shared, 0, 1);
  const limits = new Float64Array(shared, 8, 1);
  const workerData = { shared, checkMs, rssBytesMax, starter: process.ppid };
  new Worker(programOf(program), { workerData, execArgv: [] }).unref();
  return {
    begin(cpuMsMax: number): void {
      const { user, system } = process.cpuUsage();
      limits[0] = user + system + cpuMsMax * 1_000;
      Atomics.store(state, 0, 1);
      Atomics.notify(state, 0);
    },
    end(): void {
      Atomics.store(state, 0, 0);
      Atomics.notify(state, 0);
    },
  };
}
