/**
 * Keeps the processes of Fuxi running.
 *
 * Each part: starting → ready ("ready" over its IPC channel) → ended. A part that ends by itself is restarted after a pause that
 * doubles with each crash and starts anew once the part has run for a while. Other parts are not affected. A slow part is waited
 * for. Everything stops only if waiting can’t help: a part ends with `unfixableExit` (wrong settings, another code key), or keeps
 * crashing before the instance has served anything. Parts are stopped one by one, in the order of the list. If the supervisor is
 * killed, the channels close and the parts end.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { unfixableExit } from "#lib/platform/config";
import type { PartMessage, PartMetrics } from "#lib/platform/log/schema";
import { Advice, endChild, type Output } from "./processes.ts";

export interface SupervisedPart {
  name: string;
  args: string[];
  /** The instance serves once all of these parts are ready. */
  serves: boolean;
}

interface Options {
  parts: SupervisedPart[];
  env: NodeJS.ProcessEnv;
  output: Output;
  report: (line: string) => void;
  onChildren: (pids: number[]) => void;
  pauseMinMs?: number;
  /** Called if waiting can’t help, after a successful start. */
  onGiveUp: (reason: string, exitCode?: number) => void;
}

/** Before the instance serves, a part that crashes this often stops the start. */
const startCrashesMax = 5;
const pauseMinMsDefault = 250;
const pauseMaxMs = 30_000;
/** A part that has been ready for this long is healthy: its next crash is a first one. */
const healthyAfterMs = 60_000;
const crashingFrom = 3;
const metricsMaxMs = 2_000;
const stopTimeoutMs = 25_000;

interface Running {
  child: ChildProcess;
  isReady: boolean;
}

export class Supervisor {
  readonly #options: Options;
  readonly #running = new Map<string, Running>();
  readonly #expected = new Set<ChildProcess>();
  readonly #crashes = new Map<string, number>();
  readonly #restarts: Record<string, number>;
  readonly #unhurried = new Set<string>();
  #serves = false;
  #stopped: Promise<void> | undefined;
  #settleStart: { serve: () => void; fail: (reason: Advice) => void } | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#restarts = Object.fromEntries(options.parts.map(({ name }) => [name, 0]));
  }

  /** Resolves when the instance serves. The other parts may still be starting. */
  async start(): Promise<void> {
    try {
      await new Promise<void>((serve, fail) => {
        this.#settleStart = { serve, fail };
        for (const part of this.#options.parts) this.#launch(part);
      });
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Parts that are not ready yet. */
  starting(): string[] {
    return this.#options.parts.map(({ name }) => name).filter((name) => !this.#isReady(name));
  }

  /** Stops parts in order. Each one flushes before the next one ends. */
  stop(): Promise<void> {
    this.#stopped ??= (async () => {
      for (const { name } of this.#options.parts) await this.#end(name);
      // No part gets ready anymore, so a start that still waits for one would wait forever.
      this.#settleStart?.fail(new Advice("Stopped during the start."));
    })();
    return this.#stopped;
  }

  async restart(name: string): Promise<void> {
    const part = this.#options.parts.find((each) => each.name === name);
    if (part === undefined || this.#stopped !== undefined) return;
    this.#crashes.delete(name);
    await this.#end(name);
    this.#launch(part);
  }

  pidOf(name: string): number | undefined {
    return this.#running.get(name)?.child.pid;
  }

  #isReady(name: string): boolean {
    return this.#running.get(name)?.isReady ?? false;
  }

  #launch(part: SupervisedPart): void {
    const { env, output } = this.#options;
    const own = this.#unhurried.has(part.name) ? { ...env, FUXI_PRIORITIES: "off" } : env;
    // A separate group, so that Ctrl-C does not reach it before its turn.
    const child = spawn(process.execPath, part.args, {
      detached: true,
      env: own,
      stdio: ["ignore", output, output, "ipc"],
    });
    const running = { child, isReady: false };
    this.#running.set(part.name, running);
    this.#options.onChildren(
      [...this.#running.values()].flatMap(({ child: { pid } }) => pid ?? []),
    );
    child.on("message", (message: PartMessage) => this.#hear(part, running, message));
    child.once("exit", (code, signal) => {
      running.isReady = false;
      if (this.#stopped !== undefined || this.#expected.has(child)) return;
      const how = signal ? `ended by ${signal}` : `ended with exit code ${code}`;
      if (code === unfixableExit) {
        this.#giveUp(`${part.name} can’t run, for the reason above`, unfixableExit);
      } else void this.#recover(part, child, how);
    });
  }

  #hear(part: SupervisedPart, running: Running, message: PartMessage): void {
    if (message.type === "ready") this.#welcome(part, running);
    if (message.type === "starved") void this.#hurry(part);
    if (message.type === "metrics?") void this.#collectMetrics(running.child);
  }

  #welcome({ name }: SupervisedPart, running: Running): void {
    running.isReady = true;
    setTimeout(() => {
      if (running.isReady && this.#crashes.delete(name)) this.#tellCrashes();
    }, healthyAfterMs).unref();
    this.#tellCrashes();
    if (this.#serves) this.#options.report(`${name} is ready`);
    const isServing = this.#options.parts.every((part) => !part.serves || this.#isReady(part.name));
    if (this.#serves || !isServing) return;
    this.#serves = true;
    this.#settleStart?.serve();
  }

  async #recover(part: SupervisedPart, crashed: ChildProcess, how: string): Promise<void> {
    const { name } = part;
    const crashes = (this.#crashes.get(name) ?? 0) + 1;
    this.#crashes.set(name, crashes);
    if (!this.#serves && crashes >= startCrashesMax) {
      return this.#giveUp(`${name} ${how}, ${crashes} times in a row`);
    }
    const { pauseMinMs = pauseMinMsDefault } = this.#options;
    const pauseMs = Math.min(pauseMinMs * 2 ** (crashes - 1), pauseMaxMs);
    const often = crashes >= crashingFrom ? ` (crash ${crashes} in a row)` : "";
    this.#options.report(`${name} ${how}; restarting in ${pauseMs / 1000} s${often}`);
    this.#restarts[name] = (this.#restarts[name] ?? 0) + 1;
    this.#tellCrashes();
    await sleep(pauseMs);
    // A reload may have restarted it in the meantime.
    if (this.#stopped === undefined && this.#running.get(name)?.child === crashed)
      this.#launch(part);
  }

  #giveUp(reason: string, exitCode?: number): void {
    if (this.#serves) this.#options.onGiveUp(reason, exitCode);
    else this.#settleStart?.fail(new Advice(`${reason}.`, exitCode));
  }

  #tellCrashes(): void {
    const crashing = [...this.#crashes].flatMap(([name, crashes]) =>
      crashes >= crashingFrom ? name : [],
    );
    for (const { child } of this.#running.values()) {
      this.#tell(child, { type: "crashes", restarts: this.#restarts, crashing });
    }
  }

  /** A process can’t raise its own priority again, so another one is started that never lowered it. */
  async #hurry({ name }: SupervisedPart): Promise<void> {
    if (this.#unhurried.has(name)) return;
    this.#unhurried.add(name);
    this.#options.report(
      `${name} gets too little CPU time at low priority; restarting it at normal priority`,
    );
    await this.restart(name);
  }

  /** The metrics of all other parts, for the one that was asked. */
  async #collectMetrics(asking: ChildProcess): Promise<void> {
    const others = [...this.#running].filter(
      ([, { child, isReady }]) => child !== asking && isReady,
    );
    const answers = others.map(async ([name, { child }]) => await this.#askMetrics(name, child));
    this.#tell(asking, { type: "metricsOfParts", parts: (await Promise.all(answers)).flat() });
  }

  /** Empty: no answer in time. */
  #askMetrics(name: string, child: ChildProcess): Promise<PartMetrics[]> {
    return new Promise((resolve) => {
      const settle = (answers: PartMetrics[]) => {
        clearTimeout(timer);
        child.off("message", onMessage);
        resolve(answers);
      };
      const onMessage = (message: PartMessage) => {
        if (message.type === "metrics") settle([{ name, metrics: message.metrics }]);
      };
      const timer = setTimeout(() => settle([]), metricsMaxMs);
      child.on("message", onMessage);
      this.#tell(child, { type: "metrics?" });
    });
  }

  #tell(child: ChildProcess, message: PartMessage): void {
    if (child.connected) child.send(message, () => undefined);
  }

  async #end(name: string): Promise<void> {
    const running = this.#running.get(name);
    if (running === undefined) return;
    this.#expected.add(running.child);
    await endChild(running.child, "SIGTERM", stopTimeoutMs);
    if (running.child.signalCode === "SIGKILL") {
      this.#options.report(`${name} did not end within ${stopTimeoutMs / 1000} s and was killed`);
    }
  }
}
