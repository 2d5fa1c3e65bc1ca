/** How much data the stores hold. */
import { query, sql } from "#lib/platform/postgres";
import { readRedisMemory } from "#lib/platform/redis";
import type { Usage } from "./schema.ts";

export const tablesMax = 10;

export async function databaseBytes(): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    sql`SELECT pg_database_size(current_database()) AS bytes`,
  );
  return row?.bytes ?? 0;
}

export async function readStorage(): Promise<Omit<Usage["storage"], "bytesPerDay">> {
  const [bytes, tables, redis] = await Promise.all([
    databaseBytes(),
    listTables(),
    readRedisMemory().catch(() => null),
  ]);
  return { databaseBytes: bytes, tables, redis };
}

/** Adds partitions to their table. Reads only the catalog, not the tables. */
async function listTables(): Promise<Usage["storage"]["tables"]> {
  return await query(sql`
    SELECT
      sizes.root::regclass::text AS name, sum(sizes.bytes)::bigint AS bytes,
      sum(sizes.rows)::bigint AS rows
    FROM (
      SELECT
        coalesce(pg_partition_root(class.oid), class.oid) AS root,
        pg_total_relation_size(class.oid) AS bytes, greatest(class.reltuples, 0) AS rows
      FROM pg_class AS class
      JOIN pg_namespace AS space ON space.oid = class.relnamespace
      WHERE class.relkind = 'r'
        AND space.nspname IN ('public', 'analytics')
    ) AS sizes
    GROUP BY sizes.root
    ORDER BY bytes DESC, name
    LIMIT ${tablesMax}`);
}
