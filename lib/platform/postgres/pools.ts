/** The pools of this process: one for the primary, and one for each replica. */
import pg from "pg";
import { hasLongTimeouts } from "#lib/basics/bounds";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { parseAddress } from "#lib/platform/postgres-addresses";
import { clientOf, Servers } from "./servers.ts";

/** How long visitors and programs wait for a connection before they get an error. */
const connectTimeoutMs = 3_000;
/** People rather wait than see an error, and a page that is rendered for the first time keeps its process busy. */
const pageConnectTimeoutMs = 15_000;
const statementTimeoutMs = 30_000;
const idleTransactionTimeoutMs = 60_000;
/** While all connections are in use, their server may have vanished. */
const checkEveryMs = 2_000;

/** A pool, and the servers that its connections go to. */
export interface OpenPool {
  pool: pg.Pool;
  servers: Servers;
  close: () => Promise<void>;
}

/** Several servers may be written to only through their primary; of replicas any will do. */
export function openPool(url: string, isReplica: boolean): OpenPool {
  const address = parseAddress(url);
  if (!address) throw new Error("The settings were checked with the same parser");
  const servers = new Servers(
    address,
    !isReplica && (address.needsPrimary || address.servers.length > 1),
  );
  const pool = new pg.Pool({
    ...{ connectionString: address.url, max: config().DATABASE_POOL_MAX },
    connectionTimeoutMillis: hasLongTimeouts() ? pageConnectTimeoutMs : connectTimeoutMs,
    ...serverTimeouts(),
    // The server may vanish silently; then its own statement timeout never arrives.
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

/** Parameters of the start of a connection, which a pooler in transaction mode refuses. */
function serverTimeouts(): pg.PoolConfig {
  if (isPooled()) return {};
  return {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
  };
}

/** Whether a connection may be another one in the next transaction: nothing of a session lasts. */
export function isPooled(): boolean {
  return config().DATABASE_POOLER === "transaction";
}
