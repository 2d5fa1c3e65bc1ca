/** Pools, statements and transactions. Work inside `readOn` queries a replica. */
import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { hasLongTimeouts } from "#lib/basics/bounds";
import { config } from "#lib/platform/config";
import { isReadOnly } from "#lib/platform/errors";
import { exposeCounters, log } from "#lib/platform/log";
import { parseAddress, urlOfServer } from "#lib/platform/postgres-addresses";
import { traced, tracesAreOn } from "#lib/platform/traces";
import { clientOf, Servers } from "./servers.ts";

export { copyField, copyRows } from "./copy.ts";

/** PostgreSQL's id of int8. All our int8 values are below 2^53, so they are read as numbers. */
const int8 = 20;
pg.types.setTypeParser(int8, Number);

export interface Statement {
  text: string;
  values: unknown[];
  /** Named statements have cached plans. Use it for those that run thousands of times a second. */
  name?: string;
  query_timeout?: number;
}

let opened: OpenPool | undefined;
let openedReplicas: { open: OpenPool[]; pools: pg.Pool[] } | undefined;

function primary(): OpenPool {
  opened ??= openPool(config().DATABASE_URL, false);
  return opened;
}

export function pool(): pg.Pool {
  return primary().pool;
}

/** One pool per address of DATABASE_READ_URL. Returns the same list until they are closed. */
export function replicaPools(): readonly pg.Pool[] {
  if (!openedReplicas) {
    const open = config().DATABASE_READ_URL.map((url) => openPool(url, true));
    openedReplicas = { open, pools: open.map((one) => one.pool) };
  }
  return openedReplicas.pools;
}

export async function closePostgres(): Promise<void> {
  const closing = [...(opened ? [opened] : []), ...(openedReplicas?.open ?? [])];
  opened = undefined;
  openedReplicas = undefined;
  await Promise.all(closing.map((one) => one.close()));
}

export async function findServerUrl(url: string): Promise<string> {
  const address = parseAddress(url);
  if (!address) return url;
  const servers = new Servers(address, address.needsPrimary || address.servers.length > 1);
  return servers.isChoice ? urlOfServer(address, await servers.choose()) : address.url;
}

const reading = new AsyncLocalStorage<pg.Pool | undefined>();

/** Queries in `work` go to the replica. Undefined: to the primary, even within another read. */
export function readOn<T>(replica: pg.Pool | undefined, work: () => Promise<T>): Promise<T> {
  return reading.getStore() === replica ? work() : reading.run(replica, work);
}

function currentPool(): pg.Pool {
  return reading.getStore() ?? pool();
}

export function sql(parts: TemplateStringsArray, ...values: unknown[]): Statement {
  const text = parts.reduce((before, part, at) => `${before}$${at}${part}`);
  return { text, values };
}

interface Client {
  query(statement: Statement): Promise<pg.QueryResult>;
  query<T extends pg.Submittable>(stream: T): T;
}

export class Connection {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  query<Row>(statement: Statement): Promise<Row[]> {
    return countStatement(
      statement.text,
      async () => (await this.client.query(prepared(statement))).rows as Row[],
    );
  }

  async one<Row>(statement: Statement): Promise<Row | undefined> {
    return (await this.query<Row>(statement))[0];
  }

  async any(statement: Statement): Promise<boolean> {
    return (await this.query(statement)).length > 0;
  }
}

export async function query<Row>(statement: Statement, on?: Connection): Promise<Row[]> {
  return await query.on(on).query<Row>(statement);
}
query.on = (tx?: Connection): Connection => tx ?? new Connection(currentPool());
query.one = <Row>(statement: Statement) => query.on().one<Row>(statement);
query.any = (statement: Statement) => query.on().any(statement);

/** Drops the name if a pooler may pick a connection that has not prepared the statement. */
function prepared(statement: Statement): Statement {
  if (statement.name === undefined || !isPooled()) return statement;
  const { name: _, ...rest } = statement;
  return rest;
}

const counters = { select: 0, update: 0, lock: 0, error: 0, lockError: 0 };
exposeCounters("database", "SQL statements by type, and errors.", counters);

const tracedCharsMax = 2_000;

export async function countStatement<T>(text: string, work: () => Promise<T>): Promise<T> {
  const kind = statementKind(text);
  counters[kind] += 1;
  try {
    if (!tracesAreOn()) return await work();
    return await traced(
      `postgres ${kind}`,
      { "db.query.text": text.slice(0, tracedCharsMax) },
      work,
    );
  } catch (error) {
    counters[kind === "lock" ? "lockError" : "error"] += 1;
    throw error;
  }
}

function statementKind(text: string): "select" | "update" | "lock" {
  if (/\bpg_(try_)?advisory|\bFOR (NO KEY )?UPDATE\b/.test(text)) return "lock";
  return /\b(INSERT INTO|UPDATE|DELETE FROM)\b/.test(text) ? "update" : "select";
}

export async function transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T> {
  const client = await currentPool().connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(new Connection(client));
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((lost: Error) => {
      broken = lost;
    });
    // The server has become a replica, so this connection is useless.
    if (isReadOnly(error)) {
      broken = error;
      opened?.servers.refused(client);
    }
    throw error;
  } finally {
    // The pool also discards connections that were lost between statements.
    client.release(broken);
  }
}

/** Also set `query_timeout` on each of the statements. */
export async function extendTimeout(tx: Connection, ms: number): Promise<void> {
  await tx.query(sql`SELECT set_config('statement_timeout', ${String(ms)}, true)`);
}

/** For statements assembled from parts: each value becomes a parameter, never text. */
export class SqlValues {
  readonly list: unknown[] = [];

  /** Returns a placeholder. Pass a type if PostgreSQL cannot infer it. */
  readonly place = (value: unknown, type?: string): string => {
    this.list.push(value);
    return `$${this.list.length}${type === undefined ? "" : `::${type}`}`;
  };
}

const connectTimeoutMs = 3_000;
/** People would rather wait than see an error, and first renderings keep the process busy. */
const pageConnectTimeoutMs = 15_000;
const statementTimeoutMs = 30_000;
const idleTransactionTimeoutMs = 60_000;
/** Longer than the periods of most jobs: a new connection costs PostgreSQL more than their statements. */
const idleConnectionMs = 90_000;
/** Checked this often while all connections are in use, because their server may have vanished. */
const checkEveryMs = 2_000;

interface OpenPool {
  pool: pg.Pool;
  servers: Servers;
  close: () => Promise<void>;
}

/** Writes need the primary of several servers; reads can use any replica. */
function openPool(url: string, isReplica: boolean): OpenPool {
  const address = parseAddress(url);
  if (!address) throw new Error("The settings were checked with the same parser");
  const servers = new Servers(
    address,
    !isReplica && (address.needsPrimary || address.servers.length > 1),
  );
  const pool = new pg.Pool({
    ...{ connectionString: address.url, max: config().DATABASE_POOL_MAX },
    idleTimeoutMillis: idleConnectionMs,
    connectionTimeoutMillis: hasLongTimeouts() ? pageConnectTimeoutMs : connectTimeoutMs,
    ...serverTimeouts(),
    // If the server vanishes silently, its own timeout never arrives.
    query_timeout: statementTimeoutMs + 2_000,
    keepAlive: true,
    application_name: "fuxi",
    Client: clientOf(servers),
  });
  pool.on("error", (error) => log.warn({ event: "postgres.lost", error: error.message }));
  const check = () => {
    if (pool.waitingCount > 0) void servers.check();
  };
  const checking = servers.isChoice ? setInterval(check, checkEveryMs).unref() : undefined;
  const close = async () => {
    clearInterval(checking);
    await pool.end();
  };
  return { pool, servers, close };
}

/** A pooler in transaction mode refuses these start parameters. */
function serverTimeouts(): pg.PoolConfig {
  if (isPooled()) return {};
  return {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
  };
}

/** With a pooler, each transaction may use another connection, so session state does not last. */
function isPooled(): boolean {
  return config().DATABASE_POOLER === "transaction";
}
