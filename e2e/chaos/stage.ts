/** What the chaos tests stand on: stores of which one may be killed, processes, and visitors who count their answers. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { findFreePort } from "../../scripts/ports.ts";
import { endChild, nodeFlags } from "../../scripts/processes.ts";
import { startRedis } from "../../scripts/redis.ts";
import { openTestDatabase } from "../../test/database.ts";
import { describeTestEnvironment } from "../../test/instance.ts";

export const apiKey = "fuxi_chaoschaoschaoschaoschaoschaos";
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

export interface Process {
  url: string;
  child: ChildProcess;
  kill: (signal: NodeJS.Signals) => void;
}

export interface Stage {
  db: pg.Pool;
  env: NodeJS.ProcessEnv;
  redisFolder: string;
  redisUrl: string;
  redisPid: () => number;
  /** Starts an entry, with settings of its own beyond those of the stage. */
  start: (entry: string, more?: Record<string, string>) => Promise<Process>;
  /** True once the stage is being closed: whatever ends from now on is meant to. */
  closing: boolean;
  close: () => Promise<void>;
}

/** Redis of a stage: starts it below a folder. */
type StartStore = (dataDir: string) => Promise<{ url: string; stop: () => Promise<void> }>;

const startOneRedis: StartStore = (dataDir) =>
  startRedis({ dataDir, password: "chaos", report: () => undefined });

/** A migrated database of a stage, and how it goes away. */
type OpenDatabase = () => Promise<{ databaseUrl: string; drop: () => Promise<void> }>;

/** A database and a Redis of this test alone, with an owner whose API key is `apiKey`. */
export async function openStage(
  startStore = startOneRedis,
  openDatabase: OpenDatabase = () => openTestDatabase(),
): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), "fuxi-chaos-"));
  const database = await openDatabase();
  const redis = await startStore(dataDir);
  const stores = { databaseUrl: database.databaseUrl, redisUrl: redis.url };
  const env = await describeTestEnvironment(dataDir, stores, {
    FUXI_OWNER_EMAIL: "owner@example.com",
    FUXI_OWNER_PASSWORD: "a long enough password",
    FUXI_API_KEY: apiKey,
    FUXI_LOG_LEVEL: "error",
    TEST_DATABASE_URL: undefined,
    TEST_REDIS_URL: undefined,
  });
  await run("prisma/seed.ts", ["--no-demo"], env);
  const db = new pg.Pool({ connectionString: database.databaseUrl, max: 4 });
  db.on("error", () => undefined);
  const children: ChildProcess[] = [];
  const stage: Stage = {
    db,
    env,
    closing: false,
    redisFolder: join(dataDir, "redis"),
    redisUrl: redis.url,
    redisPid: () => Number(readFileSync(join(dataDir, "redis", "redis.pid"), "utf8")),
    start: async (entry, more = {}) => {
      const port = String(await findFreePort());
      const child = spawn(process.execPath, [...nodeFlags, entry], {
        env: { ...env, ...more, PORT: port },
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
      children.push(child);
      await new Promise<void>((resolve, reject) => {
        child.once("message", () => resolve());
        child.once("exit", () => reject(new Error(`${entry} ended before it was ready`)));
      });
      return {
        url: `http://127.0.0.1:${port}`,
        child,
        kill: (signal) => child.kill(signal),
      };
    },
    close: async () => {
      stage.closing = true;
      await Promise.all(children.map((child) => endChild(child, "SIGKILL", 5_000)));
      await db.end();
      await redis.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return stage;
}

/** Starts an entry again each time it ends, however long the stores that it needs are away. */
export async function keepAlive(stage: Stage, entry: string): Promise<{ current: Process }> {
  const kept = { current: await stage.start(entry) };
  const again = async () => {
    while (!stage.closing) {
      try {
        kept.current = await stage.start(entry);
        kept.current.child.once("exit", () => void again());
        return;
      } catch {
        await pause(200); // it ended before it was ready
      }
    }
  };
  kept.current.child.once("exit", () => void again());
  return kept;
}

export function run(entry: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", "tsx", entry, ...args], {
      env,
      stdio: "inherit",
    });
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${entry}: exit code ${code}`)),
    );
  });
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes a link through the API and returns its key. */
export async function makeLink(api: Process, body: object): Promise<{ id: string; key: string }> {
  const response = await fetch(`${api.url}/api/links`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return await response.json();
}

export interface Tally {
  answered: number;
  /** Sent, and never answered: nobody knows whether they were counted. */
  lost: number;
  other: number;
}

/** One visit: the status and where it leads; undefined when it was sent and never answered. */
export function visitOnce(
  url: string,
  agent?: Agent,
  headers: Record<string, string> = {},
): Promise<{ status: number; location: string | undefined } | undefined | "refused"> {
  return new Promise((resolve) => {
    const sent = request(url, {
      ...(agent ? { agent } : {}),
      headers: { "user-agent": browser, ...headers },
    });
    sent.on("response", (response) => {
      response.resume();
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location }),
      );
      response.on("error", () => resolve(undefined));
    });
    sent.on("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code === "ECONNREFUSED" ? "refused" : undefined),
    );
    sent.end();
  });
}

export interface Visitors {
  /** What happened so far. */
  tally: Tally;
  /** Resolves once this many were answered, however slow the machine is. */
  answered: (count: number) => Promise<void>;
  /** Sends nobody more, and resolves once the last has come back. */
  stop: () => Promise<Tally>;
}

/** Visitors who come one after the other, `crowd` at a time, until they are stopped. */
export function sendVisitors(
  urlOf: () => string,
  crowd = 32,
  headersOf: () => Record<string, string> = () => ({}),
): Visitors {
  const agent = new Agent({ keepAlive: true, maxSockets: crowd });
  const tally: Tally = { answered: 0, lost: 0, other: 0 };
  let going = true;
  const visitor = async () => {
    while (going) {
      const answer = await visitOnce(urlOf(), agent, headersOf());
      if (answer === "refused") await pause(20);
      else if (answer === undefined) tally.lost += 1;
      else if (answer.status === 302) tally.answered += 1;
      else {
        tally.other += 1;
        await pause(20);
      }
      await pause(2);
    }
  };
  const all = Promise.all(Array.from({ length: crowd }, visitor));
  return {
    tally,
    answered: async (count) => {
      while (tally.answered < count) await pause(5);
    },
    stop: async () => {
      going = false;
      await all;
      agent.destroy();
      return tally;
    },
  };
}

/** Sends visitors until `total` were answered. */
export async function sendVisits(urlOf: () => string, total: number): Promise<Tally> {
  const visitors = sendVisitors(urlOf);
  await visitors.answered(total);
  return visitors.stop();
}

/** The clicks of a link once counting has come to rest. */
export async function settledClicks(stage: Stage, key: string, atLeast: number): Promise<number> {
  const deadline = Date.now() + 30_000;
  let last = -1;
  let lastChange = Date.now();
  for (;;) {
    const { rows } = await stage.db.query(
      `SELECT coalesce(sum(link_stat.clicks), 0)::int AS clicks
       FROM link JOIN link_stat ON link_stat.link_pk = link.pk WHERE link.key = $1`,
      [key],
    );
    const clicks: number = rows[0].clicks;
    if (clicks !== last) lastChange = Date.now();
    last = clicks;
    if (clicks >= atLeast && Date.now() - lastChange > 2_500) return clicks;
    if (Date.now() > deadline) return clicks;
    await pause(100);
  }
}
