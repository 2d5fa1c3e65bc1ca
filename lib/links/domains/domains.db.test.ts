import { beforeAll, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { createLinks, openLinks } from "#lib/links/creating";
import { createLinkBody, type Link } from "#lib/links/fields/schema";
import { findDomain, findShortHosts, listDomains } from "#lib/links/hosts";
import { openCoherence } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { plans } from "#lib/tenancy/plans";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { clearDomains } from "./domain-links.ts";
import {
  createDomain,
  deleteDomain,
  dropPrimary,
  editDomain,
  getDomain,
  listOwnDomains,
  makePrimary,
} from "./index.ts";
import { createDomainBody, type DomainView, editDomainBody, listDomainsQuery } from "./schema.ts";
import { verifyDomain } from "./verifying.ts";

openTestStores();

let scope: WorkspaceScope;
let other: WorkspaceScope;

beforeAll(async () => {
  openCoherence();
  await openLinks();
  scope = await makeTestScope("domains");
  other = await makeTestScope("others");
});

function add(slug: string, more: object = {}, actor = scope): Promise<DomainView> {
  return createDomain(actor, createDomainBody.parse({ slug, ...more }));
}

function edit(slug: string, body: object, actor = scope): Promise<DomainView> {
  return editDomain(actor, slug, editDomainBody.parse(body));
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}

async function makeLink(body: object, actor = scope): Promise<Link> {
  const [outcome] = await createLinks(actor, [
    createLinkBody.parse({ url: "https://example.com", ...body }),
  ]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  return outcome.link;
}

async function slugs(filters: object = {}, actor = scope): Promise<string[]> {
  const found = await listOwnDomains(actor, listDomainsQuery.parse(filters));
  return found.map(({ slug }) => slug);
}

test("a domain below localhost serves at once on localhost; any other is a claim until it is verified", async () => {
  expect(await add("Local.localhost")).toMatchObject({ slug: "local.localhost", verified: true });
  expect(await add("bücher.example")).toMatchObject({
    slug: "xn--bcher-kva.example",
    verified: false,
  });
  expect(await findDomain(scope, "local.localhost")).toMatchObject({ slug: "local.localhost" });
  expect(await findDomain(scope, "xn--bcher-kva.example")).toBeUndefined();
  expect(await findDomain(other, "local.localhost")).toBeUndefined();
  expect(await findShortHosts(["local.localhost", "xn--bcher-kva.example"])).toEqual(
    new Set(["local.localhost"]),
  );
  expect(await verifyDomain(scope, "bücher.example")).toMatchObject({ verified: false });
});

test("a claim blocks no other workspace, and the first to verify serves", async () => {
  const claims = [scope, other];
  await add("first.localhost");
  await query(sql`UPDATE domain SET verified_at = NULL WHERE slug = 'first.localhost'`);
  await add("first.localhost", {}, other);
  await query(sql`UPDATE domain SET verified_at = NULL WHERE slug = 'first.localhost'`);
  const codes = await Promise.all(
    claims.map((actor) => codeOf(verifyDomain(actor, "first.localhost"))),
  );
  expect(codes.sort()).toEqual(["conflict", "ok"]);
  const views = await Promise.all(claims.map((actor) => getDomain(actor, "first.localhost")));
  expect(views.filter(({ verified }) => verified)).toHaveLength(1);
  const winner = views[0]?.verified ? scope : other;
  const loser = winner === scope ? other : scope;
  await deleteDomain(winner, "first.localhost", "keep");
  expect(await verifyDomain(loser, "first.localhost")).toMatchObject({ verified: true });
});

test("of 20 that add the same host at once exactly one serves it", async () => {
  const filters = Array.from({ length: 20 }, (_, at) =>
    codeOf(add("wanted.localhost", {}, at % 2 ? scope : other)),
  );
  const codes = await Promise.all(filters);
  expect(codes.filter((code) => code === "ok")).toHaveLength(1);
  expect(codes.filter((code) => code === "conflict")).toHaveLength(19);
  expect(await codeOf(add("bücher.example"))).toBe("conflict");
  expect(await codeOf(add("bücher.example", {}, other))).toBe("ok");
});

test("the installation's own host belongs to no workspace", async () => {
  const { workspacePk } = scope;
  expect(await codeOf(add("localhost"))).toBe("unprocessable_entity");
  expect(await codeOf(edit("localhost", { notFoundUrl: "https://example.com" }))).toBe("not_found");
  expect(await codeOf(deleteDomain(scope, "localhost", "delete"))).toBe("not_found");
  expect(await findDomain(scope, "localhost")).toMatchObject({ workspacePk: undefined });
  expect(await prisma().domain.count({ where: { slug: "localhost", workspacePk } })).toBe(0);
});

test("an edit changes the named fields, null clears, and the rest stays", async () => {
  const set = {
    placeholder: "https://example.com/root",
    expiredUrl: "https://example.com/over",
    notFoundUrl: "https://example.com/none",
    logo: "https://example.com/logo.png",
    assetLinks: "[]",
    appleAppSiteAssociation: "{}",
  };
  const created = await add("fields.localhost", set);
  expect(created).toMatchObject({
    ...set,
    deepviewData: null,
    registeredDomain: null,
    primary: false,
    archived: false,
  });
  expect(created).not.toHaveProperty("caseInsensitive");
  const archived = await edit("fields.localhost", { archived: true, logo: null });
  expect(archived).toMatchObject({ ...set, logo: null, archived: true });
  expect(await getDomain(scope, "FIELDS.localhost")).toEqual(archived);
  expect(await slugs({ search: "fields" })).toEqual([]);
  expect(await slugs({ search: "fields", archived: "true" })).toEqual(["fields.localhost"]);
});

test("no address of a domain leads back to short links, its own or any other", async () => {
  await add("round.localhost");
  await add("theirs-too.localhost", {}, other);
  for (const field of ["placeholder", "notFoundUrl", "expiredUrl"]) {
    for (const to of [
      "http://round.localhost:3000/x",
      "https://theirs-too.localhost./",
      "https://localhost/none",
      "http://127.0.0.1:3000/none",
      "http://ada@[::1]:3000/none",
      "http://2130706433:3000/none",
    ]) {
      expect(await codeOf(edit("round.localhost", { [field]: to })), to).toBe(
        "unprocessable_entity",
      );
    }
    const own = { [field]: "https://self.localhost/x" };
    expect(await codeOf(add("self.localhost", own))).toBe("unprocessable_entity");
    const looping = { [field]: "https://round.localhost.example/" };
    expect(await codeOf(edit("round.localhost", looping))).toBe("ok");
  }
});

test("no domain gets a name to which one of its own addresses leads", async () => {
  for (const [at, field] of ["placeholder", "notFoundUrl", "expiredUrl"].entries()) {
    const slug = `turning-${at}.localhost`;
    await add(slug, { [field]: `https://turned-${at}.localhost/page` });
    const name = `turned-${at}.localhost`;
    expect(await codeOf(edit(slug, { slug: name }))).toBe("unprocessable_entity");
    expect(await codeOf(edit(slug, { slug: name, [field]: null }))).toBe("ok");
  }
});

test("a renamed domain keeps its links and answers under its new name only", async () => {
  await add("old.localhost");
  const { pk } = await mustFind("old.localhost");
  const link = await makeLink({ domain: "old.localhost", key: "kept" });
  expect(await codeOf(edit("old.localhost", { slug: "local.localhost" }))).toBe("conflict");
  const renamed = await edit("old.localhost", { slug: "NEW.localhost" });
  expect(renamed).toMatchObject({ slug: "new.localhost", verified: true });
  expect(await mustFind("new.localhost")).toMatchObject({ pk });
  expect(await findDomain(scope, "old.localhost")).toBeUndefined();
  expect(link.domain).toBe("old.localhost");
  expect(await edit("new.localhost", { slug: "new.example" })).toMatchObject({ verified: false });
  expect(await findDomain(scope, "new.example")).toBeUndefined();
});

async function mustFind(slug: string) {
  const domain = await findDomain(scope, slug);
  if (!domain) throw new Error(`${slug} is not found`);
  return domain;
}

test("links without a domain go to the primary one, and to the installation's own without", async () => {
  const hostOf = async () => (await makeLink({})).domain;
  await add("one.localhost");
  await add("two.localhost");
  expect(await hostOf()).toBe("localhost");
  expect(await makePrimary(scope, "one.localhost")).toMatchObject({ primary: true });
  expect(await hostOf()).toBe("one.localhost");
  const both = ["one.localhost", "two.localhost"].map((slug) => makePrimary(scope, slug));
  await Promise.all(both);
  const primaries = await listOwnDomains(scope, listDomainsQuery.parse({}));
  expect(primaries.filter(({ primary }) => primary)).toHaveLength(1);
  await makePrimary(scope, "two.localhost");
  expect([(await slugs())[0], await hostOf()]).toEqual(["two.localhost", "two.localhost"]);
  expect((await makeLink({}, other)).domain).toBe("localhost");
  await edit("two.localhost", { archived: true });
  expect(await hostOf()).toBe("localhost");
  await edit("two.localhost", { archived: false });
  expect(await hostOf()).toBe("two.localhost");
  expect(await dropPrimary(scope, "one.localhost")).toMatchObject({ primary: false });
  expect(await hostOf()).toBe("two.localhost");
  expect(await dropPrimary(scope, "two.localhost")).toMatchObject({ primary: false });
  expect(await hostOf()).toBe("localhost");
  expect(await codeOf(makePrimary(scope, "bücher.example"))).toBe("unprocessable_entity");
});

test("a domain with links is deleted only with them, and a worker deletes them in steps", async () => {
  await add("busy.localhost");
  const { pk } = await mustFind("busy.localhost");
  const alias = await makeLink({ domain: "busy.localhost", key: "named", tagNames: [] });
  for (let at = 0; at < 4; at++) await makeLink({ domain: "busy.localhost" });
  // Root links of domains that other tests deleted.
  await query(sql`UPDATE domain_clearing SET due_at = now() - interval '1 second'`);
  await clearDomains();
  const stays = await prisma().link.count({ where: { domainPk: { not: pk } } });
  expect(await codeOf(deleteDomain(scope, "busy.localhost", "keep"))).toBe("conflict");
  expect(await deleteDomain(scope, "busy.localhost", "delete")).toEqual({ slug: "busy.localhost" });
  expect(await findDomain(scope, "busy.localhost")).toBeUndefined();
  expect(alias.key).toBe("named");
  // A create that read the domain before its deletion.
  await query(sql`
    INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url)
    SELECT max(pk) + 1, gen_random_uuid(), ${scope.workspacePk}, ${pk}::int, 'late', 'https://example.com'
    FROM link`);
  expect(await clearDomains()).toBe(0); // not due for a minute
  await query(sql`UPDATE domain_clearing SET due_at = now() - interval '1 second'`);
  const steps = await Promise.all([clearDomains(3), clearDomains(3)]);
  expect(steps[0] + steps[1]).toBeGreaterThan(1);
  expect(await prisma().link.count({ where: { domainPk: pk } })).toBe(0);
  expect(await prisma().alias.count({ where: { domainPk: pk } })).toBe(0);
  expect(await prisma().link.count({ where: { domainPk: { not: pk } } })).toBe(stays);
  expect(await clearDomains()).toBe(0);
  expect(await codeOf(deleteDomain(scope, "busy.localhost", "keep"))).toBe("not_found");
});

test("a domain with generated codes or keys in capitals cannot be made case-insensitive", async () => {
  expect(await add("folded.localhost", { caseInsensitive: true })).toMatchObject({
    caseInsensitive: true,
  });
  expect((await makeLink({ domain: "folded.localhost", key: "SALE" })).key).toBe("sale");
  const back = await edit("folded.localhost", { caseInsensitive: false });
  expect(back).not.toHaveProperty("caseInsensitive");
  expect(await edit("folded.localhost", { caseInsensitive: true })).toHaveProperty(
    "caseInsensitive",
  );
  await add("coded.localhost");
  await makeLink({ domain: "coded.localhost" });
  expect(await codeOf(edit("coded.localhost", { caseInsensitive: true }))).toBe("conflict");
  await add("capital.localhost");
  await makeLink({ domain: "capital.localhost", key: "Sale" });
  expect(await codeOf(edit("capital.localhost", { caseInsensitive: true }))).toBe("conflict");
});

test("10,000 keys are read to make a domain case-insensitive, and not one more", async () => {
  await add("many-keys.localhost");
  const { pk } = await mustFind("many-keys.localhost");
  const { workspacePk } = scope;
  await query(sql`
    INSERT INTO alias (domain_pk, key, link_pk)
    SELECT ${pk}::int, 'k' || n, (SELECT max(pk) FROM link) + n
    FROM generate_series(1, 10001) AS n`);
  const fold = () => codeOf(edit("many-keys.localhost", { caseInsensitive: true }));
  expect(await fold()).toBe("conflict");
  await query(sql`DELETE FROM alias WHERE domain_pk = ${pk} AND key = 'k1'`);
  expect(await fold()).toBe("ok");
  await query(sql`DELETE FROM alias WHERE domain_pk = ${pk}`);
  expect(await prisma().link.count({ where: { domainPk: pk, workspacePk } })).toBe(1);
});

test("a domain of another workspace is answered exactly like a missing one", async () => {
  await add("theirs.localhost", {}, other);
  for (const slug of [
    "theirs.localhost",
    "none.localhost",
    "\0",
    "",
    "127.0.0.1",
    "x".repeat(9_999),
  ]) {
    const filters = [
      getDomain(scope, slug),
      edit(slug, { archived: true }),
      verifyDomain(scope, slug),
      makePrimary(scope, slug),
      dropPrimary(scope, slug),
      deleteDomain(scope, slug, "delete"),
    ];
    expect(new Set(await Promise.all(filters.map(codeOf)))).toEqual(new Set(["not_found"]));
  }
  expect(await getDomain(other, "theirs.localhost")).toMatchObject({ archived: false });
  expect(await slugs({ search: "theirs" })).toEqual([]);
});

test("members see domains and change none", async () => {
  const member = await joinTestScope(scope, "member", "member");
  expect(await slugs({ search: "local.l" }, member)).toEqual(["local.localhost"]);
  expect((await listDomains(member)).map(({ slug }) => slug)).toContain("local.localhost");
  const filters = [
    add("no.localhost", {}, member),
    edit("local.localhost", {}, member),
    verifyDomain(member, "local.localhost"),
    makePrimary(member, "local.localhost"),
    dropPrimary(member, "local.localhost"),
    deleteDomain(member, "local.localhost", "delete"),
  ];
  expect(new Set(await Promise.all(filters.map(codeOf)))).toEqual(new Set(["forbidden"]));
});

test("a workspace has at most 1,000 domains, on a plan as many as the plan has", async () => {
  const full = await makeTestScope("full");
  await prisma().domain.createMany({
    data: Array.from({ length: 999 }, (_, at) => ({
      id: newId("dom"),
      workspacePk: full.workspacePk,
      slug: `d${at}.example`,
    })),
  });
  const last = Array.from({ length: 8 }, (_, at) => codeOf(add(`l${at}.example`, {}, full)));
  expect((await Promise.all(last)).filter((code) => code === "ok")).toHaveLength(1);
  const free = { ...(await makeTestScope("free")), plan: "free" as const };
  const room = plans.free.limits.domains;
  const filters = Array.from({ length: room + 1 }, (_, at) =>
    codeOf(add(`f${at}.example`, {}, free)),
  );
  const codes = await Promise.all(filters);
  expect(codes.filter((code) => code === "forbidden")).toHaveLength(1);
});

test("edits at once leave the greatest revision on the row, and every change an audit row", async () => {
  await add("revised.localhost");
  const urls = Array.from({ length: 10 }, (_, at) => `https://example.com/${at}`);
  await Promise.all(urls.map((notFoundUrl) => edit("revised.localhost", { notFoundUrl })));
  const row = await prisma().domain.findFirstOrThrow({ where: { slug: "revised.localhost" } });
  const [top] = await query<{ last: number }>(sql`SELECT last_value AS last FROM revision`);
  expect(Number(row.revision)).toBe(top?.last);
  const audit = await prisma().auditEntry.findMany({ where: { workspacePk: scope.workspacePk } });
  const actions = new Set(audit.map(({ action }) => action));
  for (const verb of ["create", "edit", "primary", "delete"]) {
    expect(actions).toContain(`domain.${verb}`);
  }
  expect(await prisma().cacheChange.count()).toBe(0);
});
