/**
 * The environment of the chaos tests: stores, one of which may be killed, processes, and visitors who count their
 * responses.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { compiledProcess, isCompiled, uncompiledProcess } from "../../scripts/compile.ts";
import { findFreePort } from "../../scripts/ports.ts";
import { startPostgres } from "../../scripts/postgres.ts";
import { endChild, hasErrorCode } from "../../scripts/processes.ts";
import { startRedis } from "../../scripts/redis.ts";
import { copyDatabase, copyTestDatabase } from "../../test/database.ts";
import { type ApiCall, openApi, send } from "../../test/http-client.ts";
import { describeTestEnvironment } from "../../test/instance.ts";

export const apiKey = "fuxi_chaoschaoschaoschaoschaoschaos";
const readyMaxMs = 240_000;
const operatorToken = "the operator token of chaos tests";
export const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** The kinds of processes that answer visitors, answer the API, and count. */
export const entries = {
  redirect: "workers/redirect.ts",
  api: "workers/api.ts",
  worker: "workers/index.ts",
};
export type Kind = keyof typeof entries;

export interface Process {
  url: string;
  child: ChildProcess;
  /** The API, called as the owner. */
  call: ApiCall;
  kill: (signal: NodeJS.Signals) => void;
}

export interface Stage {
  db: pg.Pool;
  env: NodeJS.ProcessEnv;
  redisFolder: string;
  redisUrl: string;
  redisPid: () => number;
  /** Starts an entry, with settings in addition to those of the stage, from a folder with other code if given. */
  start: (entry: string, more?: Record<string, string>, folder?: string) => Promise<Process>;
  /** True while processes are ended for good: such ends are expected. */
  closing: boolean;
  /** Ends every started process, so that the next test starts its own on the same stores. */
  clear: () => Promise<void>;
  close: () => Promise<void>;
}

/** The number of a process, to send it a signal. 0 would be this one and all that belong to its group. */
export function existingPid(pid: number | undefined): number {
  if (pid !== undefined && pid > 1) return pid;
  throw new Error("There is no such process");
}

/** The Redis of a stage, in a folder. */
type StartStore = (dataDir: string) => Promise<{ url: string; stop: () => Promise<void> }>;

const startOneRedis: StartStore = (dataDir) =>
  startRedis({ dataDir, password: "chaos", report: () => undefined });

/** A migrated database of a stage, and its removal. */
type OpenDatabase = () => Promise<{ databaseUrl: string; drop: () => Promise<void> }>;

/** Names the template that has an owner already: e2e/chaos/setup.ts. */
export const seededVariable = "TEST_SEEDED_DATABASE_URL";

/** Every stage and the template share these: a database needs the secrets it was seeded with. */
const settings = {
  FUXI_CODE_KEY: "0".repeat(64),
  FUXI_CODE_TWEAK: "0".repeat(14),
  FUXI_SESSION_SECRET: "0".repeat(64),
  FUXI_OWNER_EMAIL: "owner@example.com",
  FUXI_OWNER_PASSWORD: "a long enough password",
  FUXI_API_KEY: apiKey,
  FUXI_OPERATOR_TOKEN: operatorToken,
  FUXI_LOG_LEVEL: "error",
  TEST_DATABASE_URL: undefined,
  TEST_REDIS_URL: undefined,
};

/** The settings of processes with these stores, whose database has an owner whose API key is `apiKey`. */
export async function seedDatabase(
  dataDir: string,
  stores: { databaseUrl: string; redisUrl: string },
): Promise<NodeJS.ProcessEnv> {
  const env = await describeTestEnvironment(dataDir, stores, settings);
  await run("prisma/seed.ts", [], env);
  return env;
}

/** A database and a Redis for this test only, with an owner whose API key is `apiKey`. */
export async function openStage(
  startStore = startOneRedis,
  openDatabase?: OpenDatabase,
): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), "fuxi-chaos-"));
  const template = openDatabase === undefined ? process.env[seededVariable] : undefined;
  const database = await (template === undefined
    ? (openDatabase ?? copyTestDatabase)()
    : copyDatabase(template));
  const redis = await startStore(dataDir);
  const stores = { databaseUrl: database.databaseUrl, redisUrl: redis.url };
  const env =
    template === undefined
      ? await seedDatabase(dataDir, stores)
      : await describeTestEnvironment(dataDir, stores, settings);
  const db = new pg.Pool({ connectionString: database.databaseUrl, max: 4 });
  db.on("error", () => undefined);
  const children: ChildProcess[] = [];
  const stage: Stage = {
    db,
    env,
    closing: false,
    redisFolder: join(dataDir, "redis"),
    redisUrl: redis.url,
    redisPid: () => existingPid(Number(readFileSync(join(dataDir, "redis", "redis.pid"), "utf8"))),
    start: async (entry, more = {}, folder = ".") => {
      const port = more["PORT"] ?? String(await findFreePort());
      const url = `http://127.0.0.1:${port}`;
      const child = spawn(process.execPath, compiledProcess(entry), {
        cwd: folder,
        env: { ...env, ...more, PORT: port },
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
      children.push(child);
      await new Promise<void>((resolve, reject) => {
        child.once("message", () => resolve());
        child.once("exit", () => reject(new Error(`${entry} ended before it was ready`)));
      });
      return {
        url,
        child,
        call: openApi(url, apiKey),
        kill: (signal) => child.kill(signal),
      };
    },
    clear: async () => {
      stage.closing = true;
      // Includes one that was just restarted.
      while (children.length > 0) {
        await Promise.all(children.splice(0).map((child) => endChild(child, "SIGKILL", 5_000)));
      }
      stage.closing = false;
    },
    close: async () => {
      await stage.clear();
      stage.closing = true;
      await db.end();
      await redis.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return stage;
}

/**
 * A PostgreSQL for one stage only, which may be killed: with its usual settings, so that commits are on disk. `open` is
 * for `openStage`; `pid` is that of the postmaster.
 */
export function describeOwnPostgres(): { open: OpenDatabase; pid: () => number } {
  const dataDir = mkdtempSync(join(tmpdir(), "fuxi-chaos-postgres-"));
  const open = async () => {
    const postgres = await startPostgres({ dataDir, password: "chaos", report: () => undefined });
    await run("prisma/migrate.ts", [], { ...process.env, DATABASE_URL: postgres.url });
    const drop = async () => {
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
    return { databaseUrl: postgres.url, drop };
  };
  const pidFile = join(dataDir, "postgres", "postmaster.pid");
  return { open, pid: () => existingPid(Number(readFileSync(pidFile, "utf8").split("\n")[0])) };
}

/** Restarts an entry each time it ends, however long its stores are unavailable, with what `more` then contains. */
export async function keepAlive(
  stage: Stage,
  entry: string,
  more: Record<string, string> = {},
): Promise<{ current: Process }> {
  const kept = { current: await stage.start(entry, more) };
  const retry = async () => {
    while (!stage.closing) {
      try {
        kept.current = await stage.start(entry, more);
        kept.current.child.once("exit", () => void retry());
        return;
      } catch {
        await pause(200); // it ended before it was ready
      }
    }
  };
  kept.current.child.once("exit", () => void retry());
  return kept;
}

export function run(entry: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const program = isCompiled(entry) ? compiledProcess(entry) : uncompiledProcess(entry);
    const child = spawn(process.execPath, [...program, ...args], {
      env,
      stdio: "inherit",
    });
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${entry}: exit code ${code}`)),
    );
  });
}

/** Until a process serves, however slow the machine is. */
export async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + readyMaxMs;
  while ((await send(`${url}/readyz`)).status !== 200) {
    if (Date.now() > deadline) throw new Error(`${url} is not ready`);
    await pause(50);
  }
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Creates a link through the API and returns its key. */
export async function makeLink(api: Process, body: object): Promise<{ id: string; key: string }> {
  const answer = await api.call("POST", "/links", body);
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The metrics of a process. */
export async function readMetrics({ url }: Process): Promise<string> {
  const headers = { Authorization: `Bearer ${operatorToken}` };
  return (await send(`${url}/metrics`, { headers })).text;
}

export interface VisitCounts {
  answered: number;
  /** Sent, but never answered: it is unknown whether they were counted. */
  lost: number;
  other: number;
}

/** One visit: its status and Location; undefined when it was sent and never answered. */
export async function visitOnce(
  url: string,
  agent?: Agent,
  headers: Record<string, string> = {},
): Promise<{ status: number; location: string | undefined } | undefined | "refused"> {
  try {
    const sending = { headers: { "user-agent": browser, ...headers } };
    const answer = await send(url, agent ? { ...sending, agent } : sending);
    return { status: answer.status, location: answer.headers.location };
  } catch (error) {
    return hasErrorCode(error, "ECONNREFUSED") ? "refused" : undefined;
  }
}

export interface Visitors {
  /** The results so far. */
  tally: VisitCounts;
  /** Resolves after this many responses, however slow the machine is. */
  answered: (count: number) => Promise<void>;
  /** Sends no more visits, and resolves after the last response. */
  stop: () => Promise<VisitCounts>;
}

/** Sends consecutive visits, `crowd` at a time, until they are stopped. */
export function sendVisitors(
  urlOf: () => string,
  crowd = 32,
  headersOf: () => Record<string, string> = () => ({}),
): Visitors {
  const agent = new Agent({ keepAlive: true, maxSockets: crowd });
  const tally: VisitCounts = { answered: 0, lost: 0, other: 0 };
  let running = true;
  const visitor = async () => {
    while (running) {
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
      running = false;
      await all;
      agent.destroy();
      return tally;
    },
  };
}

/** Sends visits until `total` were answered. */
export async function sendVisits(urlOf: () => string, total: number): Promise<VisitCounts> {
  const visitors = sendVisitors(urlOf);
  await visitors.answered(total);
  return visitors.stop();
}

/** However slow the machine is; the share of a killed worker is taken over after a while. */
const settleMaxMs = 400_000;

/** The clicks of a link once counting is finished. */
export async function settledClicks(stage: Stage, key: string, atLeast: number): Promise<number> {
  const deadline = Date.now() + settleMaxMs;
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
