import { PassThrough, Readable, Writable } from "node:stream";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase } from "../test/database.ts";
import { listTables, writeDump } from "./dump.ts";
import { loadDump, openDump, verifyDump } from "./load.ts";

type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>;

const opened: { database: TestDatabase; client: pg.Client }[] = [];
let dump = "";

async function open(): Promise<pg.Client> {
  const database = await openTestDatabase();
  const client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  opened.push({ database, client });
  return client;
}

/** Rows that a careless format would break: tabs, line ends, the end mark of COPY, NULL next to an empty text. */
async function fill(client: pg.Client): Promise<void> {
  await client.query(`
    INSERT INTO public.app_user (id, email, name)
    SELECT 'user_' || n, n || '@example.com', E'Zoë\\t中文\\n\\\\.\\n' || n FROM generate_series(1, 2000) n;
    INSERT INTO workspace (id, slug, name) VALUES ('ws_dump', 'dump', 'Dump');
    INSERT INTO tag (id, workspace_pk, name, color) SELECT 'tag_dump', pk, 'Dump', 'red' FROM workspace;
    INSERT INTO folder (id, workspace_pk, name) SELECT 'fold_dump', pk, 'Dump' FROM workspace;
    INSERT INTO link (pk, id, workspace_pk, folder_pk, key, url, created_at)
    SELECT 7, gen_random_uuid(), workspace.pk, folder.pk, 'dump', 'https://example.com/', '2025-01-01'
    FROM workspace, folder;
    INSERT INTO link_tag (link_pk, tag_pk) SELECT 7, pk FROM tag;
    INSERT INTO analytics.dead_click (reason, event) VALUES ('', E'\\\\.'), (E'\\r\\n', '\\N');
    CREATE TABLE analytics.click_20261121 PARTITION OF analytics.click
      FOR VALUES FROM ('2026-11-21Z') TO ('2026-11-22Z');
    INSERT INTO analytics.click (at, link_pk, workspace_pk, domain_pk, bot, qr, first_of_link, first_of_workspace, id, ua)
    SELECT '2026-11-21T10:00Z', n, 1, 1, false, true, true, false, gen_random_uuid(), NULLIF('', 'x')
    FROM generate_series(1, 500) n;
    CREATE TABLE analytics.click_block_202610 PARTITION OF analytics.click_block
      FOR VALUES FROM ('2026-10-01Z') TO ('2026-11-01Z');
    INSERT INTO analytics.click_block (workspace_pk, first_at, last_at, clicks, at, link_pk, domain_pk, flags, id, city, city_values)
    SELECT n, '2026-10-02Z', '2026-10-03Z', 2, '{2026-10-02Z,2026-10-03Z}', ARRAY[n, 7], '{1,1}', '{5,8}',
      ARRAY[gen_random_uuid(), gen_random_uuid()], '{1,2}', ARRAY[E'{"Zoë",\t中\n\\.\n', NULL]
    FROM generate_series(1, 50) n;
    SELECT nextval('public.revision') FROM generate_series(1, 41);`);
}

/** Every row of every table and every sequence, as text. */
async function readAll(client: pg.Client): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const { name } of await listTables(client)) {
    const { rows } = await client.query(`SELECT t::text AS row FROM ${name} t ORDER BY 1`);
    all[name] = rows.map(({ row }) => row);
  }
  const sequences = await client.query(
    `SELECT schemaname || '.' || sequencename AS name, last_value
     FROM pg_sequences
     WHERE schemaname IN ('public', 'analytics')
     ORDER BY 1`,
  );
  all["sequences"] = sequences.rows.map(({ name, last_value }) => `${name} ${last_value}`);
  return all;
}

async function dumpOf(client: pg.Client): Promise<string> {
  const stream = new PassThrough();
  const text = Readable.from(stream).toArray();
  await writeDump(client, stream);
  stream.end();
  return Buffer.concat(await text).toString();
}

beforeAll(async () => {
  const client = await open();
  await fill(client);
  dump = await dumpOf(client);
});

afterAll(async () => {
  for (const { database, client } of opened.splice(0)) {
    await client.end();
    await database.drop();
  }
});

/** In parts of an odd size, so that every border is inside a row, a number or an end mark. */
function inPieces(text: string, size: number): Readable {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return Readable.from(pieces);
}

test.each([7, 1021, 1_000_000])(
  "a restored database equals the original, read in pieces of %i bytes",
  async (size) => {
    const original = opened[0]!.client;
    const copy = await open();
    const rows = await loadDump(copy, await openDump(inPieces(dump, size)));
    expect(rows["public.app_user"]).toBe(2000);
    expect(rows["analytics.click_20261121"]).toBe(500);
    expect(await readAll(copy)).toEqual(await readAll(original));
  },
);

test("a whole backup is verified without a database, one that lacks rows or its end is not", async () => {
  const rows = await verifyDump(inPieces(dump, 1021));
  expect(rows).toMatchObject({ "public.app_user": 2000, "analytics.click_20261121": 500 });
  const start = dump.indexOf("user_7\t");
  const fewer = dump.slice(0, start) + dump.slice(dump.indexOf("\n", start) + 1);
  await expect(verifyDump(inPieces(fewer, 1021))).rejects.toThrow("should have 2000 rows");
  const half = dump.slice(0, dump.indexOf("-- fuxi-end"));
  await expect(verifyDump(inPieces(half, 1021))).rejects.toThrow("is incomplete");
});

test("no day of clicks can be dropped while a backup waits to read it", async () => {
  const { client, database } = opened[0]!;
  const other = new pg.Client({ connectionString: database.databaseUrl });
  await other.connect();
  await other.query("SET lock_timeout = 100");
  let refused: unknown;
  const out = new Writable({
    async write(chunk, _encoding, done) {
      if (refused === undefined && String(chunk).startsWith("COPY")) {
        refused = await other.query("DROP TABLE analytics.click_20261121").catch(String);
      }
      done();
    },
  });
  await writeDump(client, out);
  await other.end();
  expect(refused).toMatch("lock timeout");
});

test("a backup that was truncated restores nothing", async () => {
  const copy = await open();
  const half = dump.slice(0, dump.indexOf("-- fuxi-end"));
  await expect(async () =>
    loadDump(copy, await openDump(Readable.from([Buffer.from(half)]))),
  ).rejects.toThrow("is incomplete");
  const { rows } = await copy.query("SELECT count(*)::int AS n FROM public.app_user");
  expect(rows[0].n).toBe(0);
});

test("a backup with a migration that this Fuxi lacks is refused", async () => {
  const copy = await open();
  const newer = dump.replace('"migrations":[', '"migrations":["20990101000000_future",');
  await expect(async () =>
    loadDump(copy, await openDump(Readable.from([Buffer.from(newer)]))),
  ).rejects.toThrow("20990101000000_future");
});

test("a file of something else is refused", async () => {
  const other = Readable.from([Buffer.from("PGDMP whatever\n")]);
  await expect(openDump(other)).rejects.toThrow("not a Fuxi backup");
});
