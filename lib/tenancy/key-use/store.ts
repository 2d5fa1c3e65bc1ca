/** SQL for batches of counters, and for days in a time zone. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import { keyAppsMax } from "./schema.ts";
import type { AppOfKey, HourOfKey } from "./tally.ts";

export async function lockKeys(tx: Connection, pks: readonly number[]): Promise<Set<number>> {
  // Uses api_key_pkey.
  const rows = await tx.query<{ pk: number }>(
    sql`SELECT pk FROM api_key WHERE pk = ANY(${pks}::int[]) ORDER BY pk FOR KEY SHARE`,
  );
  return new Set(rows.map(({ pk }) => pk));
}

export async function addHours(tx: Connection, hours: readonly HourOfKey[]): Promise<void> {
  if (hours.length === 0) return;
  await tx.query(sql`
    INSERT INTO key_use (api_key_pk, hour, calls, links, refusals, last_at, last_address)
    SELECT *
    FROM unnest(
      ${hours.map(({ pk }) => pk)}::int[],
      ${hours.map(({ hour }) => new Date(hour))}::timestamptz[],
      ${hours.map(({ calls }) => calls)}::int[],
      ${hours.map(({ links }) => links)}::int[],
      ${hours.map(({ refusals }) => refusals)}::int[],
      ${hours.map(({ lastAt }) => (lastAt === null ? null : new Date(lastAt)))}::timestamptz[],
      ${hours.map(({ lastAddress }) => lastAddress)}::text[]
    )
    ON CONFLICT (api_key_pk, hour) DO UPDATE
    SET calls = key_use.calls + excluded.calls,
      links = key_use.links + excluded.links,
      refusals = key_use.refusals + excluded.refusals,
      last_at = greatest(key_use.last_at, excluded.last_at),
      last_address = CASE
        WHEN excluded.last_at > key_use.last_at OR key_use.last_at IS NULL
          THEN excluded.last_address
        ELSE key_use.last_address
      END`);
}

export async function addApps(tx: Connection, apps: readonly AppOfKey[]): Promise<void> {
  if (apps.length === 0) return;
  const pks = apps.map(({ pk }) => pk);
  await tx.query(sql`
    INSERT INTO key_app (api_key_pk, name, version, calls, last_at)
    SELECT *
    FROM unnest(
      ${pks}::int[],
      ${apps.map(({ name }) => name)}::text[],
      ${apps.map(({ version }) => version)}::text[],
      ${apps.map(({ calls }) => calls)}::bigint[],
      ${apps.map(({ lastAt }) => new Date(lastAt))}::timestamptz[]
    )
    ON CONFLICT (api_key_pk, name, version) DO UPDATE
    SET calls = key_app.calls + excluded.calls,
      last_at = greatest(key_app.last_at, excluded.last_at)`);
  // Uses key_app_pkey: a key has few of them.
  await tx.query(sql`
    DELETE FROM key_app
    USING (
      SELECT api_key_pk, name, version,
        row_number() OVER (PARTITION BY api_key_pk ORDER BY last_at DESC, name, version) AS place
      FROM key_app
      WHERE api_key_pk = ANY(${[...new Set(pks)]}::int[])
    ) AS ranked
    WHERE ranked.place > ${keyAppsMax}
      AND key_app.api_key_pk = ranked.api_key_pk
      AND key_app.name = ranked.name
      AND key_app.version = ranked.version`);
}

export async function findKeyPk(workspacePk: number, id: string): Promise<number | undefined> {
  // Uses api_key_id_key.
  const [row] = await query<{ pk: number }>(sql`
    SELECT pk
    FROM api_key
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
      AND revoked_at IS NULL`);
  return row?.pk;
}

interface DayRow {
  day: string;
  calls: number;
  links: number;
  refusals: number;
}

export function listDays(pk: number, zone: string, days: number, now: Date): Promise<DayRow[]> {
  // Uses key_use_pkey.
  return query<DayRow>(sql`
    WITH asked AS (
      SELECT generate_series(today - (${days}::int - 1), today, interval '1 day')::date AS day
      FROM (SELECT (${now}::timestamptz AT TIME ZONE ${zone})::date AS today) AS present
    ), counted AS (
      SELECT (hour AT TIME ZONE ${zone})::date AS day, sum(calls) AS calls, sum(links) AS links,
        sum(refusals) AS refusals
      FROM key_use
      WHERE api_key_pk = ${pk}
      GROUP BY 1
    )
    SELECT asked.day::text, coalesce(counted.calls, 0)::int AS calls,
      coalesce(counted.links, 0)::int AS links, coalesce(counted.refusals, 0)::int AS refusals
    FROM asked
    LEFT JOIN counted ON counted.day = asked.day
    ORDER BY asked.day`);
}

export async function findLastCall(
  pk: number,
): Promise<{ at: Date; address: string | null } | undefined> {
  // Uses key_use_pkey backwards. Hours without a call only have links.
  return await query.one<{ at: Date; address: string | null }>(sql`
    SELECT last_at AS at, last_address AS address
    FROM key_use
    WHERE api_key_pk = ${pk}
      AND last_at IS NOT NULL
    ORDER BY hour DESC
    LIMIT 1`);
}

export function listApps(
  pk: number,
): Promise<{ name: string; version: string; calls: number; lastAt: Date }[]> {
  // Uses key_app_pkey.
  return query(sql`
    SELECT name, version, calls, last_at AS "lastAt"
    FROM key_app
    WHERE api_key_pk = ${pk}
    ORDER BY last_at DESC, name, version`);
}
