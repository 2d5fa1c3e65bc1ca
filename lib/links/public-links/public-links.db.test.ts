import { beforeAll, beforeEach, expect, test } from "vitest";
import { createLinks, duplicateLink, openLinks } from "#lib/links/creating";
import { createDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { editLink } from "#lib/links/editing";
import { findDomain, listDomains } from "#lib/links/hosts";
import { listLinks } from "#lib/links/reading";
import { listLinksQuery } from "#lib/links/reading/schema";
import { ConfigError, config } from "#lib/platform/config";
import { addressSubject, budgets, limits, takeAmount, tryLimit } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openOwnWorkspace } from "#lib/tenancy/workspaces";
import { workOn } from "../../../test/public-links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  claimPublicLinks,
  countClaimable,
  makePublicLink,
  newChallenge,
  newMakerSecret,
} from "./index.ts";
import { acceptWork, challengeOf } from "./work.ts";

const host = "public.localhost";
openTestStores({ FUXI_PUBLIC_SHORTENER: host, FUXI_DOMAINS_TRUSTED: "yes" });

const url = "https://example.com/spring";
const address = "203.0.113.7";
let names = 0;
let scope: WorkspaceScope;
let secret: string;

beforeAll(openLinks);
beforeEach(async () => {
  await redis().flushdb();
  names += 1;
  scope = await makeTestScope(`public${names}`);
  secret = newMakerSecret();
});

async function make(from = address, by = secret, to = url) {
  const work = workOn(newChallenge(to, from));
  return await makePublicLink({ url: to, address: from, work, secret: by });
}

async function made(from = address, by = secret) {
  const outcome = await make(from, by);
  if (!outcome.ok) throw new Error(outcome.code);
  return outcome.link;
}

async function codeOf(outcome: Promise<{ ok: boolean; code?: string }>) {
  const { ok, code } = await outcome;
  return ok ? "made" : code;
}

const list = (own: WorkspaceScope) => listLinks(own, listLinksQuery.parse({}));

test("a link on the public host gets a random slug and expires after 30 days", async () => {
  const before = Date.now();
  const link = await made();
  expect(link).toMatchObject({ domain: host, url });
  expect(link.shortLink).toBe(`http://${host}:3000/${link.key}`);
  const days = (Date.parse(String(link.expiresAt)) - before) / 86_400_000;
  expect(days).toBeGreaterThanOrEqual(30);
  expect(days).toBeLessThan(30.01);
});

test("its workspace is created once, by calls at the same time too, and has no members", async () => {
  const fields = { name: "Public links", slug: `own_${names}` };
  const opened = await Promise.all(Array.from({ length: 8 }, () => openOwnWorkspace(fields)));
  expect(opened.filter((own) => own?.isNew)).toHaveLength(1);
  const pks = new Set(opened.map((own) => own?.scope.workspacePk));
  expect(pks.size).toBe(1);
  const members = await query(sql`
    SELECT FROM membership WHERE workspace_pk = ANY(${[...pks]}::int[])`);
  expect(members).toEqual([]);
});

test.each(["publicLinkPerAddress", "dailyPublicLinkPerAddress"] as const)(
  "%s lets the last link through and refuses the next, for this network only",
  async (name) => {
    const { max } = limits[name];
    for (let count = 1; count < max; count++) await tryLimit(name, addressSubject(address));
    expect(await codeOf(make())).toBe("made");
    expect(await codeOf(make())).toBe("too_many");
    expect(await codeOf(make("203.0.113.8"))).toBe("made");
  },
);

test("the instance creates its budget of links a day and no more", async () => {
  await takeAmount("publicLinksPerInstance", "all", budgets.publicLinksPerInstance.max - 1);
  expect(await codeOf(make())).toBe("made");
  expect(await codeOf(make("203.0.113.8"))).toBe("too_many");
});

test("limits: 30 an hour and 100 a day per network, 10,000 a day in all", () => {
  expect(limits.publicLinkPerAddress).toEqual({ max: 30, windowSeconds: 3_600 });
  expect(limits.dailyPublicLinkPerAddress).toEqual({ max: 100, windowSeconds: 86_400 });
  expect(budgets.publicLinksPerInstance).toEqual({ max: 10_000, windowSeconds: 86_400 });
});

test("a link needs work on a challenge for its URL and network, done in time and used once", async () => {
  const subject = { url, network: addressSubject(address) };
  const now = Date.now();
  const challenge = challengeOf(subject, now);
  const work = workOn(challenge);
  expect(await acceptWork(`${challenge}.`, subject, now)).toBe(false);
  expect(await acceptWork("", subject, now)).toBe(false);
  const unworked = Array.from({ length: 20 }, (_, at) => `${challenge}.${at}`);
  const accepted = await Promise.all(
    unworked.filter((one) => one !== work).map((one) => acceptWork(one, subject, now)),
  );
  expect(accepted).not.toContain(true);
  expect(await acceptWork(work, { ...subject, url: `${url}/2` }, now)).toBe(false);
  const network = addressSubject("203.0.113.8");
  expect(await acceptWork(work, { ...subject, network }, now)).toBe(false);
  expect(await acceptWork(work, subject, now + 600_000)).toBe(false);
  const attempts = Array.from({ length: 5 }, () => acceptWork(work, subject, now + 599_999));
  expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
});

test("a link to a short link is refused as for everyone", async () => {
  expect(await codeOf(make(address, secret, `http://${host}/x`))).toBe("url_loops");
});

test("a claim moves the links of this browser, once, and they keep their short URL and expiration", async () => {
  const link = await made();
  await made();
  await made(address, newMakerSecret());
  expect(await countClaimable(secret)).toBe(2);
  const other = await makeTestScope(`other${names}`);
  const claims = await Promise.all(
    [scope, other, scope, other].map((one) => claimPublicLinks(one, secret)),
  );
  expect(claims.map((claim) => (claim.ok ? claim.count : -1)).sort()).toEqual([0, 0, 0, 2]);
  const lists = await Promise.all([list(scope), list(other)]);
  const moved = lists.flat();
  expect(moved).toHaveLength(2);
  const found = moved.find(({ id }) => id === link.id);
  expect(found).toMatchObject({ shortLink: link.shortLink, expiresAt: link.expiresAt, url });
  expect(await countClaimable(secret)).toBe(0);
  const [row] = await query<{ owner: number }>(sql`
    SELECT workspace_pk AS owner FROM link WHERE key = ${link.key}`);
  expect([scope.workspacePk, other.workspacePk]).toContain(row?.owner);
});

test("the secret of another browser, and anything that is none, claims nothing", async () => {
  await made();
  for (const other of [newMakerSecret(), "", "x", `${secret}x`]) {
    expect(await countClaimable(other)).toBe(0);
    expect(await claimPublicLinks(scope, other)).toEqual({ ok: true, count: 0 });
  }
  expect(await list(scope)).toEqual([]);
  expect(await countClaimable(secret)).toBe(1);
  const stored = await query<{ maker: string }>(sql`
    SELECT encode(maker_hash, 'escape') AS maker FROM public_link`);
  expect(stored.map(({ maker }) => maker)).not.toContain(secret);
});

test("banned and expired links cannot be claimed", async () => {
  const [banned, expired] = [await made(), await made()];
  await query(sql`UPDATE link SET banned_at = now() WHERE key = ${banned.key}`);
  await query(sql`UPDATE link SET expires_at = now() WHERE key = ${expired.key}`);
  expect(await countClaimable(secret)).toBe(0);
  expect(await claimPublicLinks(scope, secret)).toEqual({ ok: true, count: 0 });
});

test("a claim beyond the plan moves nothing, and works later", async () => {
  await made();
  await made();
  const plan = { ...scope, limits: { links: 1 } };
  expect(await claimPublicLinks(plan, secret)).toEqual({ ok: false, code: "quota_used_up" });
  expect(await countClaimable(secret)).toBe(2);
  expect(await claimPublicLinks(scope, secret)).toEqual({ ok: true, count: 2 });
});

test("no workspace creates links on the public host, moves them there or chooses a slug", async () => {
  const [foreign] = await createLinks(scope, [{ url, domain: host }]);
  expect(foreign).toMatchObject({ ok: false, code: "domain_unknown" });
  const [own] = await createLinks(scope, [{ url }]);
  if (!own?.ok) throw new Error("The link wasn’t created");
  expect(await editLink(scope, own.link.id, { domain: host })).toMatchObject({ ok: false });
  expect((await listDomains(scope)).map(({ slug }) => slug)).toEqual(["localhost"]);
  expect((await findDomain(scope, undefined))?.slug).toBe("localhost");
});

test("a claimed link can be edited and copied, but keeps its name", async () => {
  const { id, key } = await made();
  await claimPublicLinks(scope, secret);
  const edit = { domain: host, key, title: "Spring", expiresAt: null };
  expect(await editLink(scope, id, edit)).toMatchObject({ ok: true });
  expect(await editLink(scope, id, { key: "spring" })).toMatchObject({ ok: false });
  const copy = await duplicateLink(scope, id);
  expect(copy).toMatchObject({ ok: true, link: { domain: "localhost", title: "Spring" } });
});

test("no workspace adds the public host as a domain", async () => {
  const adding = createDomain(scope, createDomainBody.parse({ slug: host }));
  await expect(adding).rejects.toThrow("is used by Fuxi itself");
});

test("nothing starts with a host that serves other links", async () => {
  const settings = { ...config() };
  const slug = `taken${names}.localhost`;
  await createDomain(scope, createDomainBody.parse({ slug }));
  Object.assign(config(), { FUXI_PUBLIC_SHORTENER: slug });
  try {
    await expect(openLinks()).rejects.toThrow(ConfigError);
    Object.assign(config(), { FUXI_PUBLIC_SHORTENER: "localhost" });
    await expect(openLinks()).rejects.toThrow("already serves other links");
  } finally {
    Object.assign(config(), settings);
  }
});

test("a host that was public takes no links of workspaces after the setting changed", async () => {
  const settings = { ...config() };
  Object.assign(config(), { FUXI_PUBLIC_SHORTENER: undefined });
  try {
    expect(await codeOf(make())).toBe("off");
    const [outcome] = await createLinks(scope, [{ url, domain: host }]);
    expect(outcome).toMatchObject({ ok: false, code: "domain_unknown" });
  } finally {
    Object.assign(config(), settings);
  }
});
