import { beforeAll, expect, test, vi } from "vitest";
import { newId } from "#lib/basics/ids";
import { admitApiKey, createApiKey, editApiKey } from "#lib/identity/api-keys";
import { createLinks, openLinks } from "#lib/links/creating";
import type { Link, NewLink } from "#lib/links/fields/schema";
import { AppError } from "#lib/platform/errors";
import { limits } from "#lib/platform/limits";
import { pool, query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { expandLink } from "./index.ts";

openTestStores();

let ada: WorkspaceScope;
let eve: WorkspaceScope;
const own = "go.ada.example";

beforeAll(async () => {
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
  await openLinks();
  for (const [slug, folded] of [
    [own, false],
    ["fold.ada.example", true],
  ] as const) {
    await query(sql`
      INSERT INTO domain (id, workspace_pk, slug, case_insensitive, verified_at)
      VALUES (${newId("dom")}, ${ada.workspacePk}, ${slug}, ${folded}, now())`);
  }
});

async function make(scope: WorkspaceScope, body: Partial<NewLink> = {}): Promise<Link> {
  const [outcome] = await createLinks(scope, [{ url: "https://example.com/long", ...body }]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  return outcome.link;
}

function nameOf({ domain, key }: Link) {
  return { domain, key };
}

async function statusOf(work: Promise<unknown>): Promise<number | undefined> {
  return (await failureOf(work))?.[0];
}

async function failureOf(work: Promise<unknown>): Promise<[number, string] | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return [error.status, error.message];
    throw error;
  }
}

test("a code and a chosen key lead to their destination, by name and by address", async () => {
  for (const body of [
    {},
    { key: "spring/sale" },
    { key: "Grüße" },
    { domain: own, key: "abc123" },
  ]) {
    const link = await make(ada, body);
    const { domain, key } = link;
    const expected = { id: link.id, domain, key, url: "https://example.com/long" };
    expect(await expandLink(ada, { domain, key })).toMatchObject(expected);
    expect(await expandLink(ada, { url: link.shortLink })).toMatchObject(expected);
    expect(await expandLink(ada, { url: `${domain}/${key}/?utm=1#x` })).toMatchObject(expected);
  }
});

test("a key is compared as its domain compares it", async () => {
  await make(ada, { domain: own, key: "Case" });
  expect(await statusOf(expandLink(ada, { domain: own, key: "case" }))).toBe(404);
  const folded = await make(ada, { domain: "fold.ada.example", key: "Case" });
  const { id } = await expandLink(ada, { domain: "fold.ada.example", key: "CASE" });
  expect(id).toBe(folded.id);
});

test("a code of another domain, another workspace's link and an unknown host are answered like a missing one", async () => {
  const code = await make(ada);
  const alias = await make(ada, { domain: own, key: "mine" });
  const missing = async (scope: WorkspaceScope, domain: string, key: string) => {
    const failure = await failureOf(expandLink(scope, { domain, key }));
    expect(failure).toEqual([404, `Link "${key}" not found on ${domain}.`]);
  };
  await missing(ada, own, code.key);
  await missing(ada, code.domain, alias.key);
  await missing(eve, code.domain, code.key);
  await missing(eve, own, alias.key);
  await missing(ada, "unknown.example", code.key);
  await missing(ada, code.domain, "zzzzzz");
  await missing(ada, code.domain, "../api");
  await missing(ada, code.domain, "x".repeat(2_000));
});

test("an ended, a disabled and a protected link still show their destination to members of their workspace", async () => {
  const link = await make(ada, { expiresAt: "2100-01-01T00:00:00Z", password: "hunter2hunter2" });
  await query(
    sql`UPDATE link SET expires_at = now() - interval '1 second', disabled_at = now() WHERE key = ${link.key}`,
  );
  const { url, expiresAt, disabledAt } = await expandLink(ada, nameOf(link));
  expect([url, expiresAt, disabledAt]).not.toContain(null);
});

test("every response names the caller in the audit; nothing else is counted", async () => {
  const { key, apiKey } = await createApiKey(ada, { name: "SMS", scopes: ["links.read"] });
  const admission = await admitApiKey(key, "203.0.113.7");
  if (!admission.ok) throw new Error("The key does not work");
  const link = await make(ada);
  await expandLink(admission.scope, nameOf(link));
  await failureOf(expandLink(admission.scope, { domain: link.domain, key: "zzzzzz" }));
  const entries = await listAudit(ada, { action: "link.expand", actor: apiKey.id, pageSize: 100 });
  expect(entries).toMatchObject([
    { actor: { name: "SMS", type: "api_key" }, subject: link.id, details: { url: link.url } },
  ]);
  const [clicks] = await query<{ n: number }>(sql`SELECT count(*) AS n FROM link_stat`);
  expect(clicks?.n).toBe(0);
});

test("the response has the creator of the link, by the current name of the key", async () => {
  const { key, apiKey } = await createApiKey(ada, { name: "Campaigns" });
  const admission = await admitApiKey(key, "203.0.113.7");
  if (!admission.ok) throw new Error("The key does not work");
  const link = await make(admission.scope);
  await editApiKey(ada, apiKey.id, { name: "Campaigns 2027" });
  const { createdBy } = await expandLink(ada, nameOf(link));
  expect(createdBy).toEqual({ id: apiKey.id, name: "Campaigns 2027", type: "api_key" });
  expect((await expandLink(ada, nameOf(await make(ada)))).createdBy).toMatchObject({ name: "ada" });
});

test("two hundred calls at once are one lookup each and a handful of audit writes, none lost", async () => {
  const link = await make(ada);
  const before = (await listAudit(ada, { subject: link.id, pageSize: 1 })).length;
  const queries = vi.spyOn(pool(), "query");
  await Promise.all(Array.from({ length: 200 }, () => expandLink(ada, nameOf(link))));
  const calls = queries.mock.calls.map(([statement]) => JSON.stringify(statement));
  queries.mockRestore();
  const lookups = calls.filter((statement) => statement.includes("expansion-")).length;
  expect(lookups).toBe(200);
  expect(calls.length - lookups).toBeLessThan(60);
  const [entries] = await query<{ n: number }>(
    sql`SELECT count(*) AS n FROM audit WHERE subject = ${link.id} AND action = 'link.expand'`,
  );
  expect((entries?.n ?? 0) - before).toBe(200);
});

test("without the scope to read links it is a 403; an empty query is a 422", async () => {
  const { key } = await createApiKey(ada, { name: "Tags", scopes: ["tags.read"] });
  const admission = await admitApiKey(key, "203.0.113.7");
  if (!admission.ok) throw new Error("The key does not work");
  const link = await make(ada);
  expect(await statusOf(expandLink(admission.scope, nameOf(link)))).toBe(403);
  for (const wrong of [{}, { domain: own }, { key: "x" }, { url: "https://" }, { url: "x y/z" }]) {
    expect(await statusOf(expandLink(ada, wrong))).toBe(422);
  }
  const both = { domain: own, key: "x", url: "https://x.example/y" };
  expect(await statusOf(expandLink(ada, both))).toBe(422);
  expect(await statusOf(expandLink(ada, { url: "x.example/%ff" }))).toBe(422);
});

test("a caller who asks for what is not theirs gets a 404, and leaves an audit entry", async () => {
  const link = await make(ada, { domain: own });
  const { key, apiKey } = await createApiKey(ada, {
    name: "Limited",
    domainIds: [await idOf("fold.ada.example")],
  });
  const admission = await admitApiKey(key, "198.51.100.1");
  if (!admission.ok) throw new Error("The key does not work");
  const missing = { domain: own, key: "missing" };
  const answer = await failureOf(expandLink(admission.scope, nameOf(link)));
  const other = await failureOf(expandLink(admission.scope, missing));
  expect(answer?.[0]).toBe(404);
  expect(answer?.[1]).toBe(other?.[1].replace("missing", link.key));
  expect(await mismatchesOf(ada, apiKey.id)).toEqual([missing, nameOf(link)]);
  expect(await statusOf(expandLink(eve, nameOf(link)))).toBe(404);
  expect(await statusOf(expandLink(eve, { domain: "unused.example", key: "x" }))).toBe(404);
  const recorded = await mismatchesOf(eve, eve.actor);
  expect(recorded[0]).toEqual(nameOf(link));
  expect(JSON.stringify(recorded)).not.toContain("unused.example");
});

test("a caller who guesses leaves no more entries than the limit", async () => {
  const mallory = await makeTestScope("mallory");
  const { max } = limits.foreignExpansionPerCaller;
  for (let at = 0; at <= max; at++)
    await statusOf(expandLink(mallory, { domain: own, key: `${at}` }));
  expect(await mismatchesOf(mallory, mallory.actor)).toHaveLength(max);
});

async function idOf(slug: string): Promise<string> {
  const [row] = await query<{ id: string }>(sql`SELECT id FROM domain WHERE slug = ${slug}`);
  return String(row?.id);
}

async function mismatchesOf(scope: WorkspaceScope, actor: string) {
  const found = await listAudit(scope, { action: "link.expand_refused", actor, pageSize: 100 });
  return found.map(({ details }) => details);
}
