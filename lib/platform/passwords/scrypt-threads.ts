/** Threads apart from those of files and DNS. On Linux, redirects come first, then checks, then new hashes. */
import { once } from "node:events";
import { constants } from "node:os";
import { Worker } from "node:worker_threads";

/** In JavaScript, because a thread would load this process's TypeScript compiler again. */
const source = `
const { scryptSync } = require("node:crypto");
const { setPriority } = require("node:os");
const { parentPort, workerData } = require("node:worker_threads");
if (process.platform === "linux") setPriority(0, workerData.priority);
parentPort.on("message", ({ text, salt, bytes, options }) => {
  parentPort.postMessage(scryptSync(text, salt, bytes, options));
});
`;

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

interface ScryptRequest {
  text: string;
  salt: Uint8Array;
  bytes: number;
  options: { N: number; r: number; p: number; maxmem: number };
}

class ScryptThreads {
  readonly #priority: number;
  #idle: Worker[] = [];

  constructor(priority: number) {
    this.#priority = priority;
  }

  async run(request: ScryptRequest): Promise<Buffer> {
    const thread = this.#idle.pop() ?? this.#start();
    // Only a running call keeps the process alive.
    thread.ref();
    const hash = await answerOf(thread, request);
    thread.unref();
    this.#idle.push(thread);
    return hash;
  }

  #start(): Worker {
    const workerData = { priority: this.#priority };
    const thread = new Worker(source, { eval: true, execArgv: [], workerData });
    // When an idle thread ends, the next call starts another.
    thread.on("error", () => undefined);
    thread.on("exit", () => {
      this.#idle = this.#idle.filter((one) => one !== thread);
    });
    return thread;
  }
}

async function answerOf(thread: Worker, request: ScryptRequest): Promise<Buffer> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(thread, "exit", { signal }).then(([code]) => {
    throw new Error(`A thread of scrypt ended with ${code}`);
  });
  thread.postMessage(request);
  try {
    const [hash] = await Promise.race([once(thread, "message", { signal }), ended]);
    return Buffer.from(hash);
  } finally {
    over.abort();
  }
}

export const checkThreads = new ScryptThreads(PRIORITY_BELOW_NORMAL);
export const hashThreads = new ScryptThreads(PRIORITY_LOW);
