/** Metrics for Prometheus. Hot paths count in plain fields, which are read on request. */

import cluster from "node:cluster";
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, register } from "prom-client";
import { readPartMetrics, receive, restartsOfParts } from "./parts.ts";

export function exposeCounters(name: string, help: string, fields: Record<string, number>): void {
  // Next's bundle has its own copy of a module. The last one is exposed.
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

  /** In Prometheus each bucket includes the smaller ones. */
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

export function exposeHistogram(name: string, help: string, histogram: Histogram): void {
  register.removeSingleMetric(`fuxi_${name}`);
  register.registerMetric(asMetric(`fuxi_${name}`, help, histogram));
}

/** Sound because a registry only reads the name of a metric and the result of `get`. */
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

/** Under `npm start`, those of all its processes. */
export async function renderMetrics(): Promise<string> {
  collectDefaults();
  return (await readPrimary()) ?? (await renderParts()) ?? (await register.metrics());
}

function collectDefaults(): void {
  if (register.getSingleMetric("process_cpu_user_seconds_total")) return;
  collectDefaultMetrics();
  // Only counters may end with _total. These gauges are sums of others.
  for (const what of ["resources", "handles", "requests"]) {
    register.removeSingleMetric(`nodejs_active_${what}_total`);
  }
}

/** Undefined: this process runs by itself. */
async function renderParts(): Promise<string | undefined> {
  const others = await readPartMetrics();
  if (!others) return undefined;
  const own = { name: "front", metrics: await register.getMetricsAsJSON() };
  const all = [own, ...others].map(({ name, metrics }) =>
    metrics.map(({ values, ...metric }) => ({
      ...metric,
      values: values.map((one) => ({ ...one, labels: { ...one.labels, process: name } })),
    })),
  );
  return await AggregatorRegistry.aggregate([...all, [restartsMetric()]]).metrics();
}

function restartsMetric() {
  return {
    name: "fuxi_process_restarts_total",
    help: "How often npm start restarted a process that had ended by itself.",
    type: "counter",
    aggregator: "sum",
    values: Object.entries(restartsOfParts()).map(([process, value]) => ({
      labels: { process },
      value,
    })),
  };
}

/** Without gauges, which may ask a store. */
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

const answerMaxMs = 2_000;
const request = "fuxi:metrics?";

if (cluster.isWorker) new AggregatorRegistry();

interface MetricsReply {
  fuxiMetrics: string;
}

/** One process asks the primary (node:cluster) to aggregate. Undefined: no answer. */
function readPrimary(): Promise<string | undefined> {
  if (!cluster.isWorker) return Promise.resolve(undefined);
  process.send?.(request);
  return receive(answerMaxMs, (message: unknown) =>
    isMetricsReply(message) ? message.fuxiMetrics : undefined,
  );
}

function isMetricsReply(message: unknown): message is MetricsReply {
  return typeof message === "object" && message !== null && "fuxiMetrics" in message;
}

export function serveSiblings(): void {
  const registry = new AggregatorRegistry();
  cluster.on("message", (worker, message) => {
    if (message !== request) return;
    registry.clusterMetrics().then(
      (fuxiMetrics) => worker.send({ fuxiMetrics }),
      () => undefined,
    );
  });
}

interface Status {
  cache: { hit: number; miss: number; error: number };
  database: { select: number; update: number; error: number };
  lock: { get: number; error: number };
  /** The next pk of the process that is furthest ahead, 0 if none creates links. */
  generator: { current: number; error: number };
}

/** A few metrics in the format of older link services. Under `npm start`, of all its processes. */
export async function readStatus(): Promise<Status> {
  return statusOf(await renderMetrics());
}

/** The status in the text of `/metrics`. */
export function statusOf(text: string): Status {
  const samples = parseMetrics(text);
  const valuesOf = (name: RegExp, ...whats: string[]) =>
    samples
      .filter((sample) => name.test(sample.name) && whats.includes(sample.what))
      .map(({ value }) => value);
  const sum = (name: RegExp, ...whats: string[]) =>
    valuesOf(name, ...whats).reduce((total, value) => total + value, 0);
  const caches = /^fuxi_cache_/;
  const database = /^fuxi_database_total$/;
  return {
    cache: {
      hit: sum(caches, "hits", "sharedHits"),
      miss: sum(caches, "loads"),
      error: sum(caches, "sharedErrors", "loadErrors"),
    },
    database: {
      select: sum(database, "select"),
      update: sum(database, "update"),
      error: sum(database, "error"),
    },
    lock: { get: sum(database, "lock"), error: sum(database, "lockError") },
    generator: {
      current: Math.max(0, ...valuesOf(/^fuxi_generator$/, "current")),
      error: sum(/^fuxi_pk_ranges_total$/, "redisErrors", "postgresErrors"),
    },
  };
}

interface MetricSample {
  name: string;
  what: string;
  value: number;
}

function parseMetrics(text: string): MetricSample[] {
  return [...text.matchAll(/^(\w+)\{(?:[^}]*,)?what="(\w+)"[^}]*\} (\S+)$/gm)].map(
    ([, name = "", what = "", value]) => ({ name, what, value: Number(value) }),
  );
}
