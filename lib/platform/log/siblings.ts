/**
 * Metrics of an entry that runs in several processes. A request reaches one of these; it asks the primary process
 * (node:cluster), which aggregates the metrics of all workers.
 */
import cluster from "node:cluster";
import { AggregatorRegistry } from "prom-client";

const answerMaxMs = 2_000;
const request = "fuxi:metrics?";

// Makes this process answer requests for its own metrics.
if (cluster.isWorker) new AggregatorRegistry();

interface MetricsReply {
  fuxiMetrics: string;
}

/** The metrics of all processes; undefined for a single process, or when the primary does not answer. */
export function readPrimary(): Promise<string | undefined> {
  if (!cluster.isWorker) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const settle = (text: string | undefined) => {
      clearTimeout(timer);
      process.off("message", onMessage);
      resolve(text);
    };
    const onMessage = (message: unknown) => {
      if (isMetricsReply(message)) settle(message.fuxiMetrics);
    };
    const timer = setTimeout(() => settle(undefined), answerMaxMs);
    process.on("message", onMessage);
    process.send?.(request);
  });
}

function isMetricsReply(message: unknown): message is MetricsReply {
  return typeof message === "object" && message !== null && "fuxiMetrics" in message;
}

/** In the primary process: answers requests of the workers. */
export function serveSiblings(): void {
  const registry = new AggregatorRegistry();
  cluster.on("message", (worker, message) => {
    if (message !== request) return;
    registry.clusterMetrics().then(
      (fuxiMetrics) => worker.send({ fuxiMetrics }),
      () => undefined, // one of them does not answer: the worker shows its own metrics
    );
  });
}
