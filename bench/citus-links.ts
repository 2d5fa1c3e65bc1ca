/**
 * How links could be spread over a Citus cluster, before they are: the table on the coordinator as today, distributed by its
 * primary key, and by a bucket of 1,024 neighbouring primary keys, which ranges of new links fill one after the other; the
 * first two also with the keys of a block in the order of their hashes. In turns: inserts of the group of a single create
 * and of a bulk create, reads of one link, a page of the list of links.
 * BENCH_CITUS_URL is a database of the coordinator that lists the workers.
 */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { orderOfBlock } from "#lib/links/distribution";
import { withClient } from "../scripts/databases.ts";
import { reportResult } from "./results.ts";
import { machine, median } from "./stage.ts";

const given = process.env["BENCH_CITUS_URL"];
if (!given) throw new Error("Set BENCH_CITUS_URL to a database of a Citus coordinator.");
const url = given;

const rounds = 3;
const seconds = 3;
const writers = 4;
const readers = 8;
const bucketBits = 10;
const blockPks = 65_536;
const groupRows = 64;
const bulkRows = 1_000;
const pages = 30;
const pageRows = 50;

interface Form {
  table: string;
  /** What distributes it; undefined: nothing. */
  column?: "bucket" | "pk";
  /** Keys of a block are issued in the order of their hashes. */
  inOrder?: boolean;
}

const forms: Form[] = [
  { table: "link_forms.coordinator" },
  { table: "link_forms.coordinator_in_order", inOrder: true },
  { table: "link_forms.by_pk", column: "pk" },
  { table: "link_forms.by_pk_in_order", column: "pk", inOrder: true },
  { table: "link_forms.by_bucket", column: "bucket" },
];

type Figures = Record<"groupRows" | "bulkRows" | "reads" | "pageMs", number>;

await withClient(url, createForms);
const taken = new Map<string, Figures[]>();
const nextPk = new Map<string, number>();
const orders = new Map<number, number[]>();
for (let round = -1; round < rounds; round++) {
  for (const form of forms) {
    const figures = await measure(form);
    console.log(form.table, figures);
    // The first round of each is a warm-up.
    if (round >= 0) taken.set(form.table, [...(taken.get(form.table) ?? []), figures]);
  }
}
await withClient(url, (client) => client.query("DROP SCHEMA link_forms CASCADE"));
const against = (form: string, name: keyof Figures) =>
  Number((medianOf(form, name) / medianOf("coordinator", name)).toFixed(2));
const ratios = Object.fromEntries(
  ["coordinator_in_order", "by_pk", "by_pk_in_order", "by_bucket"].flatMap((form) =>
    (["groupRows", "bulkRows", "reads", "pageMs"] as const).map((name) => [
      `${form}: ${name}`,
      against(form, name),
    ]),
  ),
);
reportResult(
  "citus-links",
  { machine: machine(), rounds, ratios, taken: Object.fromEntries(taken) },
  ratios,
);
process.exit(0);

async function createForms(client: pg.Client): Promise<void> {
  await client.query("DROP SCHEMA IF EXISTS link_forms CASCADE");
  await client.query("CREATE SCHEMA link_forms");
  for (const { table, column } of forms) {
    await client.query(`
      CREATE TABLE ${table} (
        pk bigint NOT NULL, bucket int NOT NULL, id uuid, workspace_pk int, domain_pk int, key text, url text,
        created_at timestamptz, PRIMARY KEY (${column === "bucket" ? "bucket, " : ""}pk)
      )`);
    await client.query(`CREATE INDEX ON ${table} (workspace_pk, id DESC)`);
    await client.query(`CREATE INDEX ON ${table} (hashtext(url))`);
    if (column) {
      await client.query("SELECT create_distributed_table($1, $2, colocate_with => 'none')", [
        table,
        column,
      ]);
    }
  }
}

async function measure(form: Form): Promise<Figures> {
  const rowsPerSecond = async (rows: number) =>
    rows * (await repeat(writers, (client) => insert(client, form, rows)));
  return {
    groupRows: Math.round(await rowsPerSecond(groupRows)),
    bulkRows: Math.round(await rowsPerSecond(bulkRows)),
    reads: Math.round(await repeat(readers, (client) => read(client, form))),
    pageMs: await measurePages(form),
  };
}

/** How often a second these many connections do it. */
async function repeat(
  connections: number,
  work: (client: pg.Client) => Promise<void>,
): Promise<number> {
  let done = 0;
  const until = performance.now() + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, () =>
      withClient(url, async (client) => {
        while (performance.now() < until) {
          await work(client);
          done += 1;
        }
      }),
    ),
  );
  return done / seconds;
}

/** A range of one bucket, or of two for more rows than one has left. */
async function insert(client: pg.Client, form: Form, rows: number): Promise<void> {
  const { table, column } = form;
  const first = nextPk.get(table) ?? 0;
  nextPk.set(table, first + rows);
  const pks = Array.from({ length: rows }, (_, at) => pkAt(form, first + at));
  const { rowCount } = await client.query({
    name: `insert-${table}`,
    text: `
      INSERT INTO ${table} (pk, bucket, id, workspace_pk, domain_pk, key, url, created_at)
      SELECT pk, (pk >> ${bucketBits})::int, id, 1, 1, key, url, now()
      FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[]) AS new (pk, id, key, url)
      ON CONFLICT (${column === "bucket" ? "bucket, " : ""}pk) DO NOTHING
      RETURNING pk`,
    values: [
      pks,
      pks.map(() => randomUUID()),
      pks.map((pk) => pk.toString(36)),
      pks.map((pk) => `https://shop.example.com/orders/${pk}?utm_source=sms`),
    ],
  });
  if (rowCount !== rows) throw new Error(`${rowCount} of ${rows} rows were inserted`);
}

function pkAt({ inOrder }: Form, position: number): number {
  if (!inOrder) return position;
  const block = Math.floor(position / blockPks);
  const order = orders.get(block) ?? orderOfBlock(block * blockPks, blockPks);
  orders.set(block, order);
  return order[position % blockPks] ?? position;
}

async function read(client: pg.Client, form: Form): Promise<void> {
  const { table, column } = form;
  const pk = pkAt(form, Math.floor(Math.random() * (nextPk.get(table) ?? 0)));
  const { rowCount } = await client.query({
    name: `read-${table}`,
    text: `SELECT url FROM ${table} WHERE pk = $1 ${column === "bucket" ? "AND bucket = $2" : "AND $2::int IS NOT NULL"}`,
    values: [pk, pk >> bucketBits],
  });
  if (rowCount !== 1) throw new Error(`Link ${pk} was not found`);
}

async function measurePages({ table }: Form): Promise<number> {
  const times: number[] = [];
  await withClient(url, async (client) => {
    for (let at = 0; at < pages; at++) {
      const from = performance.now();
      await client.query(
        `SELECT * FROM ${table} WHERE workspace_pk = 1 ORDER BY id DESC LIMIT ${pageRows}`,
      );
      times.push(performance.now() - from);
    }
  });
  return Number(median(times).toFixed(2));
}

function medianOf(form: string, name: keyof Figures): number {
  return median((taken.get(`link_forms.${form}`) ?? []).map((figures) => figures[name]));
}
