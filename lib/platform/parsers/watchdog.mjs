/**
 * A thread that ends its process when a document takes too much CPU time or memory, or when the
 * parent is gone. The main thread may be stuck in a document.
 *
 *     [0] 1 while a document is parsed, else 0      [1] CPU time at which the process ends, in microseconds
 */
import { workerData } from "node:worker_threads";

const { shared, checkMs, rssBytesMax, starter } = workerData;
const state = new Int32Array(shared, 0, 1);
const limits = new Float64Array(shared, 8, 1);

for (;;) {
  Atomics.wait(state, 0, 0);
  while (Atomics.load(state, 0) === 1) {
    const { user, system } = process.cpuUsage();
    // defence: parser-cpu-time
    if (user + system > limits[0]) process.kill(process.pid, "SIGALRM");
    // defence: parser-memory
    if (process.memoryUsage.rss() > rssBytesMax) process.kill(process.pid, "SIGUSR2");
    // defence: parser-ends-with-starter
    if (process.ppid !== starter) process.kill(process.pid, "SIGKILL");
    Atomics.wait(state, 0, 1, checkMs);
  }
}
