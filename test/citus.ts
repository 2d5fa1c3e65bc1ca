/**
 * Databases for tests on Citus, which cannot copy a template: each is migrated and distributed once, and emptied before it
 * is used again, unless a test left tables, functions or triggers in it. TEST_CITUS_URL is the coordinator, whose database lists the workers.
 */
import type pg from "pg";
import { databaseOf, withClient, withDatabase } from "../scripts/databases.ts";
import { run } from "../scripts/processes.ts";

const namePrefix = "fuxi_citus_test_";
const shardsMax = 2;
const creatingLock = 5_270_441;

/** Survives the modules of a test file. */
const inUse: Set<string> = (() => {
  const key = Symbol.for("fuxi.citus-databases");
  const known = Reflect.get(globalThis, key) ?? new Set<string>();
  Reflect.set(globalThis, key, known);
  return known;
})();

export interface Node {
  host: string;
  port: number;
}

async function listNodes(url: string): Promise<Node[]> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<Node>(
      "SELECT nodename AS host, nodeport AS port FROM pg_dist_node ORDER BY groupid",
    );
    return rows;
  });
}

/** The workers of a database, without the coordinator. */
export async function listWorkers(url: string): Promise<(Node & { id: number })[]> {
  return await withClient(url, async (client) => {
    const { rows } = await client.query<Node & { id: number }>(
      `SELECT nodeid AS id, nodename AS host, nodeport AS port
       FROM pg_dist_node
       WHERE groupid > 0
       ORDER BY groupid`,
    );
    return rows;
  });
}

/** On the part of a database that a node has. */
export async function onNode<T>(
  url: string,
  node: Node,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return await withClient(urlOf(url, node, databaseOf(url)), work);
}

function urlOf(url: string, { host, port }: Node, database: string): string {
  const address = new URL(withDatabase(url, database));
  address.hostname = host;
  address.port = String(port);
  return address.href;
}

async function dropDatabase(url: string, name: string): Promise<void> {
  for (const node of await listNodes(url)) {
    await withClient(urlOf(url, node, "postgres"), async (client) => {
      await client.query("SET citus.enable_create_database_propagation TO off");
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    });
  }
}

/** Removes the databases of earlier runs. */
export async function dropCitusDatabases(url: string): Promise<void> {
  for (const node of await listNodes(url)) {
    await withClient(urlOf(url, node, "postgres"), async (client) => {
      const { rows } = await client.query<{ name: string }>(
        "SELECT datname AS name FROM pg_database WHERE datname LIKE $1",
        [`${namePrefix}%`],
      );
      for (const { name } of rows) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    });
  }
}

/** What is on several servers; links with their clicks. */
export type Distributed = "clicks" | "links";

export async function openCitusDatabase(
  url: string,
  what: Distributed = "links",
): Promise<{ databaseUrl: string; drop: () => Promise<void> }> {
  const pool = process.env["VITEST_POOL_ID"] ?? "1";
  let number = 1;
  const nameOf = () => `${namePrefix}${what}_${pool}_${number}`;
  while (inUse.has(nameOf())) number += 1;
  const name = nameOf();
  inUse.add(name);
  const databaseUrl = withDatabase(url, name);
  // A test that was cut off may have left one whose servers do not know each other.
  const isReady = (await exists(url, name)) && (await empty(databaseUrl).catch(() => false));
  if (!isReady) {
    await dropDatabase(url, name);
    await create(url, name, what);
  }
  return {
    databaseUrl,
    drop: () => {
      inUse.delete(name);
      return Promise.resolve();
    },
  };
}

async function exists(url: string, name: string): Promise<boolean> {
  return await withClient(url, async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    return rowCount === 1;
  });
}

async function create(url: string, name: string, what: Distributed): Promise<void> {
  await createUnmigrated(url, name);
  const env = { DATABASE_URL: withDatabase(url, name) };
  const options = what === "links" ? ["--links"] : [];
  for (const program of [["prisma/migrate.ts"], ["prisma/distribute.ts", ...options]]) {
    const ended = await run(process.execPath, ["--import", "tsx", ...program], { env });
    if (ended.code !== 0) throw new Error(`${program[0]} failed: ${ended.stdout}${ended.stderr}`);
  }
  await withClient(withDatabase(url, name), async (client) => {
    await client.query(`COMMENT ON DATABASE ${name} IS '${await countObjects(client)}'`);
  });
}

/** An empty one on all nodes, which know each other. One at a time: Citus writes the roles of a new node, which all share. */
async function createUnmigrated(url: string, name: string): Promise<void> {
  await withClient(withDatabase(url, "postgres"), async (guard) => {
    await guard.query("SELECT pg_advisory_lock($1)", [creatingLock]);
    await createOnNodes(url, name);
  });
}

async function createOnNodes(url: string, name: string): Promise<void> {
  const nodes = await listNodes(url);
  for (const node of nodes) {
    await withClient(urlOf(url, node, "postgres"), async (client) => {
      await client.query("SET citus.enable_create_database_propagation TO off");
      await client.query(`CREATE DATABASE ${name}`);
    });
    await withClient(urlOf(url, node, name), (client) => client.query("CREATE EXTENSION citus"));
  }
  await withClient(withDatabase(url, name), async (client) => {
    const [coordinator, ...workers] = nodes;
    if (!coordinator) throw new Error("TEST_CITUS_URL lists no nodes");
    await client.query("SELECT citus_set_coordinator_host($1, $2)", [
      coordinator.host,
      coordinator.port,
    ]);
    for (const { host, port } of workers) {
      await client.query("SELECT citus_add_node($1, $2)", [host, port]);
    }
    await client.query(`ALTER DATABASE ${name} SET citus.shard_count TO ${shardsMax}`);
  });
}

/** An empty database for a test that migrates it itself. */
export async function withUnmigrated(
  url: string,
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  const name = `${namePrefix}${process.env["VITEST_POOL_ID"] ?? "1"}_unmigrated`;
  await dropDatabase(url, name);
  await createUnmigrated(url, name);
  try {
    await work(withDatabase(url, name));
  } finally {
    await dropDatabase(url, name);
  }
}

/** Without partitions, and without what Citus makes. */
async function countObjects(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ objects: string }>(
    `SELECT concat_ws(' ',
       (SELECT count(*) FROM pg_class
        WHERE relnamespace IN ('public'::regnamespace, 'analytics'::regnamespace)
          AND relkind IN ('r', 'p')
          AND NOT relispartition),
       (SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgparentid = 0),
       (SELECT count(*) FROM pg_proc
        WHERE pronamespace IN ('public'::regnamespace, 'analytics'::regnamespace))
     ) AS objects`,
  );
  return rows[0]?.objects ?? "";
}

/** Leaves what the migrations leave; false where there is more that a test made. */
async function empty(databaseUrl: string): Promise<boolean> {
  return await withClient(databaseUrl, async (client) => {
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    const { rows: parts } = await client.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name
       FROM pg_inherits
       JOIN pg_class AS parent ON parent.oid = inhparent
       WHERE parent.relkind = 'p'`,
    );
    if (parts.length > 0) {
      await client.query(`DROP TABLE ${parts.map(({ name }) => name).join(", ")}`);
    }
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT c.oid::regclass::text AS name
       FROM pg_class c
       WHERE relnamespace IN ('public'::regnamespace, 'analytics'::regnamespace)
         AND relkind IN ('r', 'p')
         AND relname <> '_prisma_migrations'`,
    );
    await client.query(
      `TRUNCATE ${tables.map(({ name }) => name).join(", ")} RESTART IDENTITY CASCADE`,
    );
    await client.query(
      `SELECT setval(c.oid::regclass, seqstart, false)
       FROM pg_class c
       JOIN pg_sequence ON seqrelid = c.oid
       WHERE relnamespace IN ('public'::regnamespace, 'analytics'::regnamespace)`,
    );
    const { rows: known } = await client.query<{ objects: string | null }>(
      `SELECT shobj_description(oid, 'pg_database') AS objects
       FROM pg_database
       WHERE datname = current_database()`,
    );
    return known[0]?.objects === (await countObjects(client));
  });
}
