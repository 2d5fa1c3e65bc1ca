/**
 * Writes a database as one file, gzip over SQL that psql also reads:
 *
 * -- fuxi-backup {"format":1,"migrations":[…]}      what must be applied before
 *
 * CREATE TABLE IF NOT EXISTS … PARTITION OF …;      partitions, which no migration makes
 *
 * COPY "public"."link" ("pk", …) FROM stdin;        one table, rows as COPY writes them, parents
 * before children
 *
 * …
 *
 * \.
 *
 * SELECT setval('"public"."revision"', 17, true);   sequences, read last, so that none is behind
 * its table
 *
 * -- fuxi-end {"rows":{"\"public\".\"link\"":12}}   proves that the file is whole
 *
 * All tables are read in one snapshot while Fuxi keeps working.
 */
import { once } from "node:events";
import type { Writable } from "node:stream";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";

export const dumpFormat = 1;

export interface Manifest {
  format: number;
  migrations: string[];
  createdAt: string;
}

export type RowCounts = Record<string, number>;

export interface DumpTable {
  name: string;
  columns: string;
  parent: string | null;
  bounds: string | null;
  references: string[];
}

/** Partitioned tables themselves have no rows. */
const tablesSql = `
  SELECT c.oid::regclass::text AS name,
         (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)
          FROM pg_attribute a
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
         ) AS columns,
         p.inhparent::regclass::text AS parent,
         pg_get_expr(c.relpartbound, c.oid) AS bounds,
         ARRAY(SELECT f.confrelid::regclass::text
               FROM pg_constraint f
               WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid
         ) AS references
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_inherits p ON p.inhrelid = c.oid
  WHERE c.relkind = 'r'
    AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND n.nspname NOT LIKE 'pg_toast%'
    AND c.relname <> '_prisma_migrations'
  ORDER BY 1`;

const sequencesSql = `
  SELECT format('%I.%I', schemaname, sequencename) AS name
  FROM pg_sequences
  WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
  ORDER BY 1`;

export async function listTables(client: pg.ClientBase): Promise<DumpTable[]> {
  // Without a search path, PostgreSQL writes every name with its schema.
  await client.query("SET search_path = ''");
  return (await client.query<DumpTable>(tablesSql)).rows;
}

export async function listMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM public._prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
     ORDER BY migration_name`,
  );
  return rows.map(({ name }) => name);
}

export async function writeDump(client: pg.ClientBase, out: Writable): Promise<RowCounts> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  const manifest: Manifest = {
    format: dumpFormat,
    migrations: await listMigrations(client),
    createdAt: new Date().toISOString(),
  };
  await write(out, `-- fuxi-backup ${JSON.stringify(manifest)}\n`);
  const tables = sortByReferences(await listTables(client));
  // No day of clicks is dropped until it is read.
  // defence: backup-holds-days
  await client.query(
    `LOCK TABLE ${tables.map(({ name }) => name).join(", ")} IN ACCESS SHARE MODE`,
  );
  for (const { name, parent, bounds } of tables) {
    if (parent === null) continue;
    await write(out, `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${parent} ${bounds};\n`);
  }
  const rows: RowCounts = {};
  for (const table of tables) rows[table.name] = await writeTable(client, table, out);
  for (const { name } of (await client.query<{ name: string }>(sequencesSql)).rows) {
    const { rows: found } = await client.query(`SELECT last_value, is_called FROM ${name}`);
    const { last_value: last, is_called: called } = found[0];
    await write(out, `SELECT setval('${name}', ${last}, ${called});\n`);
  }
  await write(out, `-- fuxi-end ${JSON.stringify({ rows })}\n`);
  await client.query("COMMIT");
  return rows;
}

async function writeTable(client: pg.ClientBase, table: DumpTable, out: Writable): Promise<number> {
  await write(out, `COPY ${table.name} (${table.columns}) FROM stdin;\n`);
  const stream = client.query(copyTo(`COPY ${table.name} (${table.columns}) TO STDOUT`));
  for await (const chunk of stream) await write(out, chunk);
  await write(out, "\\.\n");
  return stream.rowCount;
}

async function write(out: Writable, chunk: string | Buffer): Promise<void> {
  if (!out.write(chunk)) await once(out, "drain");
}

/** Parents before children. Refuses circular references. */
export function sortByReferences<T extends Pick<DumpTable, "name" | "references">>(
  tables: T[],
): T[] {
  const sorted: T[] = [];
  const placed = new Set<string>();
  let rest = tables;
  while (rest.length > 0) {
    const ready = rest.filter(({ references }) => references.every((name) => placed.has(name)));
    if (ready.length === 0) {
      throw new Error(`Tables refer to each other: ${rest.map(({ name }) => name).join(", ")}`);
    }
    for (const table of ready) placed.add(table.name);
    sorted.push(...ready);
    rest = rest.filter(({ name }) => !placed.has(name));
  }
  return sorted;
}
