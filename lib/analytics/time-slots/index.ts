/** Divides time into slots, the quarter hours in which clicks are counted, and into partitions of tables. */
import { log } from "#lib/platform/log";
import { query, sql, transaction } from "#lib/platform/postgres";

/** Citus distributes these by workspace (prisma/distribute.ts) and colocates them with the first. */
export const clickTables = [
  "analytics.click",
  "analytics.click_block",
  "analytics.touched_slot",
  "analytics.link_slot",
  "analytics.value_slot",
  "analytics.link_day",
  "analytics.value_day",
  "analytics.link_month",
  "analytics.value_month",
] as const;

/** The offset of every time zone is a multiple of a quarter hour. */
export const slotMs = 900_000;

export function slotOf(at: number): number {
  return Math.floor(at / slotMs) * slotMs;
}

type PartitionGrain = "day" | "month" | "year";

const grains = {
  click: "day",
  click_block: "month",
  visitor: "day",
  counted_visit: "day",
  link_slot: "month",
  value_slot: "month",
  link_day: "year",
  value_day: "year",
  link_month: "year",
  value_month: "year",
} as const satisfies Record<string, PartitionGrain>;

type PartitionedTable = keyof typeof grains;

/** Their partition column is a date, not a timestamp. */
const datedTables: readonly string[] = ["visitor", "counted_visit"];
/** To move rows without a key during writes, Citus must identify them by the whole row. */
const keylessTables: readonly string[] = ["click", "value_slot", "value_day", "value_month"];
const nameChars: Record<PartitionGrain, number> = { day: 10, month: 7, year: 4 };

const existing = new Set<string>();

/**
 * One partition per day for clicks and visitors, per month for slots, per year for days and months.
 * It is created as a separate table and then attached, and detached before it is dropped, because
 * these steps wait for no running query and block no ingest.
 */
export async function ensurePartitions(
  tables: readonly PartitionedTable[],
  moments: Iterable<number>,
): Promise<void> {
  for (const at of moments) for (const table of tables) await ensurePartition(table, at);
}

/** `click_20260131`, `link_slot_202601` or `link_day_2026`. */
function partitionOf(table: PartitionedTable, at: number): string {
  const digits = new Date(at).toISOString().slice(0, nameChars[grains[table]]);
  return `${table}_${digits.replaceAll("-", "")}`;
}

async function ensurePartition(table: PartitionedTable, at: number): Promise<void> {
  const name = partitionOf(table, at);
  if (existing.has(name)) return;
  const [from, until] = boundsOf(grains[table], at).map((bound) =>
    datedTables.includes(table) ? bound.slice(0, 10) : bound,
  );
  try {
    // In one transaction, so that an unattached table is never visible.
    await transaction(async (tx) => {
      await tx.query({
        text: `CREATE TABLE analytics.${name} (LIKE analytics.${table} INCLUDING ALL)`,
        values: [],
      });
      if (keylessTables.includes(table)) {
        const text = `ALTER TABLE analytics.${name} REPLICA IDENTITY FULL`;
        await tx.query({ text, values: [] });
      }
      await tx.query({
        text: `
          ALTER TABLE analytics.${table}
            ATTACH PARTITION analytics.${name} FOR VALUES FROM ('${from}') TO ('${until}')`,
        values: [],
      });
    });
  } catch (error) {
    // Another process created it first.
    if (!isDuplicateTable(error)) throw error;
  }
  existing.add(name);
}

function boundsOf(grain: PartitionGrain, at: number): string[] {
  const date = new Date(at);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const bounds = {
    day: [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)],
    month: [Date.UTC(year, month), Date.UTC(year, month + 1)],
    year: [Date.UTC(year, 0), Date.UTC(year + 1, 0)],
  };
  return bounds[grain].map((bound) => new Date(bound).toISOString());
}

/** The table may have been created at the same moment. */
function isDuplicateTable(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "42P07" || code === "23505";
}

/** Drops partitions that end before a moment. The next run retries failures. */
export async function dropPartitions(table: PartitionedTable, before: number): Promise<void> {
  const oldest = partitionOf(table, before);
  const old = await query<{ name: string; pending: boolean; distributed: boolean }>(sql`
    SELECT
      child.relname AS name, pg_inherits.inhdetachpending AS pending,
      EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS distributed
    FROM pg_inherits
    JOIN pg_class AS child ON child.oid = pg_inherits.inhrelid
    WHERE pg_inherits.inhparent = ${`analytics.${table}`}::regclass
      AND child.relname < ${oldest}
    ORDER BY child.relname`);
  for (const { name, pending, distributed } of old) {
    existing.delete(name);
    try {
      // Completes an interrupted detach. Citus cannot detach concurrently.
      const how = pending ? "FINALIZE" : distributed ? "" : "CONCURRENTLY";
      await query({
        text: `ALTER TABLE analytics.${table} DETACH PARTITION analytics.${name} ${how}`,
        values: [],
      });
      await query({ text: `DROP TABLE analytics.${name}`, values: [] });
    } catch (error) {
      // Another worker drops it right now, or a long query still reads it.
      log.warn({ event: "partition.kept", name, error: String(error) });
    }
  }
}
