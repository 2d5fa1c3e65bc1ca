/**
 * The baselines of creating a link: a node:http server that parses a JSON body and answers with JSON. With `commit`, it
 * first inserts a link into PostgreSQL, with all that wait at that moment in one statement: the cheapest way to
 * answer only what is committed.
 */
import { randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import pg from "pg";
import { raisePriority } from "#lib/platform/processes";

// As the front.
await raisePriority();

interface Waiting {
  pk: number;
  url: string;
  res: ServerResponse;
}

const commits = process.argv.includes("commit");
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 4 });
const atOnce = 2;
const rowsMax = 500;
const waiting: Waiting[] = [];
let writing = 0;
/** Outside of every sequence. */
let made = 50_000_000_000;

createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on("data", (chunk: Buffer) => chunks.push(chunk));
  req.on("end", () => {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const url = String((body as { url?: unknown }).url);
    const pk = ++made;
    if (!commits) return answer(res, pk, url);
    waiting.push({ pk, url, res });
    setImmediate(write);
  });
}).listen(Number(process.env["PORT"]), "127.0.0.1", () => process.send?.("ready"));

function write(): void {
  if (waiting.length === 0 || writing >= atOnce) return;
  const batch = waiting.splice(0, rowsMax);
  writing += 1;
  pool
    .query({
      name: "insert",
      text: `INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url, created_at, updated_at)
        SELECT pk, id, 1, 1, 'b' || pk, url, now(), now()
        FROM unnest($1::bigint[], $2::uuid[], $3::text[]) AS new (pk, id, url)`,
      values: [
        batch.map(({ pk }) => pk),
        batch.map(() => randomUUID()),
        batch.map(({ url }) => url),
      ],
    })
    .then(() => {
      for (const { pk, url, res } of batch) answer(res, pk, url);
    })
    .catch((error: unknown) => {
      console.error(error);
      for (const { res } of batch) res.writeHead(500).end();
    })
    .finally(() => {
      writing -= 1;
      write();
    });
}

function answer(res: ServerResponse, pk: number, url: string): void {
  const text = JSON.stringify({ id: String(pk), key: `k${pk}`, url });
  res.writeHead(201, [
    "Content-Type",
    "application/json",
    "Content-Length",
    String(Buffer.byteLength(text)),
  ]);
  res.end(text);
}

process.on("SIGTERM", () => process.exit(0));
