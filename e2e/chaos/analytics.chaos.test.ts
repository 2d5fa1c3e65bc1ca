import { afterAll, beforeAll, expect, test } from "vitest";
import {
  describeOwnPostgres,
  existingPid,
  keepAlive,
  makeLink,
  openStage,
  type Process,
  pause,
  run,
  type Stage,
  sendVisitors,
  type VisitCounts,
} from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
const visits = isLong ? 200_000 : 1_500;
const connections = isLong ? 50 : 8;
const links = 30;
/** How often each process is killed during visits. */
const rounds = isLong ? 8 : 1;
/** Days whose slots are rolled up. */
const rolledDays = isLong ? 1 : 0.25;
/** However slow the machine is. */
const settleMs = 600_000;
const dimensionsOfSlots = 21;

let stage: Stage;
const postgres = describeOwnPostgres();
let keys: string[];
let front: { current: Process };
let worker: { current: Process };

beforeAll(async () => {
  stage = await openStage(undefined, postgres.open);
  stage.env["FUXI_TRUSTED_PROXIES"] = "127.0.0.1";
  const api = await stage.start("workers/api.ts");
  const bodies = Array.from({ length: links }, (_, at) => ({
    url: `https://example.com/${at}${at % 3 === 0 ? "?utm_source=letter" : ""}`,
  }));
  keys = (await Promise.all(bodies.map((body) => makeLink(api, body)))).map(({ key }) => key);
  api.kill("SIGTERM");
  front = await keepAlive(stage, "workers/redirect.ts");
  worker = await keepAlive(stage, "workers/index.ts");
});

afterAll(() => stage.close());

const victims: Record<string, () => number> = {
  front: () => existingPid(front.current.child.pid),
  worker: () => existingPid(worker.current.child.pid),
  redis: () => stage.redisPid(),
  postgres: postgres.pid,
};

/** Kills a process once it runs again. PostgreSQL ends without a checkpoint, and recovers. */
async function strike(victim: string): Promise<void> {
  const pidOf = victims[victim];
  const signal = victim === "postgres" ? "SIGQUIT" : "SIGKILL";
  for (let killed = false; !killed; ) {
    try {
      killed = process.kill(existingPid(pidOf?.()), signal);
    } catch {
      await pause(50); // it is still starting
    }
  }
}

/** All of them equally often, in random order. */
function shuffledVictims(): string[] {
  return Array.from({ length: rounds }, () => Object.keys(victims))
    .flat()
    .map((victim) => ({ victim, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ victim }) => victim);
}

let sent = 0;

function headersOf(): Record<string, string> {
  sent += 1;
  return {
    "user-agent":
      sent % 9 === 0
        ? "Googlebot/2.1 (+http://www.google.com/bot.html)"
        : `Mozilla/5.0 (X11; Linux x86_64; rv:1${sent % 40}.0) Gecko/20100101 Firefox/1${sent % 40}.0`,
    "x-forwarded-for": `8.8.${(sent >> 8) % 4}.${sent % 256}`,
    referer: sent % 2 === 0 ? `https://www.site${sent % 20}.example/page` : "",
    "accept-language": ["de", "en-US", "zh-CN"][sent % 3] ?? "",
  };
}

async function ask<Row>(text: string): Promise<Row> {
  const { rows } = await stage.db.query(text);
  return rows[0];
}

interface CounterSums {
  clicks: number;
  bots: number;
  visitors: number;
}

/** The counters of all links once counting is finished. */
async function settle({ answered }: VisitCounts): Promise<CounterSums> {
  const deadline = Date.now() + settleMs;
  let last = -1;
  let changedAt = Date.now();
  for (;;) {
    const counted = await ask<CounterSums>(
      `SELECT coalesce(sum(clicks), 0)::int AS clicks, coalesce(sum(bots), 0)::int AS bots,
        coalesce(sum(visitors), 0)::int AS visitors
      FROM link_stat`,
    ).catch(() => undefined);
    const total = counted ? counted.clicks + counted.bots : last;
    if (total !== last) changedAt = Date.now();
    last = total;
    const atRest = total >= answered && Date.now() - changedAt > 2_500;
    if (counted && (atRest || Date.now() > deadline)) return counted;
    await pause(100);
  }
}

test("answered ≤ counted ≤ answered + in flight while everything is killed, each visitor once a day", {
  timeout: 2 * settleMs,
}, async () => {
  const urlOf = () => {
    const key = keys[sent % keys.length];
    return `${front.current.url}/${key}${sent % 7 === 0 ? "?qr=1" : ""}`;
  };
  const visitors = sendVisitors(urlOf, connections, headersOf);
  const all = shuffledVictims();
  for (const [at, victim] of all.entries()) {
    await visitors.answered((visits / (all.length + 1)) * (at + 1));
    await strike(victim);
  }
  await visitors.answered(visits);
  const counts = await visitors.stop();
  const { clicks, bots, visitors: people } = await settle(counts);
  expect(clicks + bots).toBeGreaterThanOrEqual(counts.answered);
  expect(clicks + bots).toBeLessThanOrEqual(counts.answered + counts.lost);
  expect(people).toBeLessThanOrEqual(clicks);
  const raw = await ask<{ rows: number; clicks: number; people: number; dead: number }>(`
    SELECT
      count(*)::int AS rows,
      count(*) FILTER (WHERE NOT bot)::int AS clicks,
      count(DISTINCT (at::date, link_pk, visitor)) FILTER (WHERE NOT bot)::int AS people,
      (SELECT count(*) FROM analytics.dead_click)::int AS dead
    FROM analytics.click`);
  expect(raw).toEqual({ rows: clicks + bots, clicks, people, dead: 0 });
});

test("every dimension adds up, and rollups equal raw clicks, when workers are killed during the rollup", {
  timeout: 2 * settleMs,
}, async () => {
  // Moves the clicks of a minute to a finished day: enough slots to be killed in between.
  const [today, yesterday] = [0, 1].map((ago) =>
    new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
  );
  await stage.db.query(`
    CREATE TABLE IF NOT EXISTS analytics.click_${yesterday?.replaceAll("-", "")}
    PARTITION OF analytics.click FOR VALUES FROM ('${yesterday}Z') TO ('${today}Z')`);
  await stage.db.query(`
    UPDATE analytics.click
    SET at = timestamptz '${today}Z' - (0.001 + 0.99 * random()) * interval '${rolledDays} day'`);
  await stage.db.query("DELETE FROM analytics.touched_slot");
  await stage.db.query(`
    INSERT INTO analytics.touched_slot (workspace_pk, slot)
    SELECT workspace_pk, date_bin('15 minutes', at, 'epoch')
    FROM analytics.click
    UNION
    SELECT workspace_pk, start -- rolled already, if a quarter hour ended meanwhile
    FROM analytics.link_slot`);
  // A visit that was lost for its visitor may be counted only now: its slot, and its day, end later.
  const before = `timestamptz '${today}Z'`;
  const waiting = async () =>
    (
      await ask<{ waiting: number }>(`
        SELECT (SELECT count(*) FROM analytics.touched_slot WHERE slot < ${before})::int
          + (SELECT count(*) FROM analytics.touched_day WHERE start < ${before})::int AS waiting`)
    ).waiting;
  const [slots, deadline] = [await waiting(), Date.now() + settleMs];
  expect(slots).toBeGreaterThan(90 * rolledDays);
  // A second worker, so that two of them roll at once.
  const second = await keepAlive(stage, "workers/index.ts");
  for (let left = slots, kills = 0; left > 0 && Date.now() < deadline; left = await waiting()) {
    if (left < slots * (1 - kills / 4) && kills < 4) {
      (kills % 2 === 0 ? worker : second).current.kill("SIGKILL");
      kills += 1;
    }
    await pause(20);
  }
  expect(await waiting()).toBe(0);
  const { rows } = await stage.db.query(`
    SELECT dimension, sum(clicks)::int AS clicks, sum(bots)::int AS bots, sum(visitors)::int AS visitors
    FROM analytics.value_slot
    WHERE start < ${before}
    GROUP BY dimension`);
  const raw = await ask(`
    SELECT count(*) FILTER (WHERE NOT bot)::int AS clicks, count(*) FILTER (WHERE bot)::int AS bots,
      count(*) FILTER (WHERE first_of_workspace)::int AS visitors
    FROM analytics.click
    WHERE at < ${before}`);
  expect(rows).toHaveLength(dimensionsOfSlots);
  for (const { dimension, ...sums } of rows) expect([dimension, sums]).toEqual([dimension, raw]);
  const days = await ask<{ days: number }>(
    "SELECT count(*)::int AS days FROM analytics.rolled_day",
  );
  expect(days.days).toBeGreaterThan(0);
  if (isLong) await run("scripts/analytics.ts", ["rebuild", "--check"], stage.env);
});
