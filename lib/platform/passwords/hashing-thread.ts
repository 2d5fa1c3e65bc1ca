/**
 * The thread that makes new hashes. It takes none of the threads that checks, files and DNS share, and on Linux, where a
 * thread has a priority of its own, everything else goes first: a check that arrives has a core at once.
 */
import { Worker } from "node:worker_threads";

/** JavaScript, because a thread would otherwise load the compiler of this process again. */
const source = `
const { scryptSync } = require("node:crypto");
const { setPriority, constants } = require("node:os");
const { parentPort } = require("node:worker_threads");
if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_LOW);
parentPort.on("message", ({ text, salt, bytes, options }) => {
  parentPort.postMessage(scryptSync(text, salt, bytes, options));
});
`;

interface HashRequest {
  text: string;
  salt: Uint8Array;
  bytes: number;
  options: { N: number; r: number; p: number; maxmem: number };
}

interface Pending {
  resolve: (hash: Buffer) => void;
  reject: (error: Error) => void;
}

let thread: Worker | undefined;
let pending: Pending | undefined;

/** One call at a time. */
export function hashInThread(request: HashRequest): Promise<Buffer> {
  thread ??= startThread();
  // Only a pending hash keeps the process alive.
  thread.ref();
  thread.postMessage(request);
  return new Promise((resolve, reject) => {
    pending = { resolve, reject };
  });
}

function startThread(): Worker {
  const worker = new Worker(source, { eval: true, execArgv: [] });
  const settle = (finish: (one: Pending) => void) => {
    worker.unref();
    const one = pending;
    pending = undefined;
    if (one) finish(one);
  };
  const fail = (error: Error) => {
    if (thread === worker) thread = undefined;
    settle((one) => one.reject(error));
  };
  worker.on("message", (hash: Uint8Array) => settle((one) => one.resolve(Buffer.from(hash))));
  worker.on("error", fail);
  worker.on("exit", (code) => fail(new Error(`The hashing thread ended with ${code}`)));
  return worker;
}
