/**
 * Distributes the clicks of a migrated database, with their rollups, over the workers of Citus, by their workspace; all
 * other tables stay on the coordinator. Safe to repeat: a table that is distributed already stays as it is.
 *
 * Clicks and the marks of slots that wait share shards, because Citus has no snapshot across servers: a slot is rolled from
 * exactly the clicks that its mark counts.
 */
import { fileURLToPath } from "node:url";
import pg from "pg";
import { distributedTables } from "#lib/analytics/time-slots";
import { findServerUrl } from "#lib/platform/postgres";

const [first, ...others] = distributedTables;
const distributionColumn = "workspace_pk";
/** Of PostgreSQL: two processes would wait for each other's tables. */
const lockNumber = 3_814_620;

/** Returns the tables that were distributed now. */
export async function distribute(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: await findServerUrl(databaseUrl) });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [lockNumber]);
    await checkCluster(client);
    await shareFunctions(client);
    await identifyRows(client);
    const { rows } = await client.query<{ name: string }>(
      "SELECT logicalrelid::text AS name FROM pg_dist_partition",
    );
    const done = new Set(rows.map(({ name }) => name));
    const missing = [first, ...others].filter((name) => !done.has(name));
    for (const table of missing) {
      await client.query("SELECT create_distributed_table($1, $2, colocate_with => $3)", [
        table,
        distributionColumn,
        table === first ? "none" : first,
      ]);
    }
    return missing;
  } finally {
    await client.end();
  }
}

async function checkCluster(client: pg.Client): Promise<void> {
  const { rows: extensions } = await client.query(
    "SELECT FROM pg_extension WHERE extname = 'citus'",
  );
  if (extensions.length === 0) {
    throw new DistributionError(
      "DATABASE_URL is not a Citus coordinator: run CREATE EXTENSION citus in this database on every server, " +
        "then citus_set_coordinator_host and citus_add_node on the coordinator.",
    );
  }
  const { rows: workers } = await client.query("SELECT FROM citus_get_active_worker_nodes()");
  if (workers.length === 0) {
    throw new DistributionError(
      "The coordinator has no workers: add each with SELECT citus_add_node('host', port), and run this again.",
    );
  }
}

/** Shards of partitions without a key can only be moved while nothing is written. New ones are created with this. */
async function identifyRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name
     FROM pg_class c
     JOIN pg_inherits ON inhrelid = c.oid
     WHERE relreplident = 'd'
       AND inhparent = ANY ($1::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = c.oid AND contype = 'p')`,
    [distributedTables],
  );
  for (const { name } of rows) await client.query(`ALTER TABLE ${name} REPLICA IDENTITY FULL`);
}

/** Functions of statements on Citus workers. Those that existed before the extension are unknown there. */
async function shareFunctions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT p.oid::regprocedure::text AS name
     FROM pg_proc p
     WHERE pronamespace = 'public'::regnamespace
       AND prokind = 'f'
       AND prorettype <> 'trigger'::regtype
       AND NOT EXISTS (
         SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
       )
       AND NOT EXISTS (
         SELECT FROM pg_dist_object WHERE classid = 'pg_proc'::regclass AND objid = p.oid
       )`,
  );
  for (const { name } of rows) await client.query("SELECT create_distributed_function($1)", [name]);
}

/** What the operator has to change. */
class DistributionError extends Error {}

/** Whether this is the program itself; what several programs share is compiled into another file. */
function isProgram(file = ""): boolean {
  if (import.meta.isCompiled) return /[\\/]distribute\.mjs$/.test(file);
  return file === fileURLToPath(import.meta.url);
}

if (isProgram(process.argv[1])) {
  // biome-ignore lint/style/noProcessEnv: distributing needs these two settings, even where the others are not generated yet
  const databaseUrl = process.env["DATABASE_DIRECT_URL"] || process.env["DATABASE_URL"];
  if (!databaseUrl) {
    process.stderr.write("DATABASE_URL is missing. Set it to the coordinator of Citus.\n");
    process.exit(1);
  }
  try {
    const tables = await distribute(databaseUrl);
    process.stdout.write(
      tables.map((name) => `distributed ${name}\n`).join("") || "all distributed already\n",
    );
  } catch (error) {
    if (!(error instanceof DistributionError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
