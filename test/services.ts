/**
 * The services of one test run: those of the environment, otherwise managed ones in a folder that is created for the
 * run and removed after it, so that parallel runs do not interfere and no run finds leftovers of another.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join, resolve } from "node:path";
import pg from "pg";
import { databaseOf, onServer, withDatabase } from "../scripts/databases.ts";
import { Advice, isAlive, run } from "../scripts/processes.ts";
import { startServices, stopOrphanedServices } from "../scripts/services.ts";
import { reserveRedis } from "./redis.ts";

export interface TestServices {
  /** The template that `openTestDatabase` copies. */
  databaseUrl: string;
  redisUrl: string;
  dataDir: string;
  stop: () => Promise<void>;
}

/** Linux keeps these files in memory only. */
const memoryDir = "/dev/shm";
/** Far more than 512 MB of WAL and a few databases at a time, of 20 MB each. */
const memoryBytesMin = 8 * 1024 ** 3;
const runsDir = chooseRunsDir();

/** Nothing here must survive a power cut, and a database per test file mostly waits for the disk. */
const postgresSettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_compression: "off",
  max_wal_size: "512MB",
};

export async function startTestServices(report: (line: string) => void): Promise<TestServices> {
  mkdirSync(runsDir, { recursive: true });
  await sweep();
  const dataDir = join(runsDir, String(process.pid));
  const services = await startServices({ dataDir, report, postgresSettings });
  const closers = [() => services.stop(), () => rmSync(dataDir, { recursive: true, force: true })];
  const stop = async () => {
    const failures: unknown[] = [];
    // A failed start leaves neither servers nor folders behind.
    for (const close of closers.splice(0)) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    if (process.env["REDIS_URL"]) closers.unshift(await reserveRedis(services.redisUrl));
    const databaseUrl = await createTemplate(services.databaseUrl);
    closers.unshift(() => dropTemplate(databaseUrl));
    return { databaseUrl, redisUrl: services.redisUrl, dataDir, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * In memory where there is enough: each database of a test file has about a thousand files, and for each new file ext4
 * searches through all that were removed in the last minutes, which was a fifth of the time of the database tests.
 */
function chooseRunsDir(): string {
  const onDisk = resolve(".fuxi-test");
  if (!existsSync(memoryDir)) return onDisk;
  const { bavail, bsize } = statfsSync(memoryDir);
  return bavail * bsize < memoryBytesMin
    ? onDisk
    : join(memoryDir, `fuxi-test-${process.getuid?.()}`);
}

/** Removes the leftovers of killed runs. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(runsDir)) {
    const folder = join(runsDir, name);
    if (!/^\d+$/.test(name) || isAlive(Number(name)) || !existsSync(folder)) continue;
    await stopOrphanedServices(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates the template of a run and returns its URL. */
async function createTemplate(databaseUrl: string): Promise<string> {
  const name = `fuxi_test_${randomBytes(4).toString("hex")}`;
  await onServer(databaseUrl, `CREATE DATABASE ${name}`);
  const template = withDatabase(databaseUrl, name);
  // In a process of its own: the engine leaves a timer that would delay the caller's end.
  const env = { DATABASE_URL: template };
  const ended = await run(process.execPath, ["--import", "tsx", "prisma/migrate.ts"], { env });
  if (ended.code !== 0) throw new Advice(`The migrations failed: ${ended.stdout}${ended.stderr}`);
  return template;
}

/** Drops the template and every copy of it that a crashed test left behind, or is still dropping. */
async function dropTemplate(template: string): Promise<void> {
  const pattern = `${databaseOf(template)}%`;
  const found = await onServer(template, "SELECT datname FROM pg_database WHERE datname LIKE $1", [
    pattern,
  ]);
  for (const { datname } of found) {
    await onServer(
      template,
      `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(datname)} WITH (FORCE)`,
    );
  }
}
