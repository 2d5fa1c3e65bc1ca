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

const missingTable = "42P01";
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

/** Creates partitions, and writes. An empty day of the past may be dropped in between, so it tries twice. */
export async function withPartitions(
  tables: readonly PartitionedTable[],
  moments: readonly number[],
  write: () => Promise<void>,
): Promise<void> {
  await ensurePartitions(tables, moments);
  try {
    await write();
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("no partition of relation")))
      throw error;
    existing.clear();
    await ensurePartitions(tables, moments);
    await write();
  }
}

/** `click_20260131`, `link_slot_202601` or `link_day_2026`. */
function partitionOf(table: PartitionedTable, at: number): string {
  const digits = new Date(at).toISOString().slice(0, nameChars[grains[table]]);
  return `${table}_${digits.replaceAll("-", "")}`;
}

async function ensurePartition(table: PartitionedTable, at: number): Promise<void> {
  const name = partitionOf(table, at);
  if (existing.has(name)) return;
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
            ATTACH PARTITION analytics.${name} ${valuesOf(table, at)}`,
        values: [],
      });
    });
  } catch (error) {
    // Another process created it first.
    if (!isDuplicateTable(error)) throw error;
  }
  existing.add(name);
}

function valuesOf(table: PartitionedTable, at: number): string {
  const [from, until] = boundsOf(grains[table], at).map((bound) =>
    datedTables.includes(table) ? bound.slice(0, 10) : bound,
  );
  return `FOR VALUES FROM ('${from}') TO ('${until}')`;
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
  return ["42P07", "23505"].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The start of each day that has a table of clicks, oldest first. */
export async function listClickDays(): Promise<Date[]> {
  const tables = await query<{ name: string }>(sql`
    SELECT child.relname AS name
    FROM pg_inherits
    JOIN pg_class AS child ON child.oid = pg_inherits.inhrelid
    WHERE pg_inherits.inhparent = 'analytics.click'::regclass
    ORDER BY child.relname`);
  return tables.map(({ name }) => startOf(name));
}

/** From `click_20260131`, `link_slot_202601` or `link_day_2026`. */
function startOf(name: string): Date {
  const [, year, month = "01", day = "01"] = /_(\d{4})(\d\d)?(\d\d)?$/.exec(name) ?? [];
  return new Date(`${year}-${month}-${day}T00:00:00Z`);
}

interface OldPartition {
  name: string;
  /** Detached if a worker was killed before it could drop it. */
  state: "attached" | "detaching" | "detached";
  distributed: boolean;
}

/** Drops partitions that end before a moment; with `isUnused`, only those that it confirms. The next run retries failures. */
export async function dropPartitions(
  table: PartitionedTable,
  before: number,
  isUnused: (name: string) => Promise<boolean> = async () => true,
): Promise<void> {
  const old = await query<OldPartition>(sql`
    SELECT
      child.relname AS name,
      CASE part.inhdetachpending WHEN true THEN 'detaching' WHEN false THEN 'attached' ELSE 'detached' END AS state,
      EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS distributed
    FROM pg_class AS child
    LEFT JOIN pg_inherits AS part ON part.inhrelid = child.oid
    WHERE child.relnamespace = 'analytics'::regnamespace
      AND child.relkind = 'r'
      AND child.relname ~ ${`^${table}_\\d+$`}
      AND child.relname < ${partitionOf(table, before)}
    ORDER BY child.relname`);
  for (const partition of old) {
    try {
      const { name, state } = partition;
      if (state !== "attached" || (await isUnused(name)))
        await dropPartition(table, partition, isUnused);
    } catch (error) {
      if (codeOf(error) === missingTable) continue;
      // A long query still reads it, or another worker drops it right now.
      log.warn({ event: "partition.kept", name: partition.name, error: String(error) });
    }
  }
}

async function dropPartition(
  table: PartitionedTable,
  { name, state, distributed }: OldPartition,
  isUnused: (name: string) => Promise<boolean>,
): Promise<void> {
  existing.delete(name);
  const alter = (text: string) =>
    query({ text: `ALTER TABLE analytics.${table} ${text}`, values: [] });
  if (state !== "detached") {
    // Completes an interrupted detach. Citus cannot detach concurrently.
    const how = state === "detaching" ? "FINALIZE" : distributed ? "" : "CONCURRENTLY";
    await alter(`DETACH PARTITION analytics.${name} ${how}`);
  }
  // Nobody can write to it any more. Until now, somebody could.
  // defence: detached-day-is-read
  if (await isUnused(name)) await query({ text: `DROP TABLE analytics.${name}`, values: [] });
  else
    await alter(`ATTACH PARTITION analytics.${name} ${valuesOf(table, startOf(name).getTime())}`);
}
