import pg from "pg";

/** Runs on another database than `url`, because a database with connections can’t be copied or dropped. */
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

export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // A lost connection already fails the statement, but an unhandled error event would also end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function ensureDatabase(url: string): Promise<void> {
  const name = databaseOf(url);
  const found = await onServer(url, "SELECT datname FROM pg_database WHERE datname = $1", [name]);
  if (found.length === 0) await onServer(url, `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
}

export function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** The URL of another database on the same server. Also for Redis, whose databases are numbers. */
export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
