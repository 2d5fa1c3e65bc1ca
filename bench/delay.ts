/**
 * Loaded into a process with --import: measures its event-loop delay. The message "delay" over IPC returns the values
 * since the last one.
 *
 * A timer is due every millisecond; the rest of a turn is its delay, including the wait for a core.
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
