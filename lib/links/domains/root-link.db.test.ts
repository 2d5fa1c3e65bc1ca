/** The root link that every domain of a workspace has. */
import { beforeAll, expect, test } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { deleteLink, deleteLinksInBulk, deleteLinksWithUndo, editLink } from "#lib/links/editing";
import type { Link } from "#lib/links/fields/schema";
import { countLinks, findLink, listLinks } from "#lib/links/reading";
import { countLinksQuery, linkInfoQuery, listLinksQuery } from "#lib/links/reading/schema";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { findSteps } from "#lib/tenancy/onboarding";
import { readUsage } from "#lib/tenancy/quotas";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { createDomain, deleteDomain } from "./index.ts";
import { createDomainBody } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let eve: WorkspaceScope;
let domains = 0;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
});

async function addDomain(scope = ada, ending = "localhost"): Promise<string> {
  domains += 1;
  const slug = `root${domains}.${ending}`;
  await createDomain(scope, createDomainBody.parse({ slug }));
  return slug;
}

function rootOf(domain: string, scope = ada): Promise<Link> {
  return findLink(scope, linkInfoQuery.parse({ domain }));
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

async function edit(id: string, body: object) {
  const outcome = await editLink(ada, id, body);
  return outcome.ok ? outcome.link : outcome.code;
}

async function shownIn(scope: WorkspaceScope, domain: string): Promise<[number, unknown]> {
  const links = await listLinks(scope, listLinksQuery.parse({ domain, showArchived: "true" }));
  return [links.length, await countLinks(scope, countLinksQuery.parse({ domain }))];
}

const count = async (scope: WorkspaceScope, showArchived: "true" | "false") =>
  await countLinks(scope, countLinksQuery.parse({ showArchived }));

test("a domain has its root link from the start, before it is verified too, and no other workspace sees it", async () => {
  for (const domain of [await addDomain(), await addDomain(ada, "example")]) {
    const root = await rootOf(domain);
    expect(root).toMatchObject({ domain, key: "_root", url: "", userId: ada.userId, clicks: 0 });
    expect(await findLink(ada, linkInfoQuery.parse({ domain, key: "_root" }))).toEqual(root);
    expect(await failureOf(rootOf(domain, eve))).toEqual([404, expect.any(String)]);
    expect(await failureOf(deleteLink(eve, root.id))).toEqual([404, expect.any(String)]);
  }
});

test("without a url it is in no list and no count, and takes nothing of the quota", async () => {
  const scope = await makeTestScope("counting");
  await query(sql`UPDATE workspace SET plan = 'free' WHERE pk = ${scope.workspacePk}`);
  const domain = await addDomain(scope);
  expect(await shownIn(scope, domain)).toEqual([0, 0]);
  expect([await count(scope, "true"), await count(scope, "false")]).toEqual([0, 0]);
  const free: WorkspaceScope = { ...scope, plan: "free" };
  expect((await readUsage(free)).links.used).toBe(0);
  expect(await findSteps(scope)).toMatchObject({ link: false });
  const root = await rootOf(domain, scope);
  await editLink(scope, root.id, { archived: true });
  expect([await count(scope, "true"), await count(scope, "false")]).toEqual([0, 0]);
});

test("its url is set and removed again; other links always have one", async () => {
  const domain = await addDomain();
  const { id } = await rootOf(domain);
  expect(await edit(id, { title: "Home", utm_source: "x" })).toMatchObject({ url: "" });
  expect(await edit(id, { url: "https://example.com/home" })).toMatchObject({
    key: "_root",
    url: "https://example.com/home",
  });
  expect(await shownIn(ada, domain)).toEqual([1, 1]);
  expect(await edit(id, { url: "" })).toMatchObject({ url: "" });
  expect(await shownIn(ada, domain)).toEqual([0, 0]);
  const [other] = await createLinks(ada, [{ url: "https://example.com/", domain }]);
  if (!other?.ok) throw new Error(other?.message);
  expect(await edit(other.link.id, { url: "" })).toBe("url_missing");
});

test("it cannot be renamed, moved, created again or deleted", async () => {
  const domain = await addDomain();
  const { id } = await rootOf(domain);
  expect(await edit(id, { key: "other" })).toBe("root_link");
  expect(await edit(id, { domain: await addDomain() })).toBe("root_link");
  const [again] = await createLinks(ada, [{ url: "https://example.com/", domain, key: "_root" }]);
  expect(again).toMatchObject({ ok: false, code: "key_taken" });
  expect(await failureOf(deleteLink(ada, id))).toEqual([403, expect.stringContaining(domain)]);
  expect(await deleteLinksInBulk(ada, [id], [])).toMatchObject({
    deleted: 0,
    left: [{ link: { id }, code: "root_link" }],
  });
  expect(await deleteLinksWithUndo(ada, [id])).toEqual([]);
  expect((await rootOf(domain)).id).toBe(id);
});

test("a domain with nothing but its root link can be deleted, and one with other links not", async () => {
  const domain = await addDomain();
  const { id } = await rootOf(domain);
  await edit(id, { url: "https://example.com/" });
  const [other] = await createLinks(ada, [{ url: "https://example.com/", domain, key: "a" }]);
  if (!other?.ok) throw new Error(other?.message);
  expect(await failureOf(deleteDomain(ada, domain, "keep"))).toEqual([409, expect.any(String)]);
  await deleteLink(ada, other.link.id);
  expect(await failureOf(deleteDomain(ada, domain, "keep"))).toBeUndefined();
  expect(await failureOf(rootOf(domain))).toEqual([404, expect.any(String)]);
});
