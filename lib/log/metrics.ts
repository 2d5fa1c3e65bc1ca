/** Counters for operators, in the text format of Prometheus. */
import { Counter, collectDefaultMetrics, Gauge, register } from "prom-client";

let withDefaults = false;

/**
 * Shows plain fields as one counter with the label `what`. The fields are read when somebody asks, so counting on a hot
 * path stays the increment of a number.
 */
export function exposeCounters(name: string, help: string, fields: Record<string, number>): void {
  // Next's bundle holds its own copy of a room: the last one shows.
  register.removeSingleMetric(`fuxi_${name}_total`);
  new Counter({
    name: `fuxi_${name}_total`,
    help,
    labelNames: ["what"],
    collect() {
      this.reset();
      for (const [what, value] of Object.entries(fields)) this.inc({ what }, value);
    },
  });
}

/** Shows what is read when somebody asks as one gauge with the label `what`. What cannot be read is not shown. */
export function exposeGauges<Fields extends { [Name in keyof Fields]: number }>(
  name: string,
  help: string,
  read: () => Promise<Fields>,
): void {
  register.removeSingleMetric(`fuxi_${name}`);
  new Gauge({
    name: `fuxi_${name}`,
    help,
    labelNames: ["what"],
    async collect() {
      this.reset();
      const fields = await read().catch(() => ({}));
      for (const [what, value] of Object.entries<number>(fields)) this.set({ what }, value);
    },
  });
}

/** Everything that was exposed, with what Node tells of itself (memory, event-loop delay). */
export function renderMetrics(): Promise<string> {
  if (!withDefaults) collectDefaultMetrics();
  withDefaults = true;
  return register.metrics();
}
