/** Children parse documents, one at a time, and are killed when they exceed a limit. */
import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { AppError } from "#lib/platform/errors";
import { exposeCounters, log } from "#lib/platform/log";
import { forkProgram, onClose, programOf } from "#lib/platform/processes";
import {
  type Answer,
  excessSignals,
  heapMegabytesMax,
  idleMs,
  type Task,
  wallMsMax,
} from "./protocol.ts";

export type Outcome =
  | { kind: "parsed"; output: unknown }
  | { kind: "failed"; error: Error }
  /** `refused`: exceeded a limit or broke its parser. `lost`: ended otherwise. */
  | { kind: "refused" | "lost" | "left" };

const flags = [`--max-old-space-size=${heapMegabytesMax}`, "--max-semi-space-size=4"];
/** Crashes of native decoders, or of V8 when it runs out of memory. */
const crashSignals = new Set<NodeJS.Signals>(["SIGABRT", "SIGTRAP", "SIGSEGV", "SIGBUS", "SIGILL"]);
/** When memory runs out, Linux ends a child before the process that answers visitors. */
const oomScore = "1000";

const ended = { limit: 0, crash: 0, left: 0, lost: 0 };
exposeCounters("parsers_ended", "Processes that were ended while they parsed a document.", ended);

const entry = new URL("../../../workers/parser.ts", import.meta.url);
/** Next's bundle has its own copy of this module, without compiled files beside it. */
const programHook = Symbol.for("fuxi.parsers");

export class ParserChildren {
  #warm = 0;
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  #ending: NodeJS.Timeout | undefined;

  open(warm: number, program = entry): void {
    Reflect.set(globalThis, programHook, programOf(program));
    this.#warm = warm;
    while (this.#idle.length < warm) this.#idle.push(this.#start());
    onClose("parsers", () => {
      this.#warm = 0;
      for (const child of this.#all) child.kill("SIGKILL");
    });
  }

  async ask(task: Task, signal: AbortSignal | undefined): Promise<Outcome> {
    const child = this.#idle.pop() ?? this.#start();
    child.ref();
    child.channel?.ref();
    const outcome = await exchange(child, task, signal);
    if (outcome.kind === "parsed" || outcome.kind === "failed") this.#keep(child);
    else this.#replace(child, task, outcome.kind);
    return outcome;
  }

  #keep(child: ChildProcess): void {
    this.#idle.push(child);
    detach(child);
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => this.#endIdle(), idleMs).unref();
  }

  #endIdle(): void {
    while (this.#idle.length > this.#warm) this.#idle.shift()?.kill("SIGKILL");
  }

  #replace(child: ChildProcess, { name }: Task, reason: "refused" | "lost" | "left"): void {
    child.kill("SIGKILL");
    const { signalCode } = child;
    log.warn({ event: "parser.ended", parser: name, reason, signal: signalCode });
    ended[reason === "refused" ? kindOf(signalCode) : reason] += 1;
    if (this.#idle.length < this.#warm) this.#idle.push(this.#start());
  }

  #start(): ChildProcess {
    const program: unknown = Reflect.get(globalThis, programHook);
    if (typeof program !== "string") throw new Error("Call openParsers before documents are read");
    const child = forkProgram(program, [], {
      execArgv: flags,
      // Without settings, so that a decoder of strangers' bytes has none to give away.
      // defence: parser-without-settings
      env: { NODE_ENV: "production", MALLOC_ARENA_MAX: "2" },
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#all.add(child);
    child.once("exit", () => {
      this.#all.delete(child);
      const at = this.#idle.indexOf(child);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    child.on("error", () => child.kill("SIGKILL"));
    lower(child.pid);
    detach(child);
    return child;
  }
}

function kindOf(signal: NodeJS.Signals | null): "limit" | "crash" {
  return signal !== null && excessSignals.has(signal) ? "limit" : "crash";
}

/** Idle children do not keep the process running. */
function detach(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** Needed because a child inherits the raised priority of the process that answers visitors. */
function lower(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    // defence: parser-low-priority
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    if (process.platform === "linux") writeFileSync(`/proc/${pid}/oom_score_adj`, oomScore);
  } catch {
    // The child has ended, or the container refuses. The limits apply anyway.
  }
}

function exchange(
  child: ChildProcess,
  task: Task,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const end = (outcome: Outcome) => {
      clearTimeout(timer);
      child.off("message", onAnswer);
      child.off("exit", onExit);
      signal?.removeEventListener("abort", onAbort);
      resolve(outcome);
    };
    const onAnswer = (message: unknown) => end(outcomeOf(message as Answer));
    const onExit = (_code: number | null, by: NodeJS.Signals | null) => {
      const isFault = by !== null && (excessSignals.has(by) || crashSignals.has(by));
      end({ kind: isFault ? "refused" : "lost" });
    };
    const onAbort = () => end({ kind: "left" });
    const timer = setTimeout(() => end({ kind: "lost" }), wallMsMax);
    child.on("message", onAnswer);
    child.on("exit", onExit);
    // defence: parser-ends-with-client
    signal?.addEventListener("abort", onAbort);
    if (child.exitCode !== null || child.signalCode !== null) onExit(null, child.signalCode);
    else child.send(task);
  });
}

function outcomeOf(answer: Answer): Outcome {
  if (answer.kind === "parsed") return answer;
  const { code, message, retryAfterSeconds, problem } = answer;
  const error =
    code === undefined
      ? new Error(message)
      : new AppError(code, message, {
          retryAfterSeconds,
          problem: problem?.code,
          params: problem?.params,
        });
  return { kind: "failed", error };
}
