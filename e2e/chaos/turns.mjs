// Loaded into a process under test: measures the CPU time of its main thread, turn by turn of its event loop. Unlike time
// that passes, it does not depend on what else the machine does.
import { openSync, readSync } from "node:fs";

const everyMs = 1;
/** A turn that only looks takes less. While a child works, there are thousands of them. */
const lookNs = 500_000;
const file = process.platform === "linux" ? openSync("/proc/self/schedstat") : undefined;
const buffer = Buffer.alloc(128);
let timer;
let before = 0;
let longest = 0;
let sum = 0;

/** Nanoseconds that the main thread has run. */
function cpuTime() {
  return Number.parseInt(buffer.latin1Slice(0, readSync(file, buffer, 0, 128, 0)), 10);
}

/** Comes after a turn that took longer than its pause: what was used meanwhile is that turn, and a millisecond at most. */
function look() {
  const now = cpuTime();
  longest = Math.max(longest, now - before);
  if (now - before > lookNs) sum += now - before;
  before = now;
}

process.on("message", (message) => {
  if (message === "turns") {
    longest = 0;
    sum = 0;
    before = cpuTime();
    timer = setInterval(look, everyMs);
  }
  if (message === "turns end") {
    clearInterval(timer);
    look();
    process.send({ longestMs: longest / 1e6, sumMs: sum / 1e6 });
  }
});
// A child that nothing else keeps alive must end, although it could be asked.
process.channel?.unref();
