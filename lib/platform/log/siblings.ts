/**
 * Figures of an entry that runs in several processes. A request for them reaches one of these; it asks the process that
 * runs them all (node:cluster), which adds up what each of them says.
 */
import cluster from "node:cluster";
import { AggregatorRegistry } from "prom-client";

const answerMaxMs = 2_000;
const request = "fuxi:metrics?";

// Makes this process answer when it is asked for its own figures.
if (cluster.isWorker) new AggregatorRegistry();

interface Answer {
  fuxiMetrics: string;
}

/** The figures of all processes; undefined where there is only this one, or when the one that runs us does not answer. */
export function askPrimary(): Promise<string | undefined> {
  if (!cluster.isWorker) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const settle = (text: string | undefined) => {
      clearTimeout(timer);
      process.off("message", onMessage);
      resolve(text);
    };
    const onMessage = (message: unknown) => {
      if (isAnswer(message)) settle(message.fuxiMetrics);
    };
    const timer = setTimeout(() => settle(undefined), answerMaxMs);
    process.on("message", onMessage);
    process.send?.(request);
  });
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === "object" && message !== null && "fuxiMetrics" in message;
}

/** In the process that runs the others: answers their requests. */
export function answerSiblings(): void {
  const registry = new AggregatorRegistry();
  cluster.on("message", (worker, message) => {
    if (message !== request) return;
    registry.clusterMetrics().then(
      (fuxiMetrics) => worker.send({ fuxiMetrics }),
      () => undefined, // one of them does not answer: who asked shows its own figures
    );
  });
}
