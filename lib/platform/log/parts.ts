/** The other processes that `npm start` runs beside this one. */
import cluster from "node:cluster";
import { register } from "prom-client";
import type { PartMessage, PartMetrics } from "./schema.ts";

const answerMaxMs = 3_000;
/** Set by the first message: other parents with a channel would not answer. */
let isUnderStart = false;
const crashes = { restarts: {} as Record<string, number>, crashing: [] as string[] };

/** The parts that keep crashing. */
export function crashingParts(): readonly string[] {
  return crashes.crashing;
}

export function restartsOfParts(): Record<string, number> {
  return crashes.restarts;
}

/** Answers messages of `npm start`. Other parents send none. */
export function listenToStart(): void {
  if (cluster.isWorker) return;
  process.on("message", (message: PartMessage) => {
    if (message.type === "crashes") {
      isUnderStart = true;
      Object.assign(crashes, message);
    }
    if (message.type === "metrics?") void sendMetrics();
  });
}

async function sendMetrics(): Promise<void> {
  tellStart({ type: "metrics", metrics: await register.getMetricsAsJSON() });
}

export function tellStart(message: PartMessage): void {
  if (!cluster.isWorker) process.send?.(message);
}

/** Undefined: this process runs by itself, or there was no answer. */
export async function readPartMetrics(): Promise<PartMetrics[] | undefined> {
  if (!isUnderStart || !process.connected) return undefined;
  tellStart({ type: "metrics?" });
  return await receive(answerMaxMs, (message: PartMessage) =>
    message.type === "metricsOfParts" ? message.parts : undefined,
  );
}

/** The first message of the parent that `read` understands. Undefined: none came in time. */
export function receive<Message, Result>(
  maxMs: number,
  read: (message: Message) => Result | undefined,
): Promise<Result | undefined> {
  return new Promise((resolve) => {
    const settle = (result: Result | undefined) => {
      clearTimeout(timer);
      process.off("message", onMessage);
      resolve(result);
    };
    const onMessage = (message: Message) => {
      const result = read(message);
      if (result !== undefined) settle(result);
    };
    const timer = setTimeout(() => settle(undefined), maxMs);
    process.on("message", onMessage);
  });
}
