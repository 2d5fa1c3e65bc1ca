/**
 * Metrics in the text format of Prometheus.
 *
 * Hot paths count in plain fields and arrays of numbers, which are read on request, so counting stays the increment of
 * a number.
 */
import { Counter, collectDefaultMetrics, Gauge, register } from "prom-client";
import { readPrimary } from "./siblings.ts";

/** Exposes plain fields as one counter with the label `what`. */
export function exposeCounters(name: string, help: string, fields: Record<string, number>): void {
  // Next's bundle contains its own copy of a module: the last one is exposed.
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

/** Exposes values that are read on request as one gauge with the label `what`. Unreadable ones are omitted. */
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

/** Counts values by their upper bounds. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.#bounds.length && value > (this.#bounds[at] ?? 0)) at += 1;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  /** A Prometheus histogram: each bucket includes those below it. */
  samples(name: string) {
    let count = 0;
    const histogram = [...this.#counts].map((inBucket, at) => {
      count += inBucket;
      const le: number | string = this.#bounds[at] ?? "+Inf";
      return { metricName: `${name}_bucket`, labels: { le }, value: count };
    });
    return [
      ...histogram,
      { metricName: `${name}_sum`, labels: {}, value: this.#sum },
      { metricName: `${name}_count`, labels: {}, value: count },
    ];
  }
}

/** Exposes a histogram. */
export function exposeHistogram(name: string, help: string, histogram: Histogram): void {
  register.removeSingleMetric(`fuxi_${name}`);
  register.registerMetric(asMetric(`fuxi_${name}`, help, histogram));
}

/** Sound because a registry reads only the name of a metric and the result of `get`. */
function asMetric(name: string, help: string, histogram: Histogram): Gauge {
  const get = async () => ({
    name,
    help,
    type: "histogram",
    values: histogram.samples(name),
    aggregator: "sum",
  });
  return { name, help, get, reset: () => undefined } as unknown as Gauge;
}

/**
 * Everything that was exposed, with Node's own metrics (memory, event-loop delay). For an entry in several processes,
 * all of them together.
 */
export async function renderMetrics(): Promise<string> {
  if (!register.getSingleMetric("process_cpu_user_seconds_total")) collectDefaultMetrics();
  return (await readPrimary()) ?? (await register.metrics());
}

/** The counters of this process, such as `clicks.written`, without those at zero. Gauges are not read: some ask a store. */
export async function readCounters(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const metric of register.getMetricsAsArray()) {
    const [, name] = /^fuxi_(\w+)_total$/.exec(metric.name) ?? [];
    const values = name ? (await register.getSingleMetric(metric.name)?.get())?.values : undefined;
    for (const { labels, value } of values ?? []) {
      if (value !== 0) found[`${name}.${labels["what"] ?? "all"}`] = value;
    }
  }
  return found;
}
