/** Destinations of links, checked with a local Web Risk, and the warnings of visitors. */
import { afterAll, beforeEach, expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";
import { startWebRisk } from "../../../test/web-risk.ts";
import { checkDestinations } from "./index.ts";

const service = await startWebRisk();
openTestStores({
  FUXI_REPUTATION: "web-risk",
  FUXI_WEB_RISK_KEY: service.key,
  FUXI_WEB_RISK_URL: service.origin,
  FUXI_DESTINATIONS_WARN: "listed.example",
});
afterAll(() => service.close());
const { ask, make } = openTestVisits("web-risk");

const phishing = ["SOCIAL_ENGINEERING"];
const minute = 60_000;
let sites = 0;
let site: string;

/** Each test has a site of its own: the cache of responses outlives a test. */
beforeEach(async () => {
  sites += 1;
  site = `risky${sites}.example`;
  service.status = 200;
  service.seconds = { match: 300, other: 600 };
  service.requests.length = 0;
  await query(sql`UPDATE reputation_service SET failures = 0, paused_until = NULL`);
  await query(sql`DELETE FROM link_reputation`);
});

async function shows(key: string, text: string): Promise<void> {
  await expect.poll(async () => (await ask(`/${key}`)).body).toContain(text);
}

async function redirects(key: string): Promise<void> {
  await expect.poll(async () => (await ask(`/${key}`)).status).toBe(302);
}

async function rowOf(url: string) {
  const [row] = await query<{ threat: string | null; validMs: number | null }>(sql`
    SELECT threat, (extract(epoch FROM warn_until - checked_at) * 1000)::int AS "validMs"
    FROM link_reputation
    WHERE url = ${url}`);
  return row;
}

test("a suspected destination has the warning page with the advisory of Web Risk, and nothing but prefixes was sent", async () => {
  service.listed.set(`${site}/login/`, phishing);
  const { key } = await make({ url: `https://${site}/login/page.html?secret=1` });
  expect(await checkDestinations()).toBe(1);
  await shows(key, "Suspected harmful website");
  const { body } = await ask(`/${key}`);
  expect(body).toContain("Advisory provided by Google");
  expect(body).toContain('href="https://cloud.google.com/web-risk/docs/advisory"');
  expect(body).not.toContain("safe-browsing");
  // The page, with and without its query, and two folders.
  expect(service.requests).toHaveLength(4);
  for (const { href, searchParams } of service.requests) {
    expect([...new Set(searchParams.keys())]).toEqual(["key", "threatTypes", "hashPrefix"]);
    expect(Buffer.from(searchParams.get("hashPrefix") ?? "", "base64url")).toHaveLength(4);
    expect(href).not.toContain("risky");
  }
});

test("the last five parts of a host are checked, and the whole host", async () => {
  service.listed.set("co.uk/", phishing);
  service.listed.set(`d.e.f.${site}/`, phishing);
  const deep = `https://a.b.c.d.e.f.${site}/`;
  await make({ url: deep });
  await make({ url: `https://${site}.co.uk/` });
  await checkDestinations();
  expect(await rowOf(deep)).toMatchObject({ threat: "social_engineering" });
  expect(await rowOf(`https://${site}.co.uk/`)).toMatchObject({ threat: "social_engineering" });
});

test("the attribution is on no warning of the warning list", async () => {
  const { key } = await make({ url: "https://listed.example/" });
  await checkDestinations();
  const { body } = await ask(`/${key}`);
  expect(body).toContain("This website may be harmful");
  expect(body).not.toContain("Google");
});

test("an unknown threat type is no reason to warn", async () => {
  service.listed.set(`${site}/`, ["SOMETHING_NEW"]);
  await make({ url: `https://${site}/` });
  await checkDestinations();
  expect(await rowOf(`https://${site}/`)).toEqual({ threat: null, validMs: null });
});

test("a verdict warns until its end, and for 30 minutes at most", async () => {
  service.listed.set(`${site}/`, phishing);
  await make({ url: `https://${site}/` });
  await checkDestinations();
  const short = (await rowOf(`https://${site}/`))?.validMs ?? 0;
  expect(Math.abs(short - 5 * minute)).toBeLessThan(minute);
  service.seconds = { match: 7_200, other: 7_200 };
  service.listed.set(`long-${site}/`, phishing);
  await make({ url: `https://long-${site}/` });
  await checkDestinations();
  expect((await rowOf(`https://long-${site}/`))?.validMs).toBe(30 * minute);
});

test("a destination that is no longer listed stops warning with the next check", async () => {
  service.listed.set(`${site}/`, phishing);
  const { key } = await make({ url: `https://${site}/` });
  await checkDestinations();
  await shows(key, "Suspected");
  service.listed.delete(`${site}/`);
  expect(await checkDestinations(new Date(Date.now() + 5 * minute))).toBe(1);
  await redirects(key);
});

test("responses are cached, also those without a threat", async () => {
  await make({ url: `https://${site}/` });
  await checkDestinations();
  const asked = service.requests.length;
  await make({ url: `https://${site}/#other` });
  expect(await checkDestinations()).toBe(1);
  expect(service.requests).toHaveLength(asked);
});

test("while the service does not answer, links redirect and the checks pause", async () => {
  service.status = 503;
  service.listed.set(`${site}/`, phishing);
  const { key } = await make({ url: `https://${site}/` });
  expect(await checkDestinations()).toBe(0);
  expect((await ask(`/${key}`)).status).toBe(302);
  const [row] = await query(sql`SELECT failures FROM reputation_service`);
  expect(row).toEqual({ failures: 1 });
});

test("a check that runs twice at once, or again, stores the same", async () => {
  service.listed.set(`${site}/`, phishing);
  await make({ url: `https://${site}/` });
  const counts = await Promise.all([checkDestinations(), checkDestinations()]);
  expect(counts.toSorted()).toEqual([0, 1]);
  const before = await rowOf(`https://${site}/`);
  expect(await checkDestinations()).toBe(0);
  expect(await rowOf(`https://${site}/`)).toEqual(before);
});

test("a verdict keeps the attribution of the service that gave it", async () => {
  const url = `https://${site}/`;
  service.listed.set(`${site}/`, phishing);
  const { key } = await make({ url });
  await checkDestinations();
  await shows(key, "cloud.google.com/web-risk/docs/advisory");
  await query(sql`UPDATE link_reputation SET service = 'safe-browsing' WHERE url = ${url}`);
  service.listed.set(`next-${site}/`, phishing);
  await make({ url: `https://next-${site}/` });
  // The change of warnings makes visits load them again.
  await checkDestinations();
  await shows(key, "developers.google.com/safe-browsing/v4/advisory");
});

test.each([
  ["SOCIAL_ENGINEERING", "https://www.antiphishing.org/", "is suspected of"],
  ["MALWARE", "https://developers.google.com/search/docs/monitor-debug/security/malware", "may"],
  [
    "UNWANTED_SOFTWARE",
    "https://www.google.com/about/company/unwanted-software-policy.html",
    "may",
  ],
])(
  "the warning about %s has words of possibility and the page that the terms name",
  async (threat, more, word) => {
    service.listed.set(`${site}/`, [threat]);
    const { key } = await make({ url: `https://${site}/` });
    await checkDestinations();
    await shows(key, `href="${more}"`);
    expect((await ask(`/${key}`)).body).toContain(word);
  },
);
