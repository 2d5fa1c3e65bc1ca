/**
 * Loaded into a process with --import: how late its event loop turns. Whoever sends "delay" over IPC gets the figures
 * since the last time.
 *
 * A timer asks to be called every millisecond; what a turn takes beyond that is its delay, waiting for a core included.
 */
import { monitorEventLoopDelay, performance } from "node:perf_hooks";

const resolutionMs = 1;
const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
let utilization = performance.eventLoopUtilization();
histogram.enable();

process.on("message", (message) => {
  if (message !== "delay") return;
  const { utilization: busy } = performance.eventLoopUtilization(utilization);
  process.send?.({
    delayP50Ms: delayAt(50),
    delayP99Ms: delayAt(99),
    delayMaxMs: delayAt(100),
    busy: Number(busy.toFixed(2)),
  });
  utilization = performance.eventLoopUtilization();
  histogram.reset();
});

function delayAt(percentile: number): number {
  const ms = histogram.percentile(percentile) / 1e6 - resolutionMs;
  return Number(Math.max(0, ms).toFixed(2));
}
