/** For database tests: the stores of this process are a database and a Redis for the test file only. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { openParsers } from "#lib/platform/parsers";
import { closePostgres } from "#lib/platform/postgres";
import { closeAll } from "#lib/platform/processes";
import { closeRedis, redis, redisReady } from "#lib/platform/redis";
import { openTestDatabase } from "./database.ts";
import { noResolver } from "./dns.ts";

const redisWaitMs = 60_000;

/** Called at the top of a test file, before the configuration is read. `extra` adds settings. */
export function openTestStores(extra: Record<string, string> = {}): void {
  let drop: () => Promise<void>;
  const dataDir = mkdtempSync(join(tmpdir(), "fuxi-test-"));

  beforeAll(async () => {
    const database = await openTestDatabase();
    drop = database.drop;
    Object.assign(process.env, {
      NODE_ENV: "test",
      DATABASE_URL: database.databaseUrl,
      REDIS_URL: database.redisUrl,
      FUXI_URL: "http://localhost:3000",
      FUXI_CODE_KEY: "0".repeat(64),
      FUXI_CODE_TWEAK: "0".repeat(14),
      FUXI_SESSION_SECRET: "0".repeat(64),
      FUXI_DATA_DIR: dataDir,
      FUXI_LOG_LEVEL: "silent",
      // Tests make no external requests.
      FUXI_FETCH: "none",
      FUXI_DNS_SERVERS: noResolver,
      ...extra,
    });
    openParsers({ warm: 0 }, pathToFileURL(String(process.env["TEST_PARSER"])));
    // Commands fail fast until the connection is ready; a test must not depend on that order.
    await redisReady(redis(), redisWaitMs);
  });

  afterAll(async () => {
    await closeAll();
    await closeRedis();
    await closePostgres();
    await drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
}
