/**
 * The few metrics of older link services, as one object. They are read from the metrics, so that there is one source.
 */
import { renderMetrics } from "./metrics.ts";

export interface Status {
  cache: { hit: number; miss: number; error: number };
  database: { select: number; update: number; error: number };
  lock: { get: number; error: number };
  /** The next pk of this process, 0 where it creates no links. */
  generator: { current: number; error: number };
}

export async function readStatus(): Promise<Status> {
  const samples = parseMetrics(await renderMetrics());
  const sum = (name: RegExp, ...whats: string[]) =>
    samples
      .filter(
        (figure) => name.test(figure.name) && (whats.length === 0 || whats.includes(figure.what)),
      )
      .reduce((total, { value }) => total + value, 0);
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
      current: sum(/^fuxi_generator$/, "current"),
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
  return [...text.matchAll(/^(\w+)(?:\{what="(\w+)"\})? (\S+)$/gm)].map(
    ([, name = "", what = "", value]) => ({ name, what, value: Number(value) }),
  );
}
