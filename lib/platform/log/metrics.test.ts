import { expect, test } from "vitest";
import {
  exposeCounters,
  exposeGauges,
  exposeHistogram,
  Histogram,
  readStatus,
  renderMetrics,
  statusOf,
} from "./metrics.ts";

test("a value at a bound is in its bucket, one above it in the next, and each bucket holds those below", async () => {
  const buckets = new Histogram([1, 5]);
  for (const value of [0, 1, 1.5, 5, 6]) buckets.observe(value);
  exposeHistogram("test_spread", "A spread.", buckets);
  const text = await renderMetrics();
  expect(text).toContain("# TYPE fuxi_test_spread histogram");
  expect(text.match(/^fuxi_test_spread.*$/gm)).toEqual([
    'fuxi_test_spread_bucket{le="1"} 2',
    'fuxi_test_spread_bucket{le="5"} 4',
    'fuxi_test_spread_bucket{le="+Inf"} 5',
    "fuxi_test_spread_sum 13.5",
    "fuxi_test_spread_count 5",
  ]);
});

test("fields and numbers are read at the moment of the request", async () => {
  const fields = { seen: 0 };
  let depth = 0;
  exposeCounters("test_fields", "Fields.", fields);
  exposeGauges("test_depth", "A depth.", async () => ({ now: depth }));
  fields.seen = 3;
  depth = 7;
  const text = await renderMetrics();
  expect(text).toContain('fuxi_test_fields_total{what="seen"} 3');
  expect(text).toContain('fuxi_test_depth{what="now"} 7');
});

test("the status adds up the counts of several caches", async () => {
  exposeCounters("cache_one", "One.", { hits: 1, sharedHits: 2, sharedErrors: 3, loads: 4 });
  exposeCounters("cache_two", "Two.", { hits: 10, loads: 20, loadErrors: 30 });
  exposeCounters("database", "Statements.", {
    select: 5,
    update: 6,
    lock: 7,
    error: 8,
    lockError: 9,
  });
  exposeCounters("pk_ranges", "Ranges.", { local: 1, redisErrors: 2, postgresErrors: 3 });
  exposeGauges("generator", "The last pk.", async () => ({ current: 65_536 }));
  expect(await readStatus()).toEqual({
    cache: { hit: 13, miss: 24, error: 33 },
    database: { select: 5, update: 6, error: 8 },
    lock: { get: 7, error: 9 },
    generator: { current: 65_536, error: 5 },
  });
});

test("the status covers the processes of npm start, and the generator that is furthest ahead", () => {
  const text = [
    'fuxi_cache_one_total{what="hits",process="front"} 2',
    'fuxi_cache_one_total{what="hits",process="api"} 3',
    'fuxi_database_total{process="worker",what="select"} 4',
    'fuxi_generator{what="current",process="front"} 0',
    'fuxi_generator{what="current",process="api"} 65536',
  ].join("\n");
  expect(statusOf(text)).toMatchObject({
    cache: { hit: 5 },
    database: { select: 4 },
    generator: { current: 65_536 },
  });
});

test("only counters have names that end with _total, as promtool asks", async () => {
  const types = [...(await renderMetrics()).matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  expect(types.length).toBeGreaterThan(20);
  const wrong = types.filter(([, name = "", type]) => {
    return name.endsWith("_total") !== (type === "counter");
  });
  expect(wrong.map(([line]) => line)).toEqual([]);
});
