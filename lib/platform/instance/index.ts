/**
 * Connects to the stores, and checks that they belong to this instance: with another code key every
 * code would name another link. The database stores fingerprints of that key and of
 * FUXI_SESSION_SECRET, which may change as long as the earlier one is given too.
 */

import { hostname } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { codeFingerprint } from "#lib/platform/codes";
import { ConfigError, config } from "#lib/platform/config";
import { isUnavailable } from "#lib/platform/errors";
import { exposeGauges, log, processName, readCounters } from "#lib/platform/log";
import { type Connection, closePostgres, query, sql } from "#lib/platform/postgres";
import { onClose } from "#lib/platform/processes";
import {
  allRedis,
  checkRedis,
  closeRedis,
  redis,
  redisKeys,
  redisReady,
} from "#lib/platform/redis";
import { openReplicas } from "#lib/platform/replicas";
import { fingerprintOf } from "#lib/platform/sealing";
import { openSequences } from "#lib/platform/sequences";
import { openTraces } from "#lib/platform/traces";
import { assertMigrations, isMissingMigrations } from "./migrations.ts";
import type { ProcessReport } from "./schema.ts";

export { isUnavailable as isStoreAway } from "#lib/platform/errors";

const postgresWaitMs = 30_000;
/** A process that loads slowly on a busy machine may spend all of the wait on one attempt. */
const attemptsMin = 3;
const retryEveryMs = 500;
const redisWaitMs = 5_000;

/** Throws when a store belongs to another instance. */
export async function openInstance(): Promise<void> {
  await openTraces(processName);
  onClose("postgres", closePostgres);
  onClose("redis", () => closeRedis());
  await withPostgres(async () => {
    await assertMigrations();
    await assertCodeKey();
    await assertSecret();
    await openSequences();
  });
  openReplicas();
  const ready = await Promise.all(allRedis().map((client) => redisReady(client, redisWaitMs)));
  if (ready.every(Boolean)) {
    const problems = (await Promise.all(allRedis().map((client) => checkRedis(client)))).flat();
    for (const text of new Set(problems)) log.warn({ event: "redis.unsafe", text });
  } else {
    log.warn({
      event: "redis.away",
      text: "Can’t reach Redis. Starting without it; clicks are written to the spool.",
    });
  }
  await openReports();
}

export const storeChecks = {
  postgres: () => query(sql`SELECT 1`),
  redis: () => Promise.all(allRedis().map((client) => client.ping())),
};

async function withPostgres(work: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + postgresWaitMs;
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      const isOver = attempt >= attemptsMin && Date.now() > deadline;
      if (isOver || !mayPass(error)) throw error;
      if (attempt === 1) warnOfMigrations(error);
      await new Promise((resolve) => setTimeout(resolve, retryEveryMs));
    }
  }
}

function mayPass(error: unknown): boolean {
  return isUnavailable(error) || isMissingMigrations(error);
}

function warnOfMigrations(error: unknown): void {
  if (!isMissingMigrations(error)) return;
  log.warn({ event: "migrations.missing", text: `Waiting. ${error.message}` });
}

export async function assertCodeKey(on?: Connection): Promise<void> {
  const own = codeFingerprint();
  await query(
    sql`
      INSERT INTO installation (code_fingerprint)
      VALUES (${own})
      ON CONFLICT ("only") DO NOTHING`,
    on,
  );
  const [row] = await query<{ theirs: string }>(
    sql`SELECT code_fingerprint AS theirs FROM installation`,
    on,
  );
  if (row?.theirs === own) return;
  throw new ConfigError([
    `FUXI_CODE_KEY or FUXI_CODE_TWEAK doesn’t match this database (expected fingerprint ${row?.theirs}, ` +
      `found ${own}). With a different key, generated short links would redirect to the wrong links. Restore the key that the database was created with.`,
  ]);
}

async function readSecret(on?: Connection): Promise<string | null> {
  const [row] = await query<{ fingerprint: string | null }>(
    sql`SELECT secret_fingerprint AS fingerprint FROM installation`,
    on,
  );
  return row?.fingerprint ?? null;
}

/** Called once the current secret has sealed everything in the database, or the rest is given up. */
export async function markSecret(): Promise<void> {
  const own = fingerprintOf(config().FUXI_SESSION_SECRET);
  await query(sql`UPDATE installation SET secret_fingerprint = ${own}`);
}

export async function assertSecret(on?: Connection): Promise<void> {
  const { FUXI_SESSION_SECRET, FUXI_SESSION_SECRET_PREVIOUS } = config();
  const own = fingerprintOf(FUXI_SESSION_SECRET);
  await query(
    sql`
      UPDATE installation
      SET secret_fingerprint = ${own}
      WHERE secret_fingerprint IS NULL`,
    on,
  );
  const stored = await readSecret(on);
  // defence: secret-reads-database
  if (stored === own) return;
  if (FUXI_SESSION_SECRET_PREVIOUS.some((one) => fingerprintOf(one) === stored)) {
    log.warn({
      event: "secret.changed",
      text: "The database has values that an earlier FUXI_SESSION_SECRET sealed. Run npm run fuxi -- secret reseal once all processes have the new one.",
    });
    return;
  }
  throw new ConfigError([
    `FUXI_SESSION_SECRET doesn’t match this database (expected fingerprint ${stored}, found ${own}). ` +
      "It seals phones of recipients, secrets of SMS gateways and second factors, which couldn’t be read. Restore it, " +
      "or set FUXI_SESSION_SECRET_PREVIOUS to the earlier value. If that is lost, npm run fuxi -- secret forget gives up what it sealed.",
  ]);
}

/** No value before the first backup: an instance may be backed up in another way. */
export function exposeBackupAge(): void {
  exposeGauges("backup", "Seconds since npm run backup last finished.", async () => {
    const [row] = await query<{ seconds: number | null }>(
      sql`SELECT extract(epoch FROM now() - backed_up_at)::float AS seconds FROM installation`,
    );
    return typeof row?.seconds === "number" ? { seconds: row.seconds } : {};
  });
}

export const reportEveryMs = 10_000;
/** A finer timer would be most of what an idle process does. */
const loopResolutionMs = 100;

/** Reports go to a Redis hash that all machines share. A killed process leaves its last report there. */
export async function openReports(): Promise<void> {
  const id = `${hostname()}:${process.pid}`;
  const loop = monitorEventLoopDelay({ resolution: loopResolutionMs });
  loop.enable();
  let before = { at: performance.now(), cpu: process.cpuUsage() };
  const report = async () => {
    const at = performance.now();
    const cpu = process.cpuUsage(before.cpu);
    const cpuMs = (cpu.user + cpu.system) / 1_000;
    const { rss, heapUsed } = process.memoryUsage();
    const value: ProcessReport = {
      id,
      name: processName,
      host: hostname(),
      pid: process.pid,
      node: process.version,
      startedAt: new Date(performance.timeOrigin).toISOString(),
      at: new Date().toISOString(),
      cpu: at > before.at ? cpuMs / (at - before.at) : 0,
      rssBytes: rss,
      heapBytes: heapUsed,
      delayMs: Math.max(0, loop.percentile(99) / 1e6 - loopResolutionMs),
      readsBlocks: true,
      counters: await readCounters(),
    };
    before = { at, cpu: process.cpuUsage() };
    loop.reset();
    await redis().hset(redisKeys.processes, id, JSON.stringify(value));
  };
  const attempt = () => report().catch(() => undefined);
  const timer = setInterval(attempt, reportEveryMs);
  timer.unref();
  onClose("process report", async () => {
    clearInterval(timer);
    loop.disable();
    await redis()
      .hdel(redisKeys.processes, id)
      .catch(() => undefined);
  });
  await attempt();
}
