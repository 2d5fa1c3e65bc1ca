/** Creates and drops databases of a server. */
import pg from "pg";

/** Runs one statement outside of the database in `url`: one that is copied or dropped must have no connections. */
export async function onServer(
  url: string,
  statement: string,
  values: string[] = [],
): Promise<{ datname: string }[]> {
  return await withClient(
    withDatabase(url, "postgres"),
    async (client) => (await client.query<{ datname: string }>(statement, values)).rows,
  );
}

/** A connection for a piece of work. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // A connection that ends fails its statement, and is an event as well, which would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates the database in `url` unless it exists. */
export async function ensureDatabase(url: string): Promise<void> {
  const name = databaseOf(url);
  const found = await onServer(url, "SELECT datname FROM pg_database WHERE datname = $1", [name]);
  if (found.length === 0) await onServer(url, `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
}

export function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** The same server and account, another database; also for Redis, whose databases are numbers. */
export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
