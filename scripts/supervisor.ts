/**
 * Keeps the processes of Fuxi running.
 *
 * Each part: starting → ready ("ready" over its IPC channel) → ended. A part that ends by itself is restarted after a pause that
 * doubles each time. If it crashes `crashesMax` times within a minute, or ends before it was ready, everything stops, because
 * repeated faults must not be hidden. Parts are stopped one by one, in the order of the list. If the supervisor is killed, the
 * channels close and the parts end.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Advice, endChild, hasEnded, type Output } from "./processes.ts";

export interface SupervisedPart {
  name: string;
  args: string[];
}

interface Options {
  parts: SupervisedPart[];
  env: NodeJS.ProcessEnv;
  output: Output;
  report: (line: string) => void;
  onChildren: (pids: number[]) => void;
  pauseMinMs?: number;
  /** Called when a part keeps crashing after a successful start. */
  onGiveUp: (reason: string) => void;
}

const crashesMax = 5;
const crashWindowMs = 60_000;
const pauseMinMsDefault = 250;
const readyTimeoutMs = 300_000;
const stopTimeoutMs = 25_000;

export class Supervisor {
  readonly #options: Options;
  readonly #children = new Map<string, ChildProcess>();
  readonly #expected = new Set<ChildProcess>();
  #crashes: number[] = [];
  #running = false;
  #stopping = false;
  #stopped: Promise<void> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  async start(): Promise<void> {
    try {
      await Promise.all(
        this.#options.parts.map(async (part) => {
          const outcome = await this.#launch(part);
          if (outcome !== "ready") throw new Advice(`${part.name} ${outcome}.`);
        }),
      );
      this.#running = true;
      for (const [name, child] of this.#children) {
        if (hasEnded(child)) throw new Advice(`${name} ended while the others were starting.`);
      }
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Stops parts in order. Each one flushes before the next one ends. */
  stop(): Promise<void> {
    this.#stopping = true;
    this.#running = false;
    this.#stopped ??= (async () => {
      for (const { name } of this.#options.parts) await this.#end(name);
    })();
    return this.#stopped;
  }

  async restart(name: string): Promise<void> {
    const part = this.#options.parts.find((each) => each.name === name);
    if (part === undefined || this.#stopping) return;
    this.#crashes = [];
    await this.#end(name);
    await this.#launch(part);
  }

  pidOf(name: string): number | undefined {
    return this.#children.get(name)?.pid;
  }

  /** Resolves with "ready", or with a reason that fits the end of a sentence. */
  #launch(part: SupervisedPart): Promise<string> {
    const { env, output } = this.#options;
    // A separate group, so that Ctrl-C does not reach it before its turn.
    const child = spawn(process.execPath, part.args, {
      detached: true,
      env,
      stdio: ["ignore", output, output, "ipc"],
    });
    this.#children.set(part.name, child);
    this.#options.onChildren([...this.#children.values()].flatMap(({ pid }) => pid ?? []));
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        resolve(`was not ready within ${readyTimeoutMs / 1000} s`);
      }, readyTimeoutMs);
      child.on("message", (message) => {
        if (isReady(message)) resolve("ready");
      });
      child.once("exit", (code, signal) => {
        clearTimeout(late);
        const how = signal ? `ended by ${signal}` : `ended with exit code ${code}`;
        resolve(`${how} before it was ready`);
        if (this.#running && !this.#expected.has(child)) void this.#recover(part, child, how);
      });
    });
  }

  async #recover(part: SupervisedPart, crashed: ChildProcess, how: string): Promise<void> {
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((time) => now - time < crashWindowMs), now];
    if (this.#crashes.length >= crashesMax) {
      this.#options.onGiveUp(`${part.name} ${how}: ${crashesMax} crashes within a minute`);
      return;
    }
    const { pauseMinMs = pauseMinMsDefault } = this.#options;
    const pauseMs = pauseMinMs * 2 ** (this.#crashes.length - 1);
    this.#options.report(`${part.name} ${how}; restarting in ${pauseMs / 1000} s`);
    await sleep(pauseMs);
    // A reload may have restarted it in the meantime.
    if (this.#stopping || this.#children.get(part.name) !== crashed) return;
    const outcome = await this.#launch(part);
    if (outcome === "ready") this.#options.report(`${part.name} is ready again`);
  }

  async #end(name: string): Promise<void> {
    const child = this.#children.get(name);
    if (child === undefined) return;
    this.#expected.add(child);
    await endChild(child, "SIGTERM", stopTimeoutMs);
    if (child.signalCode === "SIGKILL") {
      this.#options.report(`${name} did not end within ${stopTimeoutMs / 1000} s and was killed`);
    }
  }
}

function isReady(message: unknown): boolean {
  return (
    typeof message === "object" && message !== null && "type" in message && message.type === "ready"
  );
}
