/**
 * Which server of an address to connect to. node-postgres knows one host, so Fuxi chooses.
 *
 * An address that needs the primary (several servers, or target_session_attrs) asks all of them at once whether they
 * are in recovery, and remembers the one that is not. It is asked again with each new connection; when it fails or has
 * become a replica, all are asked again, and every connection to another server is closed: a server that vanished
 * without closing them would otherwise hold each for the timeout of a statement.
 *
 * An address without that need uses the first of its servers that accepts connections.
 */
import type { Socket } from "node:net";
import pg from "pg";
import { log } from "#lib/platform/log";
import { type PostgresAddress, type Server, urlOfServer } from "#lib/platform/postgres-addresses";

const askTimeoutMs = 2_000;

/** No server of an address will do. The code makes it count as an unavailable database. */
class NoServer extends Error {
  readonly code = "ECONNREFUSED";
}

export class Servers {
  readonly needsPrimary: boolean;
  readonly #address: PostgresAddress;
  readonly #connected = new Map<pg.Client, Server>();
  #chosen: Promise<Server> | undefined;
  #last: Server | undefined;

  constructor(address: PostgresAddress, needsPrimary: boolean) {
    this.#address = address;
    this.needsPrimary = needsPrimary;
  }

  /** Whether there is a choice at all. */
  get isChoice(): boolean {
    return this.needsPrimary || this.#address.servers.length > 1;
  }

  /** The server to connect to, as last seen. */
  choose(): Promise<Server> {
    this.#chosen ??= this.#ask().catch((error: unknown) => {
      this.#chosen = undefined;
      throw error;
    });
    return this.#chosen;
  }

  /** The next connection asks all servers again. */
  forget(): void {
    this.#chosen = undefined;
  }

  /** Asks all servers now, although connections are open: they may hang. */
  async check(): Promise<void> {
    this.forget();
    await this.choose().catch(() => undefined); // the next connection reports it
  }

  joined(client: pg.Client, server: Server): void {
    this.#connected.set(client, server);
    client.once("end", () => this.#connected.delete(client));
  }

  /** A server refused to write: it is a replica now, and so it is for all of its connections. */
  refused(by: pg.Client): void {
    const server = this.#connected.get(by);
    this.forget();
    for (const [client, other] of this.#connected) {
      if (client !== by && other === server) cut(client);
    }
  }

  async #ask(): Promise<Server> {
    const { servers } = this.#address;
    const asked = servers.map(async (server) => {
      if (await this.#fits(server)) return server;
      throw new NoServer(`${server.host}:${server.port} is a replica`);
    });
    const chosen = await Promise.any(asked).catch((error: AggregateError) => {
      const reasons = error.errors.map((one) => (one instanceof Error ? one.message : String(one)));
      throw new NoServer(`No PostgreSQL server accepts connections: ${reasons.join("; ")}`);
    });
    if (this.#last && this.#last !== chosen) {
      const { host, port } = chosen;
      log.warn({ event: "postgres.moved", server: `${host}:${port}` });
      for (const [client, server] of this.#connected) if (server !== chosen) cut(client);
    }
    this.#last = chosen;
    return chosen;
  }

  async #fits(server: Server): Promise<boolean> {
    const client = new pg.Client({
      connectionString: urlOfServer(this.#address, server),
      connectionTimeoutMillis: askTimeoutMs,
      query_timeout: askTimeoutMs,
    });
    client.on("error", () => undefined); // reported by the call that waits
    try {
      await client.connect();
      return !(this.needsPrimary && (await isReplica(client)));
    } finally {
      client.end().catch(() => undefined);
    }
  }
}

async function isReplica(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ recovery: boolean }>(
    "SELECT pg_is_in_recovery() AS recovery",
  );
  return rows[0]?.recovery !== false;
}

/** Closes a connection at once: what runs on it fails like after a crash. */
function cut(client: pg.Client): void {
  socketOf(client).destroy();
}

/** Sound because node-postgres connects every client through a socket; its types omit it. */
function socketOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** The notice of a commit whose wait for a synchronous replica was cancelled. */
const unconfirmed = "SyncRepWaitForLSN";

/** A client that connects to a server of the address. */
export function clientOf(servers: Servers): typeof pg.Client {
  return class extends pg.Client {
    constructor(options?: string | pg.ClientConfig) {
      super(options);
      // A server may end a connection in the packet that opens it, before anyone who waits for it can listen: without a
      // listener the error would end the process. Whatever runs on the connection fails.
      this.on("error", () => undefined);
      // Committed here but perhaps on no replica: it must not be acknowledged, and counts as a lost connection.
      this.on("notice", ({ routine }) => {
        if (routine === unconfirmed) cut(this);
      });
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connecting = this.#connect();
      if (!callback) return connecting;
      // Without an error the pool expects none.
      connecting.then(() => Reflect.apply(callback, undefined, []), callback);
      return undefined;
    }

    async #connect(): Promise<this> {
      if (!servers.isChoice) {
        await super.connect();
        return this;
      }
      const server = await servers.choose();
      // The constructor has read the first server from the URL.
      Object.assign(this, server);
      try {
        await super.connect();
        servers.joined(this, server);
        if (servers.needsPrimary && (await isReplica(this))) {
          throw new NoServer(`${server.host}:${server.port} has become a replica`);
        }
        return this;
      } catch (error) {
        servers.forget();
        cut(this);
        throw error;
      }
    }
  };
}
