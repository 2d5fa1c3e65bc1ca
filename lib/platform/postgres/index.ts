/** The pool of this process, statements as values, transactions, and the classification of database errors. */
import pg from "pg";
import { config } from "#lib/platform/config";
import { exposeCounters, log } from "#lib/platform/log";
import { hasLongTimeouts } from "#lib/platform/timeouts";
import { traced, tracesAreOn } from "#lib/platform/traces";

export { copyField, copyRows } from "./copy.ts";
export { SqlValues } from "./values.ts";

/** How long visitors and programs wait for a connection before they get an error. */
const connectTimeoutMs = 3_000;
/** People rather wait than see an error, and a page that is rendered for the first time keeps its process busy. */
const pageConnectTimeoutMs = 15_000;
const statementTimeoutMs = 30_000;
const idleTransactionTimeoutMs = 60_000;
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

/** Anything that runs statements: the pool or one transaction. */
export interface Connection {
  query(statement: Statement): Promise<pg.QueryResult>;
  query<T extends pg.Submittable>(stream: T): T;
}

let opened: pg.Pool | undefined;

/** The pool of this process, opened at first use. Prisma shares it. */
export function pool(): pg.Pool {
  if (opened) return opened;
  const { DATABASE_URL, DATABASE_POOL_MAX } = config();
  opened = new pg.Pool({
    connectionString: DATABASE_URL,
    max: DATABASE_POOL_MAX,
    connectionTimeoutMillis: hasLongTimeouts() ? pageConnectTimeoutMs : connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // The server may vanish silently; then its own statement timeout never arrives.
    query_timeout: statementTimeoutMs + 2_000,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    keepAlive: true,
    application_name: "fuxi",
  });
  opened.on("error", (error) => log.warn({ event: "postgres.lost", error: error.message }));
  return opened;
}

export async function closePostgres(): Promise<void> {
  const closing = opened;
  opened = undefined;
  await closing?.end();
}

/** Creates a statement from a template: every `${value}` becomes a parameter, never text. */
export function sql(parts: TemplateStringsArray, ...values: unknown[]): Statement {
  const text = parts.reduce((before, part, at) => `${before}$${at}${part}`);
  return { text, values };
}

/** Runs a statement. The caller declares the row type, which must match the columns. */
export async function query<Row>(statement: Statement, on: Connection = pool()): Promise<Row[]> {
  return await countStatement(
    statement.text,
    async () => (await on.query(statement)).rows as Row[],
  );
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
  const client = await pool().connect();
  let broken: Error | undefined;
  // Lost between two statements: without a listener the error would end the process.
  const onLost = (error: Error) => {
    broken = error;
  };
  client.on("error", onLost);
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((lost: Error) => {
      broken = lost;
    });
    throw error;
  } finally {
    client.off("error", onLost);
    client.release(broken);
  }
}

/** True when the database refused a value that no column accepts, such as a text with NUL. */
export function isBadValue(error: unknown): boolean {
  return codeOf(error).startsWith("22");
}

/** True when the database refused its input: a value, a constraint, a row too large for an index. */
export function isRejectedInput(error: unknown): boolean {
  return /^(22|23|54)...$/.test(codeOf(error));
}

const prismaCausePath = ["meta", "driverAdapterError", "cause", "originalCode"];

/** The code of PostgreSQL or of the system. Prisma wraps it in one of its own. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const original = prismaCausePath.reduce<unknown>(
    (value, name) => (value instanceof Object ? Reflect.get(value, name) : undefined),
    error,
  );
  if (typeof original === "string") return original;
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** True when the database is unavailable, as opposed to having refused. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // 08 connection, 53 resources, 57 operator intervention (shutdown, crash, cancelled by timeout)
  if (/^(08|53|57)...$/.test(code)) return true;
  // Prisma's codes for: unreachable, timed out, closed by the server, no free connection
  if (/^P(1001|1002|1008|1017|2024)$/.test(code)) return true;
  if (/^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)/.test(code)) return true;
  return (
    /connection|timeout|Cannot use a pool after calling end/i.test(error.message) && code === ""
  );
}

/** Extends the timeouts of a transaction's statements; each of them needs `query_timeout` too. */
export async function extendTimeout(tx: Connection, ms: number): Promise<void> {
  await query(sql`SELECT set_config('statement_timeout', ${String(ms)}, true)`, tx);
}
