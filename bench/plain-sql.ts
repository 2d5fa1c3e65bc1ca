/**
 * What PostgreSQL does with the same rows when nothing else is done for them: the baselines of bulk creates, imports and
 * counting. Rows are on pks outside of every sequence.
 */
import { randomUUID } from "node:crypto";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";

/** Each run continues after the one before it. */
let pk = 60_000_000_000;

interface Inserting {
  databaseUrl: string;
  connections: number;
  rowsPerStatement: number;
  /** The destinations of the rows of a statement. */
  urlOf: (row: number) => string;
  /** Ends after so many seconds, or so many rows. */
  seconds?: number;
  rows?: number;
  /** Also their search texts, with the index on them. */
  withSearch?: boolean;
}

/** Rows a second of multi-row INSERT statements over several connections, each committed before the next. */
export async function insertPlainly(inserting: Inserting): Promise<number> {
  const { databaseUrl, connections, rowsPerStatement, seconds = 3_600, rows = 1e12 } = inserting;
  const clients = Array.from(
    { length: connections },
    () => new pg.Client({ connectionString: databaseUrl }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  let inserted = 0;
  let taken = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until && taken < rows) {
        taken += rowsPerStatement;
        await insertRows(client, inserting);
        inserted += rowsPerStatement;
      }
    }),
  );
  const rate = inserted / ((performance.now() - startedAt) / 1_000);
  await Promise.all(clients.map((client) => client.end()));
  return Math.round(rate);
}

async function insertRows(
  client: pg.Client,
  { rowsPerStatement, urlOf, withSearch = false }: Inserting,
): Promise<void> {
  const first = pk;
  pk += rowsPerStatement;
  const pks = Array.from({ length: rowsPerStatement }, (_, at) => first + at);
  const ids = pks.map(() => randomUUID());
  const urls = pks.map(urlOf);
  const link = `
    INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url, title, comments, created_at, updated_at)
    SELECT pk, id, 1, 1, 'p' || pk, url, 'Product ' || pk || ', autumn', 'sent by mail', now(), now()
    FROM unnest($1::bigint[], $2::uuid[], $3::text[]) AS new (pk, id, url)`;
  if (!withSearch) {
    await client.query({ name: "link", text: link, values: [pks, ids, urls] });
    return;
  }
  await client.query("BEGIN");
  await client.query({ name: "link", text: link, values: [pks, ids, urls] });
  await client.query({
    name: "search",
    text: `
      INSERT INTO link_search (link_pk, workspace_pk, era_pk, id, text)
      SELECT pk, 1, 1, id,
        E'p' || pk || E'\\n' || url || E'\\nProduct ' || pk || E', autumn\\nsent by mail'
      FROM unnest($1::bigint[], $2::uuid[], $3::text[]) AS new (pk, id, url)`,
    values: [pks, ids, urls],
  });
  await client.query("COMMIT");
}

/** Rows a second of one COPY of the rows of a table into another of the same shape and indexes. */
export async function copyPlainly(databaseUrl: string, table: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const chunks: Buffer[] = [];
  await pipeline(
    client.query(copyTo(`COPY (SELECT * FROM ${table}) TO STDOUT`)),
    async (source) => {
      for await (const chunk of source) chunks.push(chunk);
    },
  );
  await client.query(`CREATE TABLE bench_copy (LIKE ${table} INCLUDING ALL)`);
  const startedAt = performance.now();
  const into = client.query(copyFrom("COPY bench_copy FROM STDIN"));
  await pipeline(chunks, into);
  const rate = into.rowCount / ((performance.now() - startedAt) / 1_000);
  await client.query("DROP TABLE bench_copy");
  await client.end();
  return Math.round(rate);
}
