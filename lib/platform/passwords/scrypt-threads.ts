/**
 * Threads that compute scrypt. They take none of the threads that files and DNS share, and on Linux, where a thread has a
 * priority of its own, everything else goes first: a redirect waits for no password, and a check for no new hash.
 */
import { once } from "node:events";
import { constants } from "node:os";
import { Worker } from "node:worker_threads";

/** JavaScript, because a thread would otherwise load the compiler of this process again. */
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

/** As many threads as there are calls at a time: the callers have queues. */
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
    // A thread that ends while it is idle fails no call; the next one starts another.
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
    // Also rejects with the error of the thread.
    const [hash] = await Promise.race([once(thread, "message", { signal }), ended]);
    return Buffer.from(hash);
  } finally {
    over.abort();
  }
}

export const checkThreads = new ScryptThreads(PRIORITY_BELOW_NORMAL);
export const hashThreads = new ScryptThreads(PRIORITY_LOW);
