/** Days as partitions: made ahead of their clicks, dropped whole when their time is over. */
import { query, sql } from "#lib/postgres";

const made = new Set<string>();

/** Makes the partitions of these days (`2026-01-31`) if they are missing. */
export async function ensureDays(wanted: Iterable<string>): Promise<void> {
  for (const day of wanted) {
    await ensureDay("click", day);
    await ensureDay("visitor", day);
  }
}

/** The same for clicks of the past, whose visitors nobody will count again. */
export async function ensurePastDays(wanted: Iterable<string>): Promise<void> {
  for (const day of wanted) await ensureDay("click", day);
}

async function ensureDay(table: "click" | "visitor", day: string): Promise<void> {
  const name = `${table}_${day.replaceAll("-", "")}`;
  if (made.has(name)) return;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error(`No day: ${day}`);
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  // A click has a moment, a visitor a day.
  const zone = table === "click" ? "Z" : "";
  // Two workers may try at once: the loser finds the table there.
  await query({
    text: `
      CREATE TABLE IF NOT EXISTS analytics.${name}
      PARTITION OF analytics.${table} FOR VALUES FROM ('${day}${zone}') TO ('${next}${zone}')`,
    values: [],
  }).catch(tolerateDuplicate);
  made.add(name);
}

/** Drops the days before this one: whole partitions, never row by row. */
export async function dropDays(table: "click" | "visitor", before: string): Promise<void> {
  const oldest = `${table}_${before.replaceAll("-", "")}`;
  const old = await query<{ name: string }>(
    sql`
      SELECT child.relname AS name
      FROM pg_inherits
      JOIN pg_class AS child ON child.oid = pg_inherits.inhrelid
      WHERE pg_inherits.inhparent = ${`analytics.${table}`}::regclass
        AND child.relname < ${oldest}`,
  );
  for (const { name } of old) {
    await query({ text: `DROP TABLE IF EXISTS analytics.${name}`, values: [] });
    made.delete(name);
  }
}

function tolerateDuplicate(error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "42P07" && code !== "23505") throw error;
}
