/**
 * Chooses the server of an address, because node-postgres only supports one host. If the address
 * needs the primary, asks all servers whether they are in recovery. When the server fails or becomes
 * a replica, asks all again and closes connections to others: a server that vanished would hold each
 * until a timeout.
 */
import type { Socket } from "node:net";
import pg from "pg";
import { log } from "#lib/platform/log";
import { type PostgresAddress, type Server, urlOfServer } from "#lib/platform/postgres-addresses";

const askTimeoutMs = 2_000;

/** Has a code that counts as an unavailable database. */
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

  get isChoice(): boolean {
    return this.needsPrimary || this.#address.servers.length > 1;
  }

  choose(): Promise<Server> {
    this.#chosen ??= this.#ask().catch((error: unknown) => {
      this.#chosen = undefined;
      throw error;
    });
    return this.#chosen;
  }

  forget(): void {
    this.#chosen = undefined;
  }

  async check(): Promise<void> {
    this.forget();
    await this.choose().catch(() => undefined);
  }

  joined(client: pg.Client, server: Server): void {
    this.#connected.set(client, server);
    client.once("end", () => this.#connected.delete(client));
  }

  /** A server that refuses to write has become a replica for all of its connections. */
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
    client.on("error", () => undefined);
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

function cut(client: pg.Client): void {
  socketOf(client).destroy();
}

/** Sound because node-postgres connects through a socket, which its types omit. */
function socketOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** PostgreSQL sends this when the wait of a commit for a synchronous replica was cancelled. */
const unconfirmed = "SyncRepWaitForLSN";

export function clientOf(servers: Servers): typeof pg.Client {
  return class extends pg.Client {
    constructor(options?: string | pg.ClientConfig) {
      super(options);
      // A server may end a connection while it opens. Without a listener, the error would end the process.
      this.on("error", () => undefined);
      // The commit may be on no replica, so it must not be acknowledged.
      this.on("notice", ({ routine }) => {
        if (routine === unconfirmed) cut(this);
      });
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connecting = this.#connect();
      if (!callback) return connecting;
      // The pool expects no argument on success.
      connecting.then(() => Reflect.apply(callback, undefined, []), callback);
      return undefined;
    }

    async #connect(): Promise<this> {
      if (!servers.isChoice) {
        await super.connect();
        return this;
      }
      const server = await servers.choose();
      // The constructor has read the URL's first server.
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
