/**
 * A complete instance for a test: front, worker and web on free ports, with its own database, Redis database and data
 * folder. The contract tests share one, and so do the end-to-end tests; a chaos test starts what it kills.
 */
import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { compiledProcess } from "../scripts/compile.ts";
import { completeEnvironment } from "../scripts/environment.ts";
import { partsWith } from "../scripts/launch.ts";
import { findFreePort } from "../scripts/ports.ts";
import { Advice, explain, type Variables } from "../scripts/processes.ts";
import { openSecrets } from "../scripts/secrets.ts";
import { seed } from "../scripts/seed.ts";
import { Supervisor } from "../scripts/supervisor.ts";
import { openTestDatabase } from "./database.ts";
import { noResolver } from "./dns.ts";

interface Options {
  /** Names its data folder and its log, .fuxi-test/<name>.log. */
  name: string;
  /** Logical Redis database; workers of vitest use those from 1 up. */
  redisDatabase: number;
  /** Additional settings. */
  env?: Variables;
  /** Routes its database connections elsewhere, such as through a proxy that the test can close. */
  lead?: (databaseUrl: string) => Promise<string>;
}

export interface TestInstance {
  url: string;
  dataDir: string;
  databaseUrl: string;
  redisUrl: string;
  supervisor: Supervisor;
  /** The settings of its processes. */
  env: NodeJS.ProcessEnv;
  stop: () => Promise<void>;
}

/** Needs TEST_DATABASE_URL and TEST_REDIS_URL, and a build. */
export async function startTestInstance(options: Options): Promise<TestInstance> {
  const name = `${options.name}-${randomBytes(3).toString("hex")}`;
  const dataDir = join(".fuxi-test", `${name}.data`);
  mkdirSync(dataDir, { recursive: true });
  const database = await openTestDatabase(options.redisDatabase);
  const led = (await options.lead?.(database.databaseUrl)) ?? database.databaseUrl;
  const stores = { databaseUrl: led, redisUrl: database.redisUrl };
  const env = await describeTestEnvironment(dataDir, stores, options.env ?? {});
  const logFile = join(".fuxi-test", `${options.name}.log`);
  const log = openSync(logFile, "w");
  const supervisor = new Supervisor({
    parts: partsWith(compiledProcess),
    env,
    output: log,
    report: () => undefined,
    onChildren: () => undefined,
    onGiveUp: () => undefined,
  });
  const stop = async () => {
    await supervisor.stop();
    await database.drop();
    closeSync(log);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await seed(compiledProcess, env, log);
    await supervisor.start();
  } catch (error) {
    await stop();
    throw new Advice(`${explain(error)}\n${readFileSync(logFile, "utf8").slice(-4_000)}`);
  }
  const { databaseUrl, redisUrl } = database;
  return { url: String(env["FUXI_URL"]), dataDir, databaseUrl, redisUrl, supervisor, env, stop };
}

/** The environment of a test instance; settings of the caller's environment are not inherited. */
export async function describeTestEnvironment(
  dataDir: string,
  stores: { databaseUrl: string; redisUrl: string },
  extra: Variables,
): Promise<NodeJS.ProcessEnv> {
  const port = await findFreePort();
  const clean = Object.entries(process.env).filter(
    ([name]) => !/^(FUXI_|DATABASE_|REDIS_)/.test(name),
  );
  const given = {
    ...Object.fromEntries(clean),
    HOST: "127.0.0.1",
    PORT: String(port),
    FUXI_DATA_DIR: dataDir,
    FUXI_DNS_SERVERS: noResolver,
    FUXI_DEMO: "off",
    ...extra,
  };
  const webPort = await findFreePort();
  const secrets = openSecrets(dataDir);
  return completeEnvironment(given, { ...stores, webPort, nodeEnv: "production", secrets });
}
