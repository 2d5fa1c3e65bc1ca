/** Restarts a store that ends by itself, and stops it last. The other processes keep running without it. */
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { endChild, hasEnded } from "./processes.ts";

interface Options {
  name: string;
  launch: () => ChildProcess;
  /** Throws when the child ended or took too long, and when the signal is aborted. */
  waitUntilReady: (child: ChildProcess, signal?: AbortSignal) => Promise<void>;
  stopSignal: NodeJS.Signals;
  report: (line: string) => void;
}

const pauseMinMs = 250;
const pauseMaxMs = 2_000;
const stopTimeoutMs = 60_000;

export class Daemon {
  readonly #options: Options;
  #child: ChildProcess | undefined;
  #stopping = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The signal aborts the first start only, never a restart. */
  async start(signal?: AbortSignal): Promise<void> {
    const child = this.#options.launch();
    this.#child = child;
    try {
      await this.#options.waitUntilReady(child, signal);
    } catch (error) {
      await endChild(child, this.#options.stopSignal, stopTimeoutMs);
      throw error;
    }
    if (hasEnded(child)) void this.#recover();
    else child.once("exit", () => void this.#recover());
  }

  /** Stops the store for good. Tests that need a lost server kill it with this. */
  async stop(signal = this.#options.stopSignal): Promise<void> {
    this.#stopping = true;
    if (this.#child) await endChild(this.#child, signal, stopTimeoutMs);
  }

  async #recover(): Promise<void> {
    const { name, report } = this.#options;
    for (let pauseMs = pauseMinMs; !this.#stopping; pauseMs = Math.min(pauseMs * 2, pauseMaxMs)) {
      const { signalCode, exitCode } = this.#child ?? {};
      const how = signalCode ? `by ${signalCode}` : `with exit code ${exitCode}`;
      report(`${name} ended ${how}; restarting in ${pauseMs / 1000} s`);
      await sleep(pauseMs);
      if (this.#stopping) return;
      try {
        await this.start();
        report(`${name} is ready again`);
        return;
      } catch (error) {
        report(String(error));
      }
    }
  }
}
