import { rmSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { timeBound } from "../../test/bounds.ts";
import { send } from "../../test/http-client.ts";
import { listWithChildren, signalAll } from "./signals.ts";
import {
  describeOwnPostgres,
  makeLink,
  openStage,
  type Process,
  pause,
  readMetrics,
  type Stage,
} from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
/** The duration of a fault during visits: longer than any timeout of a store. */
const faultMs = isLong ? 10_000 : 2_500;
const waitMaxMs = timeBound(3_000);
const hotLinks = 20;
const coldLinks = 15;
/** Visitors, and the pause of each between two visits. */
const crowd = isLong ? 12 : 4;
const visitPauseMs = isLong ? 3 : 20;

let stage: Stage;
const postgres = describeOwnPostgres();
let api: Process;
let front: Process;
let worker: Process;
let redis: Redis;
const hot = new Map<string, string>();

beforeAll(async () => {
  stage = await openStage(undefined, postgres.open);
  [api, front, worker] = await Promise.all([
    stage.start("workers/api.ts"),
    stage.start("workers/redirect.ts"),
    stage.start("workers/index.ts"),
  ]);
  redis = new Redis(stage.redisUrl);
  redis.on("error", () => undefined);
  for (const [key, url] of await makeLinks("hot", hotLinks)) hot.set(key, url);
});

afterAll(async () => {
  redis.disconnect();
  await stage.close();
});

async function makeLinks(name: string, count: number, more = {}): Promise<Map<string, string>> {
  const created = new Map<string, string>();
  for (let number = 0; number < count; number++) {
    const url = `https://example.com/${name}/${number}`;
    created.set((await makeLink(api, { url, ...more })).key, url);
  }
  return created;
}

/**
 * After this, only PostgreSQL has these links. They are written to Redis a moment after they are returned, and not at
 * all while the API has not subscribed again since the last fault.
 */
async function dropFromRedis(keys: readonly string[]): Promise<void> {
  const entriesOf = async () =>
    (await redis.keys("l:*")).filter((entry) => keys.includes(entry.split(":")[2] ?? ""));
  await vi
    .waitFor(async () => expect(await entriesOf()).toHaveLength(keys.length), 2_000)
    .catch(() => undefined);
  const entries = await entriesOf();
  if (entries.length > 0) await redis.del(...entries);
}

interface VisitResponse {
  status: number;
  location: string | undefined;
  retryAfter: string | undefined;
  ms: number;
}

/** Redirected visits: each must be counted once. */
let sentOn = 0;

/** Undefined: no response arrived. */
function visitKey(key: string, agent?: Agent): Promise<VisitResponse | undefined> {
  const from = performance.now();
  const headers = {
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko Firefox/140.0",
  };
  const sent = send(`${front.url}/${key}`, agent ? { headers, agent } : { headers });
  return sent.then(
    (answer) => {
      const { location, "retry-after": retryAfter } = answer.headers;
      if (location !== undefined) sentOn += 1;
      return { status: answer.status, location, retryAfter, ms: performance.now() - from };
    },
    () => undefined,
  );
}

interface VisitorTraffic {
  answered: number;
  /** Responses that contradict the link. */
  wrong: unknown[];
  longestMs: number;
  stop: () => Promise<void>;
}

/** Visitors of links in the front's cache. */
function sendCrowd(): VisitorTraffic {
  const agent = new Agent({ keepAlive: true, maxSockets: crowd });
  const keys = [...hot];
  let running = true;
  const visitor = async (first: number) => {
    for (let at = first; running; at++) {
      const [key, url] = keys[at % keys.length] ?? ["", ""];
      const answer = await visitKey(key, agent);
      if (answer?.status === 302 && answer.location === url) seen.answered += 1;
      else seen.wrong.push({ key, ...answer });
      seen.longestMs = Math.max(seen.longestMs, answer?.ms ?? 0);
      await pause(visitPauseMs);
    }
  };
  const all = Promise.all(Array.from({ length: crowd }, (_, at) => visitor(at)));
  const seen: VisitorTraffic = {
    answered: 0,
    wrong: [],
    longestMs: 0,
    stop: async () => {
      running = false;
      await all;
      agent.destroy();
    },
  };
  return seen;
}

function signalPostgres(signal: NodeJS.Signals): void {
  signalAll(listWithChildren(postgres.pid()), signal);
}

/** Kills the process repeatedly, including restarts, until it is stopped. */
function holdDown(pidOf: () => number): () => void {
  const kill = () => {
    try {
      const pid = pidOf();
      // A pid file being written is incomplete, and 0 would be this process.
      if (pid > 1) process.kill(pid, "SIGKILL");
    } catch {
      // Between two processes there is no file, or no process with that number.
    }
  };
  kill();
  const timer = setInterval(kill, 30);
  return () => clearInterval(timer);
}

type EndFault = () => Promise<unknown> | unknown;

interface Fault {
  name: string;
  strike: () => Promise<EndFault> | EndFault;
  /** Whether uncached links are redirected as well. */
  cold: "sent on" | "asked to come back";
}

const faults: Fault[] = [
  { name: "Redis is stopped", strike: () => holdDown(stage.redisPid), cold: "sent on" },
  {
    name: "Redis hangs",
    strike: () => {
      process.kill(stage.redisPid(), "SIGSTOP");
      return () => process.kill(stage.redisPid(), "SIGCONT");
    },
    cold: "sent on",
  },
  {
    name: "Redis comes back empty",
    strike: () => {
      const pid = stage.redisPid();
      process.kill(pid, "SIGSTOP");
      rmSync(join(stage.redisFolder, "appendonlydir"), { recursive: true, force: true });
      process.kill(pid, "SIGKILL");
      return () => undefined;
    },
    cold: "sent on",
  },
  {
    name: "the stream is full",
    // The stream is not read, and Redis accepts no more. Then the worker restarts, and has to free memory by itself.
    strike: async () => {
      worker.kill("SIGSTOP");
      const used = Number(/used_memory:(\d+)/.exec(await redis.info("memory"))?.[1]);
      await redis.config("SET", "maxmemory", String(used + 1_500_000));
      return () => worker.kill("SIGCONT");
    },
    cold: "sent on",
  },
  {
    name: "Postgres is stopped",
    strike: () => holdDown(postgres.pid),
    cold: "asked to come back",
  },
  {
    name: "Postgres hangs",
    strike: () => {
      signalPostgres("SIGSTOP");
      return () => signalPostgres("SIGCONT");
    },
    cold: "asked to come back",
  },
  {
    name: "both are stopped",
    strike: () => {
      const heals = [holdDown(stage.redisPid), holdDown(postgres.pid)];
      return () => {
        for (const heal of heals) heal();
      };
    },
    cold: "asked to come back",
  },
  {
    name: "both hang",
    strike: () => {
      process.kill(stage.redisPid(), "SIGSTOP");
      signalPostgres("SIGSTOP");
      return () => {
        process.kill(stage.redisPid(), "SIGCONT");
        signalPostgres("SIGCONT");
      };
    },
    cold: "asked to come back",
  },
];

/** Until everything works again, and counting has caught up. */
async function recovered(key: string, url: string): Promise<void> {
  await vi.waitFor(
    async () => {
      expect(await visitKey(key)).toMatchObject({ status: 302, location: url });
      expect(await redis.ping()).toBe("PONG");
      expect(await readMetrics(front)).toContain('fuxi_spool{what="groups"} 0');
    },
    { timeout: 400_000, interval: 100 },
  );
}

async function countedClicks(): Promise<number> {
  const { rows } = await stage.db.query(
    "SELECT coalesce(sum(clicks), 0)::int AS clicks FROM link_stat",
  );
  return rows[0].clicks;
}

/** Once all clicks are counted. */
async function caughtUp(): Promise<number> {
  await vi
    .waitFor(async () => expect(await countedClicks()).toBeGreaterThanOrEqual(sentOn), 400_000)
    .catch(() => undefined); // the caller compares the number
  return countedClicks();
}

/** The number of counted clicks once it is stable: a click that counts twice does so later. */
async function settled(): Promise<number> {
  await caughtUp();
  await pause(1_500);
  return countedClicks();
}

beforeEach(async () => {
  // Cached by the front, and their clicks counted.
  for (const key of hot.keys()) {
    expect((await visitKey(key))?.status).toBe(302);
  }
  expect(await caughtUp()).toBe(sentOn);
});

test.each(faults)(
  "while $name, cached links redirect, others are $cold, and no click is lost",
  async ({ strike, cold }) => {
    const unknown = await makeLinks("cold", coldLinks);
    const [secret = ""] = [...(await makeLinks("secret", 1, { password: "open sesame" })).keys()];
    const [[limited = "", limitedUrl] = []] = [
      ...(await makeLinks("limited", 1, { maxClicks: 100 })),
    ];
    await dropFromRedis([...unknown.keys(), secret, limited]);
    const visitors = sendCrowd();
    let answers: { url: string; answer: VisitResponse | undefined }[] = [];
    let others: (VisitResponse | undefined)[] = [];
    try {
      await pause(300);
      const heal = await strike();
      const until = Date.now() + faultMs;
      // The children of a killed Postgres end a moment later.
      await pause(300);
      answers = await Promise.all(
        [...unknown].map(async ([key, url]) => ({ url, answer: await visitKey(key) })),
      );
      others = [await visitKey(secret), await visitKey(limited)];
      await pause(Math.max(0, until - Date.now()));
      await heal();
      const [key = "", url = ""] = [...unknown].at(-1) ?? [];
      await recovered(key, url);
    } finally {
      await visitors.stop();
    }
    const [visitedCount, counted] = others;

    expect(visitors.wrong.slice(0, 3)).toEqual([]);
    expect(visitors.longestMs).toBeLessThan(waitMaxMs);
    for (const { url: wanted, answer } of answers) {
      if (cold === "sent on") expect(answer).toMatchObject({ status: 302, location: wanted });
      else expect(answer).toMatchObject({ status: 503, location: undefined, retryAfter: "1" });
      expect(answer?.ms).toBeLessThan(waitMaxMs);
    }
    expect(visitedCount?.location).toBeUndefined();
    expect(visitedCount?.status).toBe(cold === "sent on" ? 401 : 503);
    if (counted?.status === 302) expect(counted.location).toBe(limitedUrl);
    else expect(counted).toMatchObject({ status: 503, retryAfter: "1" });
    expect(await settled()).toBe(sentOn);
  },
);
