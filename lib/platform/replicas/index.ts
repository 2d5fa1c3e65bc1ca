/**
 * Follows replicas and how far each is behind.
 *
 * Processes renew a time in the table `replica_beat` on the primary and read it on each replica. A
 * replica that shows a time has every change committed before it. It is *fresh* while its time is
 * close to the primary's last known time. The ages below add up to DATABASE_READ_LAG_MAX_MS: a
 * fresh replica has everything committed longer ago. When the primary is away, its last time stays,
 * so replicas that had followed it remain fresh.
 *
 * This works with any replication that copies a table, and needs no extra rights.
 */
import { withTimeout } from "#lib/basics/bounds";
import { config } from "#lib/platform/config";
import { AppError, isUnavailable } from "#lib/platform/errors";
import { exposeCounters, exposeGauges, log } from "#lib/platform/log";
import { Connection, query, readOn, replicaPools, sql } from "#lib/platform/postgres";
import { onClose } from "#lib/platform/processes";

/** Parts of the allowed lag: time between beats, age of a comparison, and difference to the primary. */
const beatPart = 1 / 8;
const agePart = 1 / 4;
const differencePart = 1 / 2;

type Pool = ReturnType<typeof replicaPools>[number];

interface Replica {
  pool: Pool;
  beat: number;
  askedAt: number;
}

export const replicaCounters = { reads: 0, toPrimary: 0 };
exposeCounters(
  "replica",
  "Reads that a replica answered, and those that went to the primary because no replica was fresh or had the row.",
  replicaCounters,
);
exposeGauges(
  "replica_fresh",
  "Replicas that are fresh, of those that are configured.",
  async () => ({ fresh: replicas.filter(isFresh).length, configured: replicas.length }),
);

let replicas: Replica[] = [];
let pools: readonly Pool[] | undefined;
let primaryBeat = 0;
let turn = 0;
let comparing: Promise<void> | undefined;
let timer: NodeJS.Timeout | undefined;

function boundMs(): number {
  return config().DATABASE_READ_LAG_MAX_MS;
}

export function hasReplicas(): boolean {
  return config().DATABASE_READ_URL.length > 0;
}

export function openReplicas(): void {
  if (!hasReplicas() || pools === replicaPools()) return;
  pools = replicaPools();
  replicas = pools.map((pool) => ({ pool, beat: 0, askedAt: Number.NEGATIVE_INFINITY }));
  primaryBeat = 0;
  clearInterval(timer);
  timer = setInterval(() => void compare(), boundMs() * beatPart);
  timer.unref();
  onClose("replicas", closeReplicas);
  void compare();
}

async function closeReplicas(): Promise<void> {
  clearInterval(timer);
  pools = undefined;
  replicas = [];
  await comparing;
}

function compare(): Promise<void> {
  comparing ??= Promise.all([renewBeat(), ...replicas.map(readBeat)]).then(() => {
    comparing = undefined;
  });
  return comparing;
}

async function renewBeat(): Promise<void> {
  try {
    const [row] = await inTime(() =>
      query<{ at: Date }>(sql`
        WITH renewed AS (
          INSERT INTO replica_beat AS beat (at)
          VALUES (clock_timestamp())
          ON CONFLICT ("only") DO UPDATE
          SET at = clock_timestamp()
          WHERE beat.at < clock_timestamp() - ${boundMs() * beatPart} * interval '1 millisecond'
          RETURNING at
        )
        SELECT coalesce((SELECT at FROM renewed), (SELECT at FROM replica_beat)) AS at`),
    );
    primaryBeat = Math.max(primaryBeat, row?.at.getTime() ?? 0);
  } catch (error) {
    report(error);
  }
}

async function readBeat(replica: Replica): Promise<void> {
  const askedAt = performance.now();
  try {
    const row = await inTime(() =>
      new Connection(replica.pool).one<{ at: Date }>(sql`SELECT at FROM replica_beat`),
    );
    replica.beat = row?.at.getTime() ?? 0;
    replica.askedAt = askedAt;
  } catch (error) {
    report(error);
  }
}

function report(error: unknown): void {
  if (!isUnavailable(error)) log.warn({ event: "replicas.unknown", error: String(error) });
}

function inTime<T>(work: () => Promise<T>): Promise<T> {
  return withTimeout(boundMs(), work);
}

function isFresh(replica: Replica): boolean {
  return performance.now() - replica.askedAt <= boundMs() * agePart && isNear(replica);
}

function isNear({ beat }: Replica): boolean {
  return primaryBeat > 0 && beat > 0 && primaryBeat - beat <= boundMs() * differencePart;
}

export function findReplica(): Pool | undefined {
  openReplicas();
  const fresh = replicas.filter(isFresh);
  turn += 1;
  return fresh[turn % Math.max(1, fresh.length)]?.pool;
}

/** For reads without a primary. Asks the replicas now if their last answer is old. */
export async function findReplicaInOutage(): Promise<Pool | undefined> {
  const known = findReplica();
  if (known || !hasReplicas()) return known;
  const since = performance.now();
  await Promise.all(replicas.map(readBeat));
  return replicas.find((replica) => replica.askedAt >= since && isNear(replica))?.pool;
}

/** Runs read-only work on a fresh replica, or on the primary if there is none or it fails. */
export async function readFromReplica<T>(work: () => Promise<T>): Promise<T> {
  const replica = findReplica() ?? (hasReplicas() ? undefined : null);
  if (replica === null) return await work();
  if (!replica) {
    replicaCounters.toPrimary += 1;
    return await readWithoutFresh(work);
  }
  try {
    const result = await readOn(replica, work);
    replicaCounters.reads += 1;
    return result;
  } catch (error) {
    if (!mayPrimaryKnow(error)) throw error;
    replicaCounters.toPrimary += 1;
    return await work();
  }
}

/** For files: once a file has begun, no other server can continue it. */
export function sendFromReplica<T>(work: () => Promise<T>): Promise<T> {
  const replica = findReplica();
  return replica ? readOn(replica, work) : work();
}

async function readWithoutFresh<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const replica = isUnavailable(error) ? await findReplicaInOutage() : undefined;
    if (!replica) throw error;
    return await readOn(replica, work);
  }
}

/** PostgreSQL: the replica cancelled the statement to catch up. */
const recoveryConflict = "40001";

function mayPrimaryKnow(error: unknown): boolean {
  if (error instanceof AppError) return error.code === "not_found";
  if (error instanceof Error && "code" in error && error.code === recoveryConflict) return true;
  return isUnavailable(error);
}
