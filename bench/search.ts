/**
 * Finding links among five million of one workspace: terms, orders, filters, counts. Each value is a median in
 * milliseconds of a function of lib/links, from the scope to the presented page.
 */
import { writeFileSync } from "node:fs";
import { newId } from "#lib/basics/ids";
import { openLinks } from "#lib/links/creating";
import { countLinks, listLinks } from "#lib/links/reading";
import { countLinksQuery, listLinksQuery } from "#lib/links/reading/schema";
import { AppError } from "#lib/platform/errors";
import { closePostgres, query, sql } from "#lib/platform/postgres";
import { closeRedis } from "#lib/platform/redis";
import { makeTestScope } from "../test/scope.ts";
import { machine, median, openStage } from "./stage.ts";

const links = 5_000_000;
const rounds = 5;
const eraLinks = 65_536;
const folderId = newId("fold");

const stage = await openStage();
await openLinks();
const scope = await makeTestScope("bench");
const workspace = scope.workspacePk;
await load();

const deep = { page: 500 };
const queries: Record<string, Record<string, Record<string, unknown>>> = {
  search: {
    "absent, a word": { search: "zebrastripes" },
    "absent, a number": { search: "order=9999999" },
    "refused, two letters": { search: "zq" },
    "1 match, a number": { search: "order=4812345" },
    "1 match, a whole address": {
      search: `https://shop.example.com/products/${4_812_345 % 997}?utm_source=newsletter&order=4812345`,
    },
    "209 matches": { search: "48123" },
    "1,000 matches, two Chinese characters": { search: "春节" },
    "5,000 matches": { search: "products/421?" },
    "5,000 matches, by clicks": { search: "products/421?", sortBy: "clicks" },
    "1,000,000 matches, all of them the oldest": { search: "alpha" },
    "all match: http": { search: "http" },
    "all match: com": { search: "com" },
    "all match, by clicks": { search: "http", sortBy: "clicks" },
  },
  orders: {
    "newest, first page": {},
    "newest, 500th page": deep,
    "oldest, first page": { sortOrder: "asc" },
    "clicks, first page": { sortBy: "clicks" },
    "clicks, 500th page": { sortBy: "clicks", ...deep },
    "last click, first page": { sortBy: "lastClicked" },
    "last click, 500th page": { sortBy: "lastClicked", ...deep },
  },
  filters: {
    "tag of 1,000,000 links": { tagId: "tag_many" },
    "tag of 1,000 links": { tagId: "tag_few" },
    "tag of 1,000 links, by clicks": { tagId: "tag_few", sortBy: "clicks" },
    "folder of 50,000 links": { folderId },
    "tenant of 500 links": { tenantId: "tenant-7" },
    "domain of nearly all links": { domain: "many.example" },
    "domain of the 1,000 oldest links": { domain: "few.example" },
    "absent, an exact url": { url: "https://shop.example.com/nowhere" },
  },
};
const counts: Record<string, Record<string, unknown>> = {
  all: {},
  "with archived": { showArchived: "true" },
  "of a tag of 1,000 links": { tagId: "tag_few" },
  "that have a term, 209": { search: "48123" },
  "by domain": { groupBy: "domain" },
  "by tag": { groupBy: "tagId" },
  "by user": { groupBy: "userId" },
  "by folder": { groupBy: "folderId" },
};

const result: Record<string, unknown> = { machine: machine(), links };
for (const [kind, kindQueries] of Object.entries(queries)) {
  const figures: Record<string, number> = {};
  for (const [name, query] of Object.entries(kindQueries)) {
    const parsed = listLinksQuery.parse(query);
    figures[name] = await measure(`${kind}: ${name}`, async () => {
      if (name.startsWith("refused")) return await refusalOf(listLinks(scope, parsed));
      const { length } = await listLinks(scope, parsed);
      if (length === 0 && !name.startsWith("absent")) throw new Error(`${name} finds nothing`);
      return length;
    });
  }
  result[kind] = figures;
}
const figures: Record<string, number> = {};
for (const [name, query] of Object.entries(counts)) {
  const parsed = countLinksQuery.parse(query);
  figures[name] = await measure(`count: ${name}`, async () =>
    JSON.stringify(await countLinks(scope, parsed)),
  );
}
result["counts"] = figures;
if (process.argv.includes("--keep")) {
  writeFileSync("bench/search.json", `${JSON.stringify(result, null, 2)}\n`);
}
await closeRedis();
await closePostgres();
await stage.close();
process.exit(0);

async function refusalOf(asking: Promise<unknown>): Promise<string> {
  try {
    await asking;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  throw new Error("The term was not refused.");
}

async function measure(name: string, ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  let answer: unknown;
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    answer = await ask();
    times.push(performance.now() - started);
  }
  const ms = Number(median(times).toFixed(1));
  console.log(`${ms.toFixed(1).padStart(9)} ms  ${name}  → ${String(answer).slice(0, 60)}`);
  return ms;
}

/** The rows of regular creates, a slice at a time; the large index is built afterwards. */
async function load(): Promise<void> {
  await query(sql`
    INSERT INTO domain (id, slug, workspace_pk, verified_at)
    VALUES ('dom_many', 'many.example', ${workspace}, now()),
      ('dom_few', 'few.example', ${workspace}, now())`);
  await query(sql`
    INSERT INTO tag (id, workspace_pk, name, color)
    VALUES ('tag_many', ${workspace}, 'Many', 'red'), ('tag_few', ${workspace}, 'Few', 'blue')`);
  await query(sql`
    INSERT INTO folder (id, workspace_pk, name) VALUES (${folderId}, ${workspace}, 'Shelf')`);
  await query({ text: "DROP INDEX link_search_grams", values: [] });
  const slice = 250_000;
  for (let first = 1; first <= links; first += slice) {
    await loadSlice(first, first + slice - 1);
    console.log(`${first + slice - 1} links are there`);
  }
  await query(sql`
    INSERT INTO search_era (pk, workspace_pk, after_id, links)
    SELECT era, ${workspace}, bench_id(era * ${eraLinks}), ${eraLinks}
    FROM generate_series(0, (${links} - 1) / ${eraLinks}) AS era`);
  await indexTexts();
}

async function loadSlice(first: number, last: number): Promise<void> {
  await query({
    text: `
      CREATE OR REPLACE FUNCTION bench_id(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
      $$ SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || substr(md5(n::text), 1, 20))::uuid $$`,
    values: [],
  });
  await query(sql`
    INSERT INTO link (pk, id, workspace_pk, domain_pk, user_pk, folder_pk, tenant_id, archived, key, url)
    SELECT n + 100000000, bench_id(n), ${workspace},
      (SELECT pk FROM domain WHERE slug = CASE WHEN n <= 1000 THEN 'few.example' ELSE 'many.example' END),
      ${scope.userPk},
      CASE WHEN n % 100 = 0 THEN (SELECT pk FROM folder WHERE id = ${folderId}) END,
      CASE WHEN n % 10 = 7 THEN 'tenant-' || n % 10000 END,
      n % 200 = 0,
      substr(md5(n::text), 1, 6),
      'https://shop.example.com/products/' || n % 997 || '?utm_source=newsletter&order=' || n
        || CASE WHEN n <= 1000000 THEN '&utm_campaign=alpha' ELSE '&utm_campaign=beta' END
    FROM generate_series(${first}::bigint, ${last}::bigint) AS n`);
  await query(sql`
    INSERT INTO link_search (link_pk, workspace_pk, era_pk, id, text, grams)
    SELECT pk, workspace_pk, (pk - 100000001) / ${eraLinks}, id,
      key || E'\n' || url || CASE WHEN pk % 5000 = 1 THEN E'\n春节活动' ELSE E'\nsummer sale' END,
      CASE WHEN pk % 5000 = 1 THEN '{春,节,活,动,春节,节活,活动}'::text[] ELSE '{}' END
    FROM link
    WHERE pk BETWEEN ${first + 100_000_000} AND ${last + 100_000_000}`);
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks, last_click_at)
    SELECT n + 100000000, ${workspace}, 1 + floor(-10 * ln(1 - random())),
      now() - random() * interval '300 days'
    FROM generate_series(${first}::bigint, ${last}::bigint) AS n
    WHERE n % 5 < 3`);
  await query(sql`
    INSERT INTO link_tag (link_pk, tag_pk)
    SELECT n + 100000000, tag.pk
    FROM generate_series(${first}::bigint, ${last}::bigint) AS n
    JOIN tag ON (tag.id = 'tag_many' AND n % 5 = 1) OR (tag.id = 'tag_few' AND n % 5000 = 3)`);
}

/** Without the pool, whose statements are limited to half a minute. */
async function indexTexts(): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: stage.databaseUrl });
  await client.connect();
  await client.query("SET maintenance_work_mem = '1GB'");
  await client.query(`
    CREATE INDEX link_search_grams ON link_search
    USING gin (era_pk int4_ops, text gin_trgm_ops, grams array_ops) WITH (fastupdate = off)`);
  console.log("texts are indexed");
  await client.query("VACUUM ANALYZE");
  await client.end();
}
