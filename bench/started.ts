/** `npm start` for benches: an instance with links, started and stopped like that of a person. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openInstance } from "#lib/platform/instance";
import { query, sql } from "#lib/platform/postgres";
import { closeAll } from "#lib/platform/processes";
import { migrate } from "../prisma/migrate.ts";
import { completeEnvironment } from "../scripts/environment.ts";
import { findFreePort, peekPort } from "../scripts/ports.ts";
import { endChild, endProcess, hasEnded, type Variables } from "../scripts/processes.ts";
import { openSecrets } from "../scripts/secrets.ts";
import { startServices } from "../scripts/services.ts";
import { owner } from "./calls.ts";
import { putLinks } from "./visits.ts";

/** A first start in a checkout of its own also installs packages and builds. */
const readyTimeoutMs = 900_000;
const stopTimeoutMs = 120_000;
const lookEveryMs = 10;
const putAtOnce = 50_000;
/** The first pk of inserted links, outside of the ranges that new links get. */
export const firstPk = 2_000_000_000;

/** Fills a new data folder as an instance has it: with an owner, and as many links. */
export async function fillInstance(folder: string, links: number, apiKey?: string): Promise<void> {
  const dataDir = resolve(folder);
  const services = await startServices({ dataDir, report: () => undefined });
  await migrate(services.databaseUrl);
  const secrets = openSecrets(dataDir);
  const given = { ...process.env, FUXI_DATA_DIR: dataDir, FUXI_LOG_LEVEL: "warn" };
  const nodeEnv = "production" as const;
  Object.assign(
    process.env,
    completeEnvironment(given, { ...services, webPort: 3001, nodeEnv, secrets }),
  );
  await openInstance();
  // Its modules read the configuration.
  const { setUpOwner } = await import("#lib/identity/auth");
  await setUpOwner({ ...owner, apiKey });
  for (let at = 0; at < links; at += putAtOnce) {
    await putLinks(Math.min(putAtOnce, links - at), firstPk + at);
  }
  await query(sql`VACUUM (ANALYZE) link`);
  await closeAll();
  await services.stop();
  // Otherwise a later start would look for these stores.
  for (const name of ["DATABASE_URL", "REDIS_URL"]) delete process.env[name];
}

export interface Started {
  child: ChildProcess;
  /** Public port. */
  port: number;
  workerPort: number;
  /** Milliseconds from its start until the process was ready. */
  readyMs: { front: number; worker: number; web: number };
  stop: () => Promise<void>;
}

export interface Starting {
  /** Before the command, such as one that limits its memory. */
  prefix?: string[];
  env?: Variables;
  /** The folder of another commit; omitted: this one. */
  checkout?: string;
}

/** Runs `npm start` on a data folder until all three processes are ready. */
export async function startInstance(
  folder: string,
  { prefix = [], env: more = {}, checkout = "." }: Starting = {},
): Promise<Started> {
  const port = await findFreePort();
  const workerPort = await findFreePort();
  const foreign = /^(FUXI_|DATABASE_|REDIS_|HOST$|NODE_ENV$)/;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const env = {
    ...Object.fromEntries(own),
    NODE_ENV: "production" as const,
    PORT: String(port),
    FUXI_WORKER_PORT: String(workerPort),
    FUXI_DATA_DIR: resolve(folder),
    FUXI_LOG_LEVEL: "warn",
    ...more,
  };
  const startedAt = performance.now();
  const [command = "", ...args] = [...prefix, "npm", "start", "--silent"];
  const child = spawn(command, args, {
    cwd: checkout,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const waitFor = async (portOf: () => number | undefined): Promise<number> => {
    while (!(await isReady(portOf()))) {
      if (hasEnded(child)) throw new Error("npm start ended before it was ready");
      if (performance.now() - startedAt > readyTimeoutMs) throw new Error("npm start is not ready");
      await sleep(lookEveryMs);
    }
    return Math.round(performance.now() - startedAt);
  };
  const [front, worker, web] = await Promise.all([
    waitFor(() => port),
    waitFor(() => workerPort),
    waitFor(() => peekPort(resolve(folder), "web")),
  ]);
  const stop = async () => {
    // npm does not pass signals on to what it runs.
    const { pid } = JSON.parse(readFileSync(join(resolve(folder), "start.lock"), "utf8"));
    await endProcess(Number(pid), "SIGTERM", stopTimeoutMs);
    await endChild(child, "SIGTERM", stopTimeoutMs);
  };
  return { child, port, workerPort, readyMs: { front, worker, web }, stop };
}

function isReady(port: number | undefined): Promise<boolean> {
  if (port === undefined) return Promise.resolve(false);
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
