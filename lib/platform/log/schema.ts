/** Between `npm start` and the processes that it runs, over their IPC channels. */
export type PartMessage =
  | { type: "ready" }
  /** At low priority, the process does not get enough CPU time for its work. */
  | { type: "starved" }
  /** Asks a process for its metrics, or `npm start` for those of all others. */
  | { type: "metrics?" }
  | ({ type: "metrics" } & Pick<PartMetrics, "metrics">)
  | { type: "metricsOfParts"; parts: PartMetrics[] }
  /** How often each part was restarted, and the parts that keep crashing. */
  | { type: "crashes"; restarts: Record<string, number>; crashing: string[] };

export interface PartMetrics {
  name: string;
  /** As prom-client describes them. */
  metrics: { name: string; values: { value: number; labels: object }[] }[];
}
