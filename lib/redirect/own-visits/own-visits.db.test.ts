/** Visits that a workspace does not count: of browsers with the cookie of a domain, and of its networks. */
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { newId } from "#lib/basics/ids";
import { createLinks } from "#lib/links/creating";
import { query, sql } from "#lib/platform/postgres";
import { redis, redisKeys } from "#lib/platform/redis";
import { fieldEnd } from "#lib/redirect/clicks";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { linkSeconds, ownVisitsPath, ownVisitsUrl } from "./index.ts";

openTestStores({ FUXI_DOMAINS_TRUSTED: "yes", FUXI_TRUSTED_PROXIES: "127.0.0.1" });
const { ask, scope } = openTestVisits("own-visits");

const host = "go.own.example";
const url = "https://example.com/there";
let domainPk = 0;
let key = "";

async function addDomain(workspacePk: number, slug: string): Promise<number> {
  const [domain] = await query<{ pk: number }>(sql`
    INSERT INTO domain (id, workspace_pk, slug, verified_at)
    VALUES (${newId("dom")}, ${workspacePk}, ${slug}, now())
    RETURNING pk`);
  return domain?.pk ?? 0;
}

async function makeOn(slug: string, more: object = {}): Promise<string> {
  const [made] = await createLinks(scope(), [{ url, domain: slug, ...more }]);
  if (!made?.ok) throw new Error(made?.message);
  return made.link.key;
}

beforeAll(async () => {
  domainPk = await addDomain(scope().workspacePk, host);
  key = await makeOn(host);
});

beforeEach(async () => {
  await redis().del(redisKeys.clickStream(0));
});

const here = () => ({ workspacePk: scope().workspacePk, domainPk });

/** Path and query of the page, as the dashboard links to it. */
function pageOf(domain = here(), now = Date.now()): string {
  const { pathname, search } = new URL(ownVisitsUrl(host, domain, now));
  return pathname + search;
}

/** The cookie that the button of the page sets. */
async function exclude(): Promise<string> {
  const answer = await ask(pageOf(), { method: "POST", form: "", headers: { host } });
  expect(answer.status).toBe(303);
  return String(answer.headers["set-cookie"]).split(";")[0] ?? "";
}

async function flagsOfNext(cookie: string, slug = host, name = key): Promise<string> {
  await redis().del(redisKeys.clickStream(0));
  expect((await ask(`/${name}`, { headers: { host: slug, cookie } })).status).toBe(302);
  const [entry] = await redis().xrange(redisKeys.clickStream(0), "-", "+");
  return entry?.[1].at(-1)?.split(fieldEnd)[4] ?? "missing";
}

test("a member’s browser chooses on a page of the domain, which a GET does not change", async () => {
  const page = await ask(pageOf(), { headers: { host } });
  expect([page.status, page.headers["set-cookie"]]).toEqual([200, undefined]);
  expect(page.body).toContain("Your visits are counted");
  expect(page.body).toContain(host);
  const cookie = await exclude();
  const after = await ask(pageOf(), { headers: { host, cookie } });
  expect(after.body).toContain("Your visits aren’t counted");
  const back = await ask(ownVisitsPath, { method: "POST", form: "", headers: { host, cookie } });
  expect(String(back.headers["set-cookie"])).toMatch(/^fuxi_own=; Path=\/; Max-Age=0; HttpOnly/);
  const chinese = await ask(pageOf(), { headers: { host, "accept-language": "zh-CN" } });
  expect(chinese.body).toContain("你的访问会计入点击");
});

test("only a fresh link of this domain and workspace opens the page", async () => {
  const other = await makeTestScope("own-visits-other");
  const paths = [
    ownVisitsPath,
    `${ownVisitsPath}?t=x.y`,
    pageOf({ ...here(), domainPk: domainPk + 1 }),
    pageOf({ ...here(), workspacePk: other.workspacePk }),
    pageOf(here(), Date.now() - linkSeconds * 1_000),
  ];
  for (const path of paths) {
    expect((await ask(path, { headers: { host } })).status).toBe(404);
    expect((await ask(path, { method: "POST", form: "", headers: { host } })).status).toBe(404);
  }
  expect((await ask(pageOf(), { headers: { host: "localhost" } })).status).not.toBe(200);
});

test("visits with the cookie are marked, on this domain of this workspace only", async () => {
  const cookie = await exclude();
  await addDomain(scope().workspacePk, "go.other-own.example");
  const elsewhere = await makeOn("go.other-own.example");
  expect(await flagsOfNext(cookie)).toBe("w");
  expect(await flagsOfNext(`a=b; ${cookie}; c=d`)).toBe("w");
  expect(await flagsOfNext("")).toBe("");
  expect(await flagsOfNext(`${cookie}x`)).toBe("");
  expect(await flagsOfNext(cookie, "go.other-own.example", elsewhere)).toBe("");
});

test("own visits do not use up a click limit, and see when it is used up", async () => {
  const limited = await makeOn(host, { maxClicks: 1 });
  const cookie = await exclude();
  await query(sql`
    UPDATE workspace SET own_networks = '{198.51.100.0/24}' WHERE pk = ${scope().workspacePk}`);
  const visit = async (headers: Record<string, string>) =>
    (await ask(`/${limited}`, { headers: { host, ...headers } })).status;
  const network = { "x-forwarded-for": "198.51.100.7" };
  for (let n = 0; n < 3; n++) {
    expect([await visit({ cookie }), await visit(network)]).toEqual([302, 302]);
  }
  await vi.waitFor(async () => expect(await usedOf(limited)).toBe(null));
  const stranger = { "x-forwarded-for": "203.0.113.7" };
  expect(await visit(stranger)).toBe(302);
  expect([await visit({ cookie }), await visit(network), await visit(stranger)]).toEqual([
    410, 410, 410,
  ]);
});

async function usedOf(name: string): Promise<number | null> {
  const [row] = await query<{ used: number }>(sql`
    SELECT used FROM link_allowance JOIN link ON link.pk = link_pk WHERE key = ${name}`);
  return row?.used ?? null;
}
