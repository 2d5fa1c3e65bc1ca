/** Destinations of links, checked with a local Safe Browsing, and the warnings of visitors. */
import { afterAll, beforeEach, expect, test } from "vitest";
import { createLinks } from "#lib/links/creating";
import { deleteLinksWithUndo, editLink, restoreLinks } from "#lib/links/editing";
import { query, sql } from "#lib/platform/postgres";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { startSafeBrowsing } from "../../../test/safe-browsing.ts";
import { openTestStores } from "../../../test/stores.ts";
import { checkDestinations } from "./index.ts";

const service = await startSafeBrowsing();
openTestStores({
  FUXI_REPUTATION: "safe-browsing",
  FUXI_SAFE_BROWSING_KEY: service.key,
  FUXI_SAFE_BROWSING_URL: service.origin,
  FUXI_DESTINATIONS_WARN: "listed.example",
});
afterAll(() => service.close());
const { ask, make, scope } = openTestVisits("reputation");

const phishing = [{ threatType: "SOCIAL_ENGINEERING" }];
const minute = 60_000;
let sites = 0;
let site: string;

/** Each test has a site of its own: the cache of responses outlives a test. */
beforeEach(async () => {
  sites += 1;
  site = `site${sites}.example`;
  Object.assign(service, { status: 200, decoys: false, hanging: false });
  service.cacheDuration = "300s";
  service.requests.length = 0;
  await query(sql`UPDATE reputation_service SET failures = 0, paused_until = NULL`);
  await query(sql`DELETE FROM link_reputation`);
});

interface Row {
  url: string;
  threat: string | null;
  validMs: number | null;
  nextMs: number;
}

async function rowsOf(id: string): Promise<Row[]> {
  return await query<Row>(sql`
    SELECT link_reputation.url, threat,
      (extract(epoch FROM warn_until - checked_at) * 1000)::int AS "validMs",
      (extract(epoch FROM next_check_at - checked_at) * 1000)::int AS "nextMs"
    FROM link_reputation
    JOIN link ON link.pk = link_reputation.link_pk
    WHERE link.id::text = ${uuidOf(id)}
    ORDER BY link_reputation.url`);
}

let ids = new Map<string, string>();
function uuidOf(id: string): string {
  return ids.get(id) ?? "";
}

async function makeLink(body: object): Promise<{ key: string; id: string }> {
  const link = await make(body);
  const rows = await query<{ id: string }>(sql`SELECT id::text FROM link WHERE key = ${link.key}`);
  ids = new Map(ids).set(link.id, rows[0]?.id ?? "");
  return link;
}

/** Waits until the redirect shows what is expected; it follows changes within a second. */
async function shows(key: string, text: string): Promise<void> {
  await expect.poll(async () => (await ask(`/${key}`)).body).toContain(text);
}

async function redirects(key: string): Promise<void> {
  await expect.poll(async () => (await ask(`/${key}`)).status).toBe(302);
}

test("a suspected destination has the warning page with the attribution, and nothing but prefixes was sent", async () => {
  service.listed.set(`${site}/login/`, phishing);
  const { key } = await makeLink({ url: `https://${site}/login/page.html?secret=1` });
  expect((await ask(`/${key}`)).status).toBe(302);
  expect(await checkDestinations()).toBe(1);
  await shows(key, "Suspected harmful website");
  const { body } = await ask(`/${key}`);
  expect(body).toContain("Advisory provided by Google");
  expect(body).toContain('href="https://developers.google.com/safe-browsing/v4/advisory"');
  expect(body).toContain("Continue anyway");
  const chinese = await ask(`/${key}`, { headers: { "Accept-Language": "zh-CN" } });
  expect(chinese.body).toContain("安全建议由 Google 提供");
  const [sent] = service.requests;
  expect([...new Set(sent?.searchParams.keys())]).toEqual(["key", "alt", "hashPrefixes"]);
  expect(sent?.href).not.toContain("site");
});

test("the only destination of a link of an API key is due for a check at once", async () => {
  const url = `https://${site}/only`;
  const ofKey = { ...scope(), apiKeyPk: 1, createdAt: new Date(0) };
  expect(await createLinks(ofKey, [{ url }])).toMatchObject([{ ok: true }]);
  expect(await query(sql`SELECT url, threat FROM link_reputation`)).toEqual([
    { url, threat: null },
  ]);
});

test("the attribution is on no warning of the warning list", async () => {
  const { key } = await makeLink({ url: "https://listed.example/" });
  await checkDestinations();
  const { body } = await ask(`/${key}`);
  expect(body).toContain("This website may be harmful");
  expect(body).not.toContain("Google");
});

test("a destination redirects when only the first bytes of a listed hash are the same", async () => {
  service.decoys = true;
  const { key, id } = await makeLink({ url: `https://${site}/page` });
  expect(await checkDestinations()).toBe(1);
  expect(await rowsOf(id)).toMatchObject([{ threat: null, validMs: null }]);
  await redirects(key);
});

test.each([
  ["an unknown threat", [{ threatType: "SOMETHING_NEW" }]],
  ["an unknown attribute", [{ threatType: "MALWARE", attributes: ["SOMETHING_NEW"] }]],
  ["a canary", [{ threatType: "MALWARE", attributes: ["CANARY"] }]],
  ["a threat in frames only", [{ threatType: "MALWARE", attributes: ["FRAME_ONLY"] }]],
])("%s is no reason to warn", async (_, threats) => {
  service.listed.set(`${site}/`, threats);
  const { id } = await makeLink({ url: `https://${site}/` });
  await checkDestinations();
  expect(await rowsOf(id)).toMatchObject([{ threat: null }]);
});

test("a verdict warns for its cache duration, and for 30 minutes at most", async () => {
  service.listed.set(`${site}/`, phishing);
  const short = await makeLink({ url: `https://${site}/` });
  await checkDestinations();
  expect(await rowsOf(short.id)).toMatchObject([{ validMs: 5 * minute, nextMs: 4 * minute }]);
  service.cacheDuration = "7200s";
  const other = `long-${site}`;
  service.listed.set(`${other}/`, phishing);
  const long = await makeLink({ url: `https://${other}/` });
  await checkDestinations();
  expect(await rowsOf(long.id)).toMatchObject([{ validMs: 30 * minute, nextMs: 24 * minute }]);
});

test("an old verdict does not warn, and a warning ends with its verdict while nothing else happens", async () => {
  service.listed.set(`${site}/`, phishing);
  const { key } = await makeLink({ url: `https://${site}/` });
  const now = new Date();
  await query(
    sql`UPDATE link_reputation SET next_check_at = ${now}::timestamptz - interval '1 hour'`,
  );
  await checkDestinations(new Date(now.getTime() - 5 * minute + 4_000));
  await shows(key, "Suspected");
  await redirects(key);
});

test("a destination that is no longer listed stops warning with the next check", async () => {
  service.listed.set(`${site}/`, phishing);
  const { key, id } = await makeLink({ url: `https://${site}/` });
  await checkDestinations();
  await shows(key, "Suspected");
  service.listed.delete(`${site}/`);
  expect(await checkDestinations(new Date(Date.now() + 4 * minute + 1_000))).toBe(1);
  expect(await rowsOf(id)).toMatchObject([{ threat: null }]);
  await redirects(key);
});

test("every destination of a link is checked, and an edit replaces them", async () => {
  const { id } = await makeLink({
    url: `https://${site}/`,
    expiredUrl: `https://${site}/expired`,
    ios: `https://${site}/ios`,
    geo: { DE: `https://${site}/de` },
    android: "tel:+123",
  });
  const urls = async () => (await rowsOf(id)).map(({ url }) => url.replace(`https://${site}`, ""));
  expect(await urls()).toEqual(["/", "/de", "/expired", "/ios"]);
  await editLink(scope(), id, { geo: null, url: `https://${site}/new` });
  expect(await urls()).toEqual(["/expired", "/ios", "/new"]);
});

test("a deleted link has no destinations, and a restored one has them again", async () => {
  const { id } = await makeLink({ url: `https://${site}/`, key: `gone${sites}` });
  await deleteLinksWithUndo(scope(), [id]);
  expect(await rowsOf(id)).toEqual([]);
  await restoreLinks(scope(), [id]);
  expect(await rowsOf(id)).toHaveLength(1);
});

test("while the service does not answer, links redirect, and the pause doubles up to an hour", async () => {
  service.status = 503;
  service.listed.set(`${site}/`, phishing);
  const { key } = await makeLink({ url: `https://${site}/` });
  const pauseOf = async () => {
    const [row] = await query<{ ms: number }>(sql`
      SELECT (extract(epoch FROM paused_until) * 1000)::float8 AS ms FROM reputation_service`);
    return row?.ms ?? 0;
  };
  let now = Date.now() + minute;
  const pauses: number[] = [];
  for (let tries = 0; tries < 12; tries++) {
    expect(await checkDestinations(new Date(now))).toBe(0);
    pauses.push(Math.round((await pauseOf()) - now));
    const asked = service.requests.length;
    expect(await checkDestinations(new Date(now + 1_000))).toBe(0);
    expect(service.requests).toHaveLength(asked);
    now = (await pauseOf()) + 3 * minute;
  }
  expect(pauses.slice(0, 3)).toEqual([5_000, 10_000, 20_000]);
  expect(pauses.at(-1)).toBe(60 * minute);
  expect((await ask(`/${key}`)).status).toBe(302);
  service.status = 200;
  expect(await checkDestinations(new Date(now))).toBe(1);
  const [state] = await query(sql`SELECT failures, paused_until FROM reputation_service`);
  expect(state).toEqual({ failures: 0, paused_until: null });
});

test.each([
  ["never answers", { hanging: true }],
  ["sends what can’t be read", { cacheDuration: "soon" }],
])(
  "a service that %s pauses the checks",
  async (_, state) => {
    Object.assign(service, state);
    await makeLink({ url: `https://${site}/` });
    expect(await checkDestinations()).toBe(0);
    const [row] = await query(sql`SELECT failures FROM reputation_service`);
    expect(row).toEqual({ failures: 1 });
  },
  15_000,
);

test("a check that runs twice at once, or again, asks once and stores the same", async () => {
  service.listed.set(`${site}/`, phishing);
  const { id } = await makeLink({ url: `https://${site}/` });
  const counts = await Promise.all([checkDestinations(), checkDestinations()]);
  expect(counts.toSorted()).toEqual([0, 1]);
  const before = await rowsOf(id);
  expect(await checkDestinations()).toBe(0);
  expect(await rowsOf(id)).toEqual(before);
  expect(service.requests).toHaveLength(1);
});

test("responses are cached by prefix, also those without a hash", async () => {
  await makeLink({ url: `https://${site}/` });
  await checkDestinations();
  await makeLink({ url: `https://${site}/#other` });
  expect(await checkDestinations()).toBe(1);
  expect(service.requests).toHaveLength(1);
});

test("a clear destination is checked again after its link is visited, and not otherwise", async () => {
  const { id } = await makeLink({ url: `https://${site}/` });
  await checkDestinations();
  const later = new Date(Date.now() + 7 * 60 * minute);
  expect(await checkDestinations(later)).toBe(0);
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks, last_click_at)
    SELECT pk, workspace_pk, 1, ${later} FROM link WHERE id::text = ${uuidOf(id)}`);
  expect(await checkDestinations(new Date(later.getTime() + 25 * 60 * minute))).toBe(1);
});

test("a turned-off link is not checked", async () => {
  await makeLink({ url: `https://${site}/`, disabled: true });
  expect(await checkDestinations()).toBe(0);
  expect(service.requests).toHaveLength(0);
});

test("links from before are checked once people visit them", async () => {
  const { id } = await makeLink({ url: `https://${site}/` });
  await query(sql`DELETE FROM link_reputation`);
  await query(sql`UPDATE reputation_service SET walked_pk = 0, walk_at = now() - interval '1 s'`);
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks, last_click_at)
    SELECT pk, workspace_pk, 1, now() FROM link WHERE id::text = ${uuidOf(id)}`);
  await checkDestinations(new Date(Date.now() + 1_000));
  expect(await rowsOf(id)).toMatchObject([{ url: `https://${site}/`, threat: null }]);
});

test("a batch of links is checked in requests of at most 100 prefixes", async () => {
  const bodies = Array.from({ length: 60 }, (_, at) => ({
    url: `https://${at}.${site}/a/b/${at}`,
  }));
  await createLinks(scope(), bodies);
  expect(await checkDestinations()).toBe(60);
  const sizes = service.requests.map((one) => one.searchParams.getAll("hashPrefixes").length);
  expect(Math.max(...sizes)).toBe(100);
});
