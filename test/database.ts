/**
 * Databases for tests.
 *
 * Once per run (`setup`, called by vitest) the migrations are applied to a template. A test file then calls
 * `openTestDatabase` and gets a copy of it, which costs a few milliseconds, and an empty logical Redis database of its
 * worker. `npm test` provides the services; vitest called directly starts its own.
 */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { separateLinks } from "../prisma/distribute.ts";
import { compileParser } from "../scripts/compile.ts";
import { databaseOf, onServer, withClient, withDatabase } from "../scripts/databases.ts";
import { hasErrorCode } from "../scripts/processes.ts";
import { dropCitusDatabases, openCitusDatabase } from "./citus.ts";
import { startTestServices, type TestServices } from "./services.ts";

const copyTimeoutMs = 60_000;
const objectInUse = "55006";

interface DatabaseCopy {
  databaseUrl: string;
  /** Drops the database; open connections are closed. */
  drop: () => Promise<void>;
}

interface TestDatabase extends DatabaseCopy {
  redisUrl: string;
}

let services: TestServices | undefined;
/** In this checkout, because the program finds packages from there. */
const parserFolder = join(".fuxi-test", `parser-${process.pid}`);

export async function setup(): Promise<void> {
  // Reading its sources anew takes seconds for each child process.
  process.env["TEST_PARSER"] = await compileParser(parserFolder);
  const citus = process.env["TEST_CITUS_URL"];
  if (citus) await dropCitusDatabases(citus);
  if (process.env["TEST_DATABASE_URL"] && process.env["TEST_REDIS_URL"]) return;
  services = await startTestServices(() => undefined);
  process.env["TEST_DATABASE_URL"] = services.databaseUrl;
  process.env["TEST_REDIS_URL"] = services.redisUrl;
}

export async function teardown(): Promise<void> {
  await services?.stop();
  rmSync(parserFolder, { recursive: true, force: true });
}

/** A migrated, otherwise empty database and an empty Redis, for this caller only. */
export async function openTestDatabase(redisDatabase = workerDatabase()): Promise<TestDatabase> {
  const database = await copyTestDatabase();
  const redisUrl = withDatabase(required("TEST_REDIS_URL"), String(redisDatabase));
  await emptyRedis(redisUrl);
  return { ...database, redisUrl };
}

/** A migrated, otherwise empty database. */
export async function copyTestDatabase(): Promise<DatabaseCopy> {
  const citus = process.env["TEST_CITUS_URL"];
  if (citus) return await openCitusDatabase(citus);
  const database = await copyDatabase(required("TEST_DATABASE_URL"));
  if (process.env["TEST_LINKS_APART"]) await setLinksApart(database.databaseUrl);
  return database;
}

export async function copyDatabase(template: string): Promise<DatabaseCopy> {
  const name = `${databaseOf(template)}_${randomBytes(4).toString("hex")}`;
  await copy(template, name);
  const databaseUrl = withDatabase(template, name);
  return {
    databaseUrl,
    drop: async () => {
      await onServer(template, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** As prisma/distribute.ts, without several servers (links-apart.ts). */
async function setLinksApart(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query("BEGIN");
    await separateLinks(client);
    await client.query("COMMIT");
  });
}

/** PostgreSQL refuses while the template has connections: a vacuum, or the process that has just migrated it. */
async function copy(template: string, name: string): Promise<void> {
  const deadline = Date.now() + copyTimeoutMs;
  for (;;) {
    try {
      await onServer(
        template,
        `CREATE DATABASE ${name} TEMPLATE ${databaseOf(template)} STRATEGY FILE_COPY`,
      );
      return;
    } catch (error) {
      if (!hasErrorCode(error, objectInUse) || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/** Logical database 0 belongs to the owner of the server; vitest numbers its workers from 1. */
function workerDatabase(): number {
  return Number(process.env["VITEST_POOL_ID"] ?? 1);
}

async function emptyRedis(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  try {
    await redis.flushdb();
  } finally {
    redis.disconnect();
  }
}

function required(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is missing: run these tests with npm run test:db or through vitest.`);
}
