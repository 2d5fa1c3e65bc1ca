/** `20261129000000_baseline` replaced 104 migrations. Databases with only some are refused. */
import pg from "pg";
import { DatabaseAdvice } from "./advice.ts";

export const baseline = "20261129000000_baseline";
/** Migrations are applied in order, so these two say that none is missing. */
const former = { count: 104, last: "20261231040000_reversed_payments" };
/** The last commit that has them. */
const formerCommit = "e982501dbe16770d56d2ce189348567c3e1b97c5";

/** The present names of a database's or backup's migrations. */
export function currentNames(names: readonly string[]): string[] {
  if (names.length === 0 || names.includes(baseline)) return [...names];
  if (names.length === former.count && names.includes(former.last)) return [baseline];
  throw new DatabaseAdvice(
    `This database is from an earlier state of development (${names.length} of ${former.count} migrations). ` +
      `Check out commit ${formerCommit} and apply its migrations with npm start or npm run db:migrate, then come back to ` +
      "this version. Restore a backup with that commit, and back up again.",
  );
}

/** Safe to repeat and to run concurrently. */
export async function adoptBaseline(databaseUrl: string, checksum: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("BEGIN");
    const { rows: tables } = await client.query("SELECT to_regclass('_prisma_migrations') AS name");
    if (tables[0]?.name === null) return;
    await client.query("LOCK TABLE _prisma_migrations IN EXCLUSIVE MODE");
    const { rows } = await client.query<{ name: string }>(
      `SELECT migration_name AS name FROM _prisma_migrations
       WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    );
    const names = rows.map(({ name }) => name);
    const [name] = currentNames(names);
    if (name === undefined || names.includes(baseline)) return;
    await client.query("DELETE FROM _prisma_migrations");
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES (gen_random_uuid(), $1, $2, now(), 1)`,
      [checksum, name],
    );
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}
