import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { TcpProxy } from "../../test/tcp-proxy.ts";
import {
  makeLink,
  openStage,
  type Process,
  pause,
  type Stage,
  sendVisitors,
  sendVisits,
  settledClicks,
} from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
const visits = isLong ? 100_000 : 1_200;
const kills = isLong ? 3 : 1;
/** Visitors at once, while the fault takes its time. */
const fewVisitors = isLong ? 32 : 4;
const waitMaxMs = 300_000;
let stage: Stage;
/** A link per test, whose clicks are separate. */
const keys: string[] = [];
let key: string;

beforeAll(async () => {
  stage = await openStage();
  const api = await stage.start("workers/api.ts");
  for (let link = 0; link < 4; link++) {
    keys.push((await makeLink(api, { url: "https://example.com/target" })).key);
  }
  await stage.clear();
});

beforeEach(() => {
  key = keys.pop() ?? "";
});

afterEach(() => stage.clear());

afterAll(() => stage.close());

/** Restarts an entry each time it dies. `current` is the running one. */
async function keepAlive(entry: string): Promise<{ current: Process }> {
  const kept = { current: await stage.start(entry) };
  const watch = () =>
    kept.current.child.once("exit", () => {
      if (stage.closing) return;
      stage.start(entry).then(
        (next) => {
          kept.current = next;
          watch();
        },
        () => undefined, // the stage is being closed
      );
    });
  watch();
  return kept;
}

test("answered ≤ counted ≤ answered + in flight when front and worker are killed", async () => {
  const front = await keepAlive("workers/redirect.ts");
  const worker = await keepAlive("workers/index.ts");
  const visitors = sendVisitors(() => `${front.current.url}/${key}`);
  for (let kill = 1; kill <= kills; kill++) {
    await visitors.answered((visits / (kills + 1)) * kill);
    front.current.kill("SIGKILL");
    worker.current.kill("SIGKILL");
    // The next quarter starts with the next front.
    await visitors.answered(visitors.tally.answered + 1);
  }
  await visitors.answered(visits);
  const counts = await visitors.stop();
  const counted = await settledClicks(stage, key, counts.answered);
  expect(counts.lost).toBeGreaterThan(0);
  expect(counted).toBeGreaterThanOrEqual(counts.answered);
  expect(counted).toBeLessThanOrEqual(counts.answered + counts.lost);
});

/** Does something while a worker is in the middle of writing clicks, which then goes on. */
async function whileWriting(work: () => void): Promise<void> {
  const blocker = await stage.db.connect();
  try {
    await blocker.query("BEGIN");
    await blocker.query("LOCK TABLE analytics.click_group IN SHARE MODE");
    await vi.waitFor(async () => {
      const { rowCount } = await stage.db.query(`
        SELECT
        FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
          AND query LIKE '%INSERT INTO analytics.click_group%'`);
      expect(rowCount).toBe(1);
    }, waitMaxMs);
    work();
    await blocker.query("ROLLBACK");
  } finally {
    blocker.release();
  }
}

async function countedClicks(): Promise<number> {
  const { rows } = await stage.db.query(
    `SELECT coalesce(sum(link_stat.clicks), 0)::int AS clicks
     FROM link JOIN link_stat ON link_stat.link_pk = link.pk WHERE link.key = $1`,
    [key],
  );
  return rows[0].clicks;
}

test("answered = counted when a worker is killed just before it has counted clicks, and just after", async () => {
  const front = await stage.start("workers/redirect.ts");
  const redis = new TcpProxy();
  const after = await stage.start("workers/index.ts", {
    REDIS_URL: await redis.open(stage.redisUrl),
  });
  const first = await sendVisits(() => `${front.url}/${key}`, 50);
  // It counts them, and cannot tell Redis.
  await whileWriting(() => redis.stall());
  await vi.waitFor(async () => expect(await countedClicks()).toBeGreaterThan(0), waitMaxMs);
  after.kill("SIGKILL");
  await redis.close();

  const before = await stage.start("workers/index.ts");
  const second = await sendVisits(() => `${front.url}/${key}`, 50);
  await whileWriting(() => before.kill("SIGKILL"));
  await stage.start("workers/index.ts");
  const answered = first.answered + second.answered;
  expect(await settledClicks(stage, key, answered)).toBe(answered);
});

test("answered = counted when the worker is killed, and when Redis is killed and hangs", async () => {
  const front = await stage.start("workers/redirect.ts");
  const worker = await keepAlive("workers/index.ts");
  const visitors = sendVisitors(() => `${front.url}/${key}`, fewVisitors);
  for (let kill = 1; kill <= kills; kill++) {
    await visitors.answered((visits / 2 / (kills + 1)) * kill);
    worker.current.kill("SIGKILL");
  }
  await visitors.answered(visits / 2);
  process.kill(stage.redisPid(), "SIGKILL");
  await pause(2_000);
  process.kill(stage.redisPid(), "SIGSTOP");
  await pause(1_500);
  process.kill(stage.redisPid(), "SIGCONT");
  await pause(500);
  process.kill(stage.redisPid(), "SIGKILL");
  await visitors.answered(visits);
  const counts = await visitors.stop();
  expect(counts).toEqual({ answered: counts.answered, lost: 0, other: 0 });
  expect(await settledClicks(stage, key, counts.answered)).toBe(counts.answered);
});

test("clicks on the disk of a front that was killed while Redis was unavailable are counted by the next", async () => {
  const front = await keepAlive("workers/redirect.ts");
  await keepAlive("workers/index.ts");
  const before = await sendVisits(() => `${front.current.url}/${key}`, 50);
  process.kill(stage.redisPid(), "SIGSTOP");
  const counts = await sendVisits(() => `${front.current.url}/${key}`, 200);
  front.current.kill("SIGKILL");
  process.kill(stage.redisPid(), "SIGCONT");
  const answered = before.answered + counts.answered;
  const counted = await settledClicks(stage, key, answered);
  expect(counted).toBeGreaterThanOrEqual(answered);
  expect(counted).toBeLessThanOrEqual(answered + counts.lost);
});
