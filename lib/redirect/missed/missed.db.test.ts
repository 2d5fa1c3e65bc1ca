import { beforeEach, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { createLinks } from "#lib/links/creating";
import { query, sql, transaction } from "#lib/platform/postgres";
import { dayOf } from "#lib/platform/visitor-salts";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { flushMisses, noteMiss } from "./index.ts";
import { addDay, firstKeysMax, furtherKeysMax, toldVisits } from "./store.ts";

openTestStores({ FUXI_DOMAINS_TRUSTED: "yes" });
const { ask, scope } = openTestVisits("missed");

const host = "go.missed.example";
const now = Date.now();
const day = dayOf(now);
let domainPk = 0;

beforeEach(async () => {
  await flushMisses();
  await query(sql`DELETE FROM webhook_outbox`);
  await query(sql`DELETE FROM missed_day`);
  const { workspacePk } = scope();
  const [domain] = await query<{ pk: number }>(sql`
    INSERT INTO domain (id, workspace_pk, slug, verified_at)
    VALUES (${newId("dom")}, ${workspacePk}, ${host}, now())
    ON CONFLICT (workspace_pk, slug) DO UPDATE SET verified_at = now()
    RETURNING pk`);
  domainPk = domain?.pk ?? 0;
});

const here = () => ({ domainPk, workspacePk: scope().workspacePk });
const visit = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  ask(path, { method, headers: { host, ...headers } });

async function readLinks() {
  await flushMisses();
  const rows = await query<{ key: string; visits: number; error: number | null }>(sql`
    SELECT key, visits, error FROM missed_link WHERE domain_pk = ${domainPk} ORDER BY key`);
  return rows;
}

async function readDay() {
  await flushMisses();
  return await query.one<{ visits: number; others: number; bots: number; keys: number }>(sql`
    SELECT visits, others, bots, keys FROM missed_day WHERE domain_pk = ${domainPk}`);
}

/** A second process has its own memory, and writes the same way. */
const dayWith = (keys: Iterable<[string, number]>) => ({
  ...here(),
  day,
  bots: 0,
  others: 0,
  keys: new Map(keys),
  at: now,
});

const many = (count: number, prefix: string): [string, number][] =>
  Array.from({ length: count }, (_, n) => [`${prefix}${n}`, 1]);

test("visits of slugs without a link are counted by slug, also if the domain sends them elsewhere", async () => {
  for (const path of ["/sumer?utm_source=x", "/sumer/", "/caf%C3%A9"]) {
    expect((await visit(path)).status).toBe(404);
  }
  expect(await readLinks()).toEqual([
    { key: "café", visits: 1, error: null },
    { key: "sumer", visits: 2, error: null },
  ]);
  expect(await readDay()).toEqual({ visits: 3, others: 0, bots: 0, keys: 2 });
});

test("the root, other methods and links that exist are no misses", async () => {
  const [made] = await createLinks(scope(), [
    { url: "https://example.com/", domain: host, key: "real", expiresAt: "2020-01-01T00:00:00Z" },
  ]);
  expect(made?.ok).toBe(true);
  await visit("/");
  await visit("/real");
  await visit("/none", {}, "HEAD");
  await visit("/none", {}, "POST");
  expect(await readDay()).toBeUndefined();
});

test("nothing is noted on hosts that workspaces share", async () => {
  await ask("/someone-elses-typo");
  await flushMisses();
  expect(await query(sql`SELECT 1 FROM missed_day`)).toEqual([]);
});

test("slugs that may be personal data, and long ones, are counted without being stored", async () => {
  const paths = ["/ada@example.com", "/13800138000", "/a%0Ab", "/%zz", `/${"x".repeat(65)}`];
  for (const path of paths) await visit(path);
  await visit(`/${"x".repeat(64)}`);
  await visit("/123456");
  expect((await readLinks()).map(({ key }) => key)).toEqual(["123456", "x".repeat(64)]);
  expect(await readDay()).toEqual({ visits: 7, others: 5, bots: 0, keys: 2 });
});

test("bots, prefetches and scanners are counted apart, without slugs", async () => {
  await visit("/none", { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
  await visit("/none", { "sec-purpose": "prefetch" });
  for (const path of ["/wp-login.php", "/.env", "/.git/config", "/a/b.php", "/cgi-bin/x"]) {
    await visit(path);
  }
  expect(await readLinks()).toEqual([]);
  expect(await readDay()).toEqual({ visits: 0, others: 0, bots: 7, keys: 0 });
});

test("the first slugs of a day are exact; further ones share rows, of which there are never more", async () => {
  await addDay(dayWith(many(firstKeysMax, "first")));
  await addDay(dayWith([["first0", 4], ...many(1, "further")]));
  expect(await readDay()).toMatchObject({ keys: firstKeysMax });
  const two = await query(sql`SELECT key, visits, error FROM missed_link WHERE error IS NOT NULL`);
  expect(two).toEqual([{ key: "further0", visits: 1, error: 0 }]);
  await addDay(dayWith([["further0", 8], ...many(furtherKeysMax + 50, "more")]));
  const rows = await readLinks();
  expect(rows).toHaveLength(firstKeysMax + furtherKeysMax);
  expect(rows.find(({ key }) => key === "first0")).toEqual({
    key: "first0",
    visits: 5,
    error: null,
  });
  expect(rows.find(({ key }) => key === "further0")).toMatchObject({ visits: 9, error: 0 });
  expect(rows.filter(({ error }) => error === 1)).toHaveLength(51);
  expect((await readDay())?.visits).toBe(firstKeysMax + 5 + 8 + furtherKeysMax + 50);
});

test("two fronts that write at once lose nothing and do not exceed the rows", async () => {
  const writes = Array.from({ length: 6 }, (_, front) =>
    addDay(dayWith([["same", 2], ...many(300, `f${front % 3}-`)])),
  );
  await Promise.all(writes);
  const rows = await readLinks();
  expect(rows.find(({ key }) => key === "same")).toMatchObject({ visits: 12 });
  expect(rows).toHaveLength(901);
  expect(rows.reduce((sum, { visits }) => sum + visits, 0)).toBe(12 + 1_800);
  expect(await readDay()).toMatchObject({ visits: 12 + 1_800, keys: 901 });
});

test("a flush whose connection is killed writes nothing, and its visits are in the next one", async () => {
  await addDay(dayWith([["a", 1]]));
  noteMiss({ ...here(), key: "a", isBot: false }, now);
  noteMiss({ ...here(), key: "b", isBot: true }, now);
  await transaction(async (tx) => {
    await tx.query(sql`SELECT 1 FROM missed_day FOR UPDATE`);
    const flushed = flushMisses();
    await expect
      .poll(
        () =>
          query(sql`
            SELECT pg_terminate_backend(pid)
            FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO missed_day%'
              AND datname = current_database()`),
        { timeout: 10_000 },
      )
      .toHaveLength(1);
    await flushed;
  });
  expect(await readLinks()).toEqual([{ key: "a", visits: 2, error: null }]);
  expect(await readDay()).toEqual({ visits: 2, others: 0, bots: 1, keys: 1 });
});

test("misses of a domain that was deleted or transferred meanwhile are dropped", async () => {
  const eve = await makeTestScope("eve");
  await addDay({ ...dayWith([["a", 1]]), workspacePk: eve.workspacePk });
  await addDay({ ...dayWith([["a", 1]]), domainPk: 999_999 });
  expect(await query(sql`SELECT 1 FROM missed_day`)).toEqual([]);
});

test("webhooks that want it are told once a day when a slug has enough visits", async () => {
  const { workspacePk } = scope();
  const told = () =>
    query<{ events: { type: string; data: object }[] }>(sql`SELECT events FROM webhook_outbox`);
  await addDay(dayWith([["unheard", toldVisits]]));
  expect(await told()).toEqual([]);
  await query(sql`
    INSERT INTO webhook (
      id, workspace_pk, name, url, format, events, domains, folder_ids, tag_ids, chosen_links,
      ordered, sealed)
    VALUES ('wh_missed', ${workspacePk}, 'W', '', 'dub', '{link.missed}', '{}', '{}', '{}', false,
      false, '')`);
  await addDay(dayWith([["poster", toldVisits - 1]]));
  expect(await told()).toEqual([]);
  await addDay(dayWith([["poster", 1]]));
  await addDay(dayWith([["poster", 20]]));
  const rows = await told();
  const data = { domain: host, key: "poster", day, visits: toldVisits };
  expect(rows.flatMap(({ events }) => events)).toMatchObject([{ type: "link.missed", data }]);
});
