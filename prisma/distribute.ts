/**
 * Distributes over the workers of Citus: clicks and rollups by workspace; with `--links` also
 * links, tags, counters and limits by primary key. Safe to repeat.
 *
 * Clicks and marks of waiting slots share shards, because Citus has no snapshot across servers.
 */
import { fileURLToPath } from "node:url";
import pg from "pg";
import { clickTables } from "#lib/analytics/time-slots";
import { findServerUrl } from "#lib/platform/postgres";
import { DatabaseAdvice, runCommand } from "./advice.ts";

interface Distributed {
  table: string;
  column: string;
  /** Rows with the same value are on the same server. */
  with: string;
}

const [firstOfClicks] = clickTables;
const byWorkspace = (table: string) => ({ table, column: "workspace_pk", with: firstOfClicks });
const tablesOfClicks: readonly Distributed[] = clickTables.map(byWorkspace);
const tablesOfLinks: readonly Distributed[] = [
  byWorkspace("link_external_id"),
  { table: "link", column: "pk", with: "link" },
  ...["link_tag", "link_stat", "link_allowance"].map((table) => ({
    table,
    column: "link_pk",
    with: "link",
  })),
];
export const distributedTables = [...tablesOfClicks, ...tablesOfLinks];
/** PostgreSQL's lock: two processes would wait for each other's tables. */
const lockNumber = 3_814_620;

export async function distribute(databaseUrl: string, withLinks: boolean): Promise<string[]> {
  const wanted = withLinks ? distributedTables : tablesOfClicks;
  const client = new pg.Client({ connectionString: await findServerUrl(databaseUrl) });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [lockNumber]);
    await checkCluster(client);
    await checkTables(client, wanted);
    await shareFunctions(client);
    await identifyRows(client);
    if (withLinks) await joinOnTheCoordinator(client);
    const { rows } = await client.query<{ name: string }>(
      "SELECT logicalrelid::text AS name FROM pg_dist_partition",
    );
    const done = new Set(rows.map(({ name }) => name));
    const missing = wanted.filter(({ table }) => !done.has(table));
    await client.query("BEGIN");
    await client.query("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'");
    if (missing.some(({ table }) => table === "link")) await separateLinks(client);
    for (const { table, column, with: other } of missing) {
      await client.query("SELECT create_distributed_table($1, $2, colocate_with => $3)", [
        table,
        column,
        table === other ? "none" : other,
      ]);
    }
    await client.query("COMMIT");
    return missing.map(({ table }) => table);
  } finally {
    await client.end();
  }
}

async function checkCluster(client: pg.Client): Promise<void> {
  const { rows: extensions } = await client.query(
    "SELECT FROM pg_extension WHERE extname = 'citus'",
  );
  if (extensions.length === 0) {
    throw new DatabaseAdvice(
      "DATABASE_URL is not a Citus coordinator: run CREATE EXTENSION citus in this database on every server, " +
        "then citus_set_coordinator_host and citus_add_node on the coordinator.",
    );
  }
  const { rows: workers } = await client.query("SELECT FROM citus_get_active_worker_nodes()");
  if (workers.length === 0) {
    throw new DatabaseAdvice(
      "The coordinator has no workers: add each with SELECT citus_add_node('host', port), and run this again.",
    );
  }
}

async function checkTables(client: pg.Client, tables: readonly Distributed[]): Promise<void> {
  const { rows } = await client.query(
    "SELECT FROM unnest($1::text[]) AS wanted (name) WHERE to_regclass(name) IS NULL",
    [tables.map(({ table }) => table)],
  );
  if (rows.length === 0) return;
  throw new DatabaseAdvice(
    "This database has tables of an earlier version: run npm run db:migrate, and then this again.",
  );
}

/** Otherwise shards without a key only move while nothing is written. */
async function identifyRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name
     FROM pg_class c
     JOIN pg_inherits ON inhrelid = c.oid
     WHERE relreplident = 'd'
       AND inhparent = ANY ($1::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = c.oid AND contype = 'p')`,
    [clickTables],
  );
  for (const { name } of rows) await client.query(`ALTER TABLE ${name} REPLICA IDENTITY FULL`);
}

/** Joins read the needed links instead of sending a whole table to the workers. */
async function joinOnTheCoordinator(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT quote_ident(current_database()) AS name",
  );
  const [database] = rows;
  await client.query(
    `ALTER DATABASE ${database?.name} SET citus.local_table_join_policy TO 'prefer-distributed'`,
  );
}

/** Citus has no foreign keys between servers, nor unique indexes without the column. */
export async function separateLinks(client: pg.Client): Promise<void> {
  await client.query("LOCK TABLE link IN SHARE ROW EXCLUSIVE MODE");
  await client.query(
    "CREATE OR REPLACE FUNCTION links_distributed() RETURNS BOOLEAN LANGUAGE sql STABLE AS $$ SELECT true $$",
  );
  const { rows } = await client.query<{ table: string; name: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name
     FROM pg_constraint
     WHERE contype = 'f'
       AND (confrelid = 'link'::regclass OR conrelid = 'link_tag'::regclass)`,
  );
  for (const { table, name } of rows) {
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
  await client.query(
    `INSERT INTO link_external_id (workspace_pk, external_id, link_pk)
     SELECT workspace_pk, external_id, pk
     FROM link
     WHERE external_id IS NOT NULL AND workspace_pk IS NOT NULL
     ON CONFLICT DO NOTHING`,
  );
  await client.query("DROP INDEX link_external");
  await client.query(
    "CREATE INDEX link_external ON link (workspace_pk, external_id) WHERE external_id IS NOT NULL",
  );
}

/** Functions that existed before the extension are unknown to Citus workers. */
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

/** Whether this is the program. Shared code is compiled into another file. */
function isProgram(file = ""): boolean {
  if (import.meta.isCompiled) return /[\\/]distribute\.mjs$/.test(file);
  return file === fileURLToPath(import.meta.url);
}

if (isProgram(process.argv[1])) {
  await runCommand(async (databaseUrl) => {
    const tables = await distribute(databaseUrl, process.argv.includes("--links"));
    return tables.map((name) => `distributed ${name}\n`).join("") || "all distributed already\n";
  });
}
