/**
 * The pools of this process, statements as values, transactions, and the classification of database errors.
 *
 * `reading` runs work on a replica: what it queries without naming a connection goes there.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { config } from "#lib/platform/config";
import { isReadOnly } from "#lib/platform/errors";
import { exposeCounters } from "#lib/platform/log";
import { parseAddress, urlOfServer } from "#lib/platform/postgres-addresses";
import { traced, tracesAreOn } from "#lib/platform/traces";
import { isPooled, type OpenPool, openPool } from "./pools.ts";
import { Servers } from "./servers.ts";

export { copyField, copyRows } from "./copy.ts";
export { SqlValues } from "./values.ts";

/** PostgreSQL's type number of int8. All int8 columns stay below 2^53, so they are read as numbers. */
const int8 = 20;
pg.types.setTypeParser(int8, Number);

export interface Statement {
  text: string;
  values: unknown[];
  /** A name makes PostgreSQL cache the plan: for statements that run thousands of times a second. */
  name?: string;
  /** Replaces the pool's own, in milliseconds; the server's is set in the transaction. */
  query_timeout?: number;
}

let opened: OpenPool | undefined;
let openedReplicas: { open: OpenPool[]; pools: pg.Pool[] } | undefined;

function primary(): OpenPool {
  opened ??= openPool(config().DATABASE_URL, false);
  return opened;
}

/** The pool of this process, opened at first use. Prisma shares it. */
export function pool(): pg.Pool {
  return primary().pool;
}

/** One pool per address of DATABASE_READ_URL; the same list until they are closed. */
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

/** The address of the server of a URL that may be written to, for tools that know one host. */
export async function findServerUrl(url: string): Promise<string> {
  const address = parseAddress(url);
  if (!address) return url;
  const servers = new Servers(address, address.needsPrimary || address.servers.length > 1);
  return servers.isChoice ? urlOfServer(address, await servers.choose()) : address.url;
}

const reading = new AsyncLocalStorage<pg.Pool | undefined>();

/**
 * Runs work whose queries go to a replica, also in transactions; undefined: to the primary, although the caller reads
 * from a replica. Only processes with replicas pay for the storage.
 */
export function readOn<T>(replica: pg.Pool | undefined, work: () => Promise<T>): Promise<T> {
  return reading.getStore() === replica ? work() : reading.run(replica, work);
}

function currentPool(): pg.Pool {
  return reading.getStore() ?? pool();
}

/** Creates a statement from a template: every `${value}` becomes a parameter, never text. */
export function sql(parts: TemplateStringsArray, ...values: unknown[]): Statement {
  const text = parts.reduce((before, part, at) => `${before}$${at}${part}`);
  return { text, values };
}

/** A pool, or a connection of it. */
interface Client {
  query(statement: Statement): Promise<pg.QueryResult>;
  query<T extends pg.Submittable>(stream: T): T;
}

/** Where statements run: one transaction, or the pool. The caller declares the row type, which must match the columns. */
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

  /** The first row. */
  async one<Row>(statement: Statement): Promise<Row | undefined> {
    return (await this.query<Row>(statement))[0];
  }

  /** Whether there is a row. */
  async any(statement: Statement): Promise<boolean> {
    return (await this.query(statement)).length > 0;
  }
}

/** The same as the methods of a connection, on the pool unless it is given. */
export async function query<Row>(statement: Statement, on?: Connection): Promise<Row[]> {
  return await query.on(on).query<Row>(statement);
}
/** The given connection, or the pool. */
query.on = (tx?: Connection): Connection => tx ?? new Connection(currentPool());
query.one = <Row>(statement: Statement) => query.on().one<Row>(statement);
query.any = (statement: Statement) => query.on().any(statement);

/** A pooler passes statements to connections that have not prepared them. */
function prepared(statement: Statement): Statement {
  if (statement.name === undefined || !isPooled()) return statement;
  const { name: _, ...rest } = statement;
  return rest;
}

const counters = { select: 0, update: 0, lock: 0, error: 0, lockError: 0 };
exposeCounters("database", "SQL statements by type, and errors.", counters);

/** Of a statement, which has no values. */
const tracedCharsMax = 2_000;

/** Runs a statement, and counts it. */
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

/** Runs work in one transaction: commits what it returns, rolls back what it throws. */
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
    // Its server has become a replica: no transaction of this connection can succeed.
    if (isReadOnly(error)) {
      broken = error;
      opened?.servers.refused(client);
    }
    throw error;
  } finally {
    // One that was lost between two statements is not used again either: the pool looks.
    client.release(broken);
  }
}

/** Extends the timeouts of a transaction's statements; each of them needs `query_timeout` too. */
export async function extendTimeout(tx: Connection, ms: number): Promise<void> {
  await tx.query(sql`SELECT set_config('statement_timeout', ${String(ms)}, true)`);
}
