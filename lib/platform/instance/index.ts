/**
 * The start of every process: connect to the stores, check that they are the right ones, register their shutdown.
 *
 * The key of the codes identifies an instance: under another key every code would name another link. Its fingerprint is
 * stored at the first start and compared at every later one. So is that of FUXI_SESSION_SECRET, which seals secrets in
 * the database: it may be changed as long as the earlier one is given too.
 */
import { codeFingerprint } from "#lib/platform/codes";
import { config } from "#lib/platform/config";
import { isUnavailable } from "#lib/platform/errors";
import { log, processName } from "#lib/platform/log";
import { closePostgres, query, sql } from "#lib/platform/postgres";
import { onClose } from "#lib/platform/processes";
import { allRedis, checkRedis, closeRedis, redisReady } from "#lib/platform/redis";
import { openReplicas } from "#lib/platform/replicas";
import { fingerprintOf } from "#lib/platform/sealing";
import { openSequences } from "#lib/platform/sequences";
import { openTraces } from "#lib/platform/traces";
import { openReports } from "./reports.ts";

/** True when a store is unavailable, as opposed to having refused. */
export { isUnavailable as isStoreAway } from "#lib/platform/errors";
export { openReports, reportEveryMs } from "./reports.ts";

const postgresWaitMs = 30_000;
/** A process that is still loading on a busy machine may need all of the wait for one attempt. */
const attemptsMin = 3;
const retryEveryMs = 500;
const redisWaitMs = 5_000;

/** Opens the stores and checks them. Ends the process with an explanation when they belong to another instance. */
export async function openInstance(): Promise<void> {
  await openTraces(processName);
  onClose("postgres", closePostgres);
  onClose("redis", () => closeRedis());
  await withPostgres(async () => {
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

/** Whether the stores answer. */
export const storeChecks = {
  postgres: () => query(sql`SELECT 1`),
  redis: () => Promise.all(allRedis().map((client) => client.ping())),
};

/** Repeats what a start needs PostgreSQL for while it is unavailable. */
async function withPostgres(work: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + postgresWaitMs;
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      const isOver = attempt >= attemptsMin && Date.now() > deadline;
      if (isOver || !isUnavailable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryEveryMs));
    }
  }
}

/** Stores the fingerprint of the code key at the first start; refuses another key at every later one. */
export async function assertCodeKey(): Promise<void> {
  const own = codeFingerprint();
  await query(sql`
    INSERT INTO installation (code_fingerprint)
    VALUES (${own})
    ON CONFLICT ("only") DO NOTHING`);
  const [row] = await query<{ theirs: string }>(
    sql`SELECT code_fingerprint AS theirs FROM installation`,
  );
  if (row?.theirs === own) return;
  throw new Error(
    `FUXI_CODE_KEY or FUXI_CODE_TWEAK doesn’t match this database (expected fingerprint ${row?.theirs}, ` +
      `found ${own}). With a different key, generated short links would redirect to the wrong links. Restore the key that the database was created with.`,
  );
}

/** The fingerprint of the secret that has sealed what is in the database. */
async function readSecret(): Promise<string | null> {
  const [row] = await query<{ fingerprint: string | null }>(
    sql`SELECT secret_fingerprint AS fingerprint FROM installation`,
  );
  return row?.fingerprint ?? null;
}

/** Notes that everything in the database is sealed with the current secret, or that what is not is given up. */
export async function markSecret(): Promise<void> {
  const own = fingerprintOf(config().FUXI_SESSION_SECRET);
  await query(sql`UPDATE installation SET secret_fingerprint = ${own}`);
}

/** Refuses a secret that cannot open what is in the database. */
export async function assertSecret(): Promise<void> {
  const { FUXI_SESSION_SECRET, FUXI_SESSION_SECRET_PREVIOUS } = config();
  const own = fingerprintOf(FUXI_SESSION_SECRET);
  await query(sql`
    UPDATE installation
    SET secret_fingerprint = ${own}
    WHERE secret_fingerprint IS NULL`);
  const stored = await readSecret();
  // defence: secret-reads-database
  if (stored === own) return;
  if (FUXI_SESSION_SECRET_PREVIOUS.some((one) => fingerprintOf(one) === stored)) {
    log.warn({
      event: "secret.changed",
      text: "The database has values that an earlier FUXI_SESSION_SECRET sealed. Run npm run fuxi -- secret reseal once all processes have the new one.",
    });
    return;
  }
  throw new Error(
    `FUXI_SESSION_SECRET doesn’t match this database (expected fingerprint ${stored}, found ${own}). ` +
      "It seals phones of recipients, secrets of SMS gateways and second factors, which couldn’t be read. Restore it, " +
      "or set FUXI_SESSION_SECRET_PREVIOUS to the earlier value. If that is lost, npm run fuxi -- secret forget gives up what it sealed.",
  );
}
