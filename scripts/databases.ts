/** Databases of one server as things to make and remove. */
import pg from "pg";

/** Runs one statement beside the database that `url` names: nobody may be connected to one that is copied or dropped. */
export async function onServer(
  url: string,
  statement: string,
  values: string[] = [],
): Promise<{ datname: string }[]> {
  const client = new pg.Client({ connectionString: withDatabase(url, "postgres") });
  await client.connect();
  try {
    return (await client.query<{ datname: string }>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** Makes the database that `url` names unless it exists. */
export async function ensureDatabase(url: string): Promise<void> {
  const name = databaseOf(url);
  const found = await onServer(url, "SELECT datname FROM pg_database WHERE datname = $1", [name]);
  if (found.length === 0) await onServer(url, `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
}

export function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** The same server and account, another database; of Redis too, whose databases are numbers. */
export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
