/**
 * What every process of the instance reports about itself, on all machines, in one hash of Redis: administrators see
 * processes that Prometheus does not collect, such as workers and pages.
 *
 * A process that ends removes its report. One that is killed leaves it; it counts as lost when the report is old, and is
 * forgotten after a while.
 */
import { hostname } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { processName, readCounters } from "#lib/platform/log";
import { onClose } from "#lib/platform/processes";
import { redis, redisKeys } from "#lib/platform/redis";
import type { ProcessReport } from "./report-shape.ts";

export const reportEveryMs = 10_000;
const loopResolutionMs = 20;

/** Starts to report this process. For the start of every process. */
export async function openReports(): Promise<void> {
  const id = `${hostname()}:${process.pid}`;
  const loop = monitorEventLoopDelay({ resolution: loopResolutionMs });
  loop.enable();
  let before = { at: performance.now(), cpu: process.cpuUsage() };
  const report = async () => {
    const at = performance.now();
    const cpu = process.cpuUsage(before.cpu);
    const cpuMs = (cpu.user + cpu.system) / 1_000;
    const { rss, heapUsed } = process.memoryUsage();
    const value: ProcessReport = {
      id,
      name: processName,
      host: hostname(),
      pid: process.pid,
      node: process.version,
      startedAt: new Date(performance.timeOrigin).toISOString(),
      at: new Date().toISOString(),
      cpu: at > before.at ? cpuMs / (at - before.at) : 0,
      rssBytes: rss,
      heapBytes: heapUsed,
      delayMs: Math.max(0, loop.percentile(99) / 1e6 - loopResolutionMs),
      counters: await readCounters(),
    };
    before = { at, cpu: process.cpuUsage() };
    loop.reset();
    await redis().hset(redisKeys.processes, id, JSON.stringify(value));
  };
  const attempt = () => report().catch(() => undefined); // Redis is away, which its connection reports
  const timer = setInterval(attempt, reportEveryMs);
  timer.unref();
  onClose("process report", async () => {
    clearInterval(timer);
    loop.disable();
    await redis()
      .hdel(redisKeys.processes, id)
      .catch(() => undefined);
  });
  await attempt();
}
