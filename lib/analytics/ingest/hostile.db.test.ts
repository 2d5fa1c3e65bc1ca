/** Untrusted data of a visit on its way into the tables. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { findDifferences, rollSlots } from "#lib/analytics/rollups";
import { query, sql } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { dayOf, loadDaySecret } from "#lib/platform/visitor-salts";
import { eventEnd, fieldEnd, sealAddresses } from "#lib/redirect/clicks";
import { openTestStores } from "../../../test/stores.ts";
import { drainShard } from "./drain.ts";
import { openIngest } from "./index.ts";

openTestStores();

const stream = redisKeys.clickStream(0);
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

beforeAll(openIngest);

beforeEach(async () => {
  await redis().del(stream);
  await query(sql`TRUNCATE analytics.click, analytics.visitor, analytics.click_group,
    analytics.touched_slot, analytics.link_slot, analytics.value_slot, analytics.dead_click, link_stat`);
});

interface HostileVisit {
  agent?: string;
  referer?: string;
  language?: string;
  query?: string;
  url?: string;
  address?: string;
}

/** The bytes of an event as written by a front: header bytes one to one. */
function bytesOf(sent: HostileVisit): Buffer {
  const { agent = browser, referer = "", language = "", query: words = "", url = "" } = sent;
  const fields = [Date.now(), 1, 1, 1, "", agent, referer, language, words, url];
  return Buffer.from(fields.join(fieldEnd) + eventEnd, "latin1");
}

async function send(events: Buffer[], addresses: string[] = []): Promise<void> {
  const day = dayOf(Date.now());
  const secret = await loadDaySecret(day);
  if (!secret) throw new Error("no secret");
  const sealed = sealAddresses(addresses.join(fieldEnd), secret.key);
  const name = `${randomUUID()}:1`;
  await redis().xadd(
    stream,
    "*",
    "v",
    "1",
    "g",
    name,
    "d",
    day,
    "a",
    sealed,
    "e",
    Buffer.concat(events),
  );
}

async function ingest(): Promise<{ clicks: number; dead: number }> {
  await drainShard(0);
  expect(await redis().xlen(stream)).toBe(0);
  const [row] = await query<{ clicks: number; dead: number }>(sql`
    SELECT
      (SELECT count(*) FROM analytics.click) AS clicks,
      (SELECT count(*) FROM analytics.dead_click) AS dead`);
  return row ?? { clicks: 0, dead: 0 };
}

const nasty = [
  "<script>alert(1)</script>",
  '=HYPERLINK("http://evil.example")',
  "'; DROP TABLE link; --",
  "\\N",
  "\\.",
  "tab\there",
  "\u0000",
  "a\u0000b",
  // The name of an unknown browser is what precedes the slash.
  "a\u0000b/1 (c)",
  "\u00ff\u00fe\u00c3\u0028",
  "\ud800",
  "\u202egnp.exe",
  "x".repeat(65_536),
  "https://a.example/\\\n",
  "http://[::1",
  "https://user:secret@www.b.example:8443/p?q=1#f",
  "javascript:alert(1)",
  "%00%ff%zz",
  "utm_source=%00&utm_medium=%ED%A0%80&utm_campaign=%F0%9F%99%82",
];

test("no visitor input keeps its click, or any other, from being counted", async () => {
  const events = nasty.flatMap((text) => [
    bytesOf({ agent: text }),
    bytesOf({ referer: text }),
    bytesOf({ referer: `https://www.c.example/${text}` }),
    bytesOf({ language: text }),
    bytesOf({ query: text }),
    bytesOf({ query: `utm_source=${text}&utm_term=${encodeURIComponent(text.toWellFormed())}` }),
    bytesOf({ url: `https://d.example/?utm_content=${text}` }),
  ]);
  await send(
    events,
    events.map(() => "not an address"),
  );
  expect(await ingest()).toEqual({ clicks: events.length, dead: 0 });
  expect(await rollSlots(new Date(Date.now() + 900_000))).toBe(1);
  expect(await findDifferences()).toEqual([]);
});

test("any bytes at all in any field are counted", async () => {
  const field = fc
    .uint8Array({ maxLength: 300 })
    .map((bytes) =>
      Buffer.from(bytes).toString("latin1").replaceAll(fieldEnd, "").replaceAll(eventEnd, ""),
    );
  const visits = fc.sample(
    fc.record({ agent: field, referer: field, query: field, url: field }),
    300,
  );
  await send(visits.map((visit) => bytesOf({ ...visit, query: `utm_source=${visit.query}` })));
  expect(await ingest()).toEqual({ clicks: visits.length, dead: 0 });
});

test("a text is cut before a character, not inside it", async () => {
  const long = `${"a".repeat(254)}🙂`;
  await send([bytesOf({ query: `utm_source=${encodeURIComponent(long)}` })]);
  expect(await ingest()).toEqual({ clicks: 1, dead: 0 });
  const [row] = await query<{ source: string }>(
    sql`SELECT utm_source AS source FROM analytics.click`,
  );
  expect(row?.source).toBe(`${"a".repeat(254)}\ufffd`);
});

test("a campaign value is kept whole with 255 characters and cut with one more", async () => {
  await send([255, 256].map((length) => bytesOf({ query: `utm_term=${"x".repeat(length)}` })));
  await ingest();
  const rows = await query<{ term: string }>(sql`SELECT utm_term AS term FROM analytics.click`);
  expect(rows.map(({ term }) => term.length)).toEqual([255, 255]);
});

test("a referrer keeps its host without www, and nothing that may identify a person", async () => {
  await send([bytesOf({ referer: "https://ada:secret@WWW.b.example:8443/p/a?q=1&mail=a@b#f" })]);
  await ingest();
  const rows = await query(sql`SELECT referer, referer_url FROM analytics.click`);
  expect(rows).toEqual([{ referer: "b.example", referer_url: "https://www.b.example:8443/p/a" }]);
});

test("entries of any shape never stop the stream", async () => {
  const day = dayOf(Date.now());
  const id = randomUUID();
  const shapes: (string | Buffer)[][] = [
    ["v", "1"],
    ["v", "2", "g", `${id}:1`, "d", day, "e", ""],
    ["v", "1", "g", "none", "d", day, "e", ""],
    ["v", "1", "g", `${id}:x`, "d", day, "e", ""],
    ["v", "1", "g", `${"-".repeat(36)}:1`, "d", day, "e", ""],
    ["v", "1", "g", `${id}:2`, "d", "2026-99-99", "e", ""],
    ["v", "1", "g", `${id}:3`, "d", "yesterday", "e", ""],
    ["v", "1", "g", `${id}:4`, "d", day, "a", Buffer.from([1, 2, 3]), "e", "no end"],
    ["v", "1", "g", `${id}:5`, "d", day, "e", `1${fieldEnd}2${eventEnd}`],
    ["v", "1", "g", `${id}:6`, "d", day, "e", Buffer.from([0xff, 0x00, 0x1e])],
    ["\u0000", "\u0000"],
  ];
  for (const shape of shapes) await redis().xadd(stream, "*", ...shape);
  await send([bytesOf({})]);
  expect(await ingest()).toEqual({ clicks: 1, dead: shapes.length });
});

test("a deadlock is no fault of a click: the batch is tried again and none becomes a dead letter", async () => {
  await send([bytesOf({}), bytesOf({})]);
  await query(sql`
    CREATE FUNCTION analytics.collide() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'collided' USING ERRCODE = '40P01'; END $$`);
  await query(sql`
    CREATE TRIGGER collide BEFORE INSERT ON analytics.click_group
    FOR EACH STATEMENT EXECUTE FUNCTION analytics.collide()`);
  await expect(drainShard(0)).rejects.toThrow("collided");
  expect(await redis().xlen(stream)).toBe(1);
  await query(sql`DROP FUNCTION analytics.collide() CASCADE`);
  expect(await ingest()).toEqual({ clicks: 2, dead: 0 });
});

test("one click of an invalid workspace, among thousands, becomes the only dead letter", async () => {
  const fields = [Date.now(), 1, 99_999_999_999, 1, "", browser, "", "", "", ""];
  const poison = Buffer.from(fields.join(fieldEnd) + eventEnd);
  const groups = Array.from({ length: 60 }, () => Array.from({ length: 100 }, () => bytesOf({})));
  groups[31]?.splice(50, 0, poison);
  for (const group of groups) await send(group);
  expect(await ingest()).toEqual({ clicks: 6_000, dead: 1 });
});
