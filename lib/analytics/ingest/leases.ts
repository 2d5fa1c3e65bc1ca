/**
 * Leases divide the shards of the stream evenly among live workers, so that none prepares clicks that another one counts. They do
 * not ensure that clicks count only once; drain.ts does. A worker renews its leases while clicks wait, gives up those beyond its
 * share when another worker appears, and takes over expired ones. A killed worker loses its shards after `usualLeaseMs`.
 */
import { randomUUID } from "node:crypto";
import { query, sql } from "#lib/platform/postgres";

const usualLeaseMs = 4_000;
const renewEveryMs = 1_000;

export class ShardLeases {
  readonly #shards: readonly number[];
  readonly #leaseMs: number;
  readonly #worker = randomUUID();
  #held: ReadonlySet<number> = new Set();
  #renewedAt = 0;
  #renewing: Promise<void> | undefined;

  constructor(shards: readonly number[], leaseMs = usualLeaseMs) {
    this.#shards = shards;
    this.#leaseMs = leaseMs;
  }

  async holds(shard: number): Promise<boolean> {
    // Math.abs: the clock may be set back.
    if (Math.abs(Date.now() - this.#renewedAt) >= renewEveryMs) {
      this.#renewing ??= this.#renew().finally(() => {
        this.#renewing = undefined;
      });
    }
    await this.#renewing;
    return this.#held.has(shard);
  }

  async #renew(): Promise<void> {
    const startedAt = Date.now();
    if (this.#held.size === 0) await this.#addShards();
    const rows = await query<{ shard: number }>({
      ...sql`
      WITH seen AS (
        INSERT INTO analytics.counting_worker (id, seen_at)
        VALUES (${this.#worker}, now())
        ON CONFLICT (id) DO UPDATE SET seen_at = EXCLUDED.seen_at
      ), share AS (
        SELECT ${this.#shards.length}::int / (1 + count(*))
          + (count(*) FILTER (WHERE id < ${this.#worker}) < ${this.#shards.length} % (1 + count(*)))::int AS shards
        FROM analytics.counting_worker
        WHERE id <> ${this.#worker} AND seen_at > now() - ${this.#leaseMs} * interval '1 millisecond'
      ), mine AS (
        SELECT shard
        FROM analytics.shard_lease
        WHERE shard = ANY(${this.#shards}) AND (worker = ${this.#worker} OR until <= now())
        ORDER BY worker = ${this.#worker} DESC, shard
        LIMIT (SELECT shards FROM share)
        FOR UPDATE SKIP LOCKED
      ), given_up AS (
        UPDATE analytics.shard_lease
        SET until = 'epoch'
        WHERE worker = ${this.#worker} AND until > now() AND shard NOT IN (SELECT shard FROM mine)
      )
      UPDATE analytics.shard_lease
      SET worker = ${this.#worker}, until = now() + ${this.#leaseMs} * interval '1 millisecond'
      WHERE shard IN (SELECT shard FROM mine)
      RETURNING shard`,
      name: "ingest.leases",
    });
    this.#held = new Set(rows.map(({ shard }) => shard));
    this.#renewedAt = startedAt;
  }

  async #addShards(): Promise<void> {
    await query({
      ...sql`
      INSERT INTO analytics.shard_lease (shard, worker, until)
      SELECT shard, ${this.#worker}, 'epoch'
      FROM unnest(${this.#shards}::smallint[]) AS shard
      ON CONFLICT (shard) DO NOTHING`,
      name: "ingest.lease_rows",
    });
  }

  /** Sets 'epoch' instead of now(), which could be rounded up to a later millisecond. */
  async release(): Promise<void> {
    await query(sql`
      WITH ended AS (DELETE FROM analytics.counting_worker WHERE id = ${this.#worker})
      UPDATE analytics.shard_lease SET until = 'epoch' WHERE worker = ${this.#worker} AND until > now()`);
    this.#held = new Set();
    this.#renewedAt = 0;
  }
}

export async function forgetWorkers(): Promise<void> {
  await query(sql`DELETE FROM analytics.counting_worker WHERE seen_at < now() - interval '1 day'`);
}
