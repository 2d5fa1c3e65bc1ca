import { beforeAll, expect, test } from "vitest";
import { parseId } from "#lib/basics/ids";
import { openLinks } from "#lib/links/creating";
import { createDomain, transferDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { deleteLink, deleteLinksWithUndo, editLink, restoreLinks } from "#lib/links/editing";
import type { Link } from "#lib/links/fields/schema";
import { addSlice, lockEras } from "#lib/links/search";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { createWorkspace, openWorkspace } from "#lib/tenancy/workspaces";
import { runIndexing, settleIndexing } from "../../../test/indexing.ts";
import { keysOf, make } from "../../../test/links.ts";
import { untilWaiting } from "../../../test/locks.ts";
import { keyTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores();

const api = { source: "api", prefill: false } as const;
let person: WorkspaceScope;
let key: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  person = await makeTestScope("changes");
  key = await keyTestScope(person);
});

async function makeOne(slug: string, domain?: string): Promise<Link> {
  const url = `https://example.com/path-of-${slug}`;
  const [link] = await make(key, [{ url, key: slug, ...(domain ? { domain } : {}) }], api);
  if (!link) throw new Error("no link");
  return link;
}

const find = (search: string, scope = person) => keysOf(scope, { search });

const textsOf = ({ id }: Link) =>
  query(sql`SELECT FROM link_search WHERE id = ${parseId("link", id)}::uuid`);

/** A slice that has read the link as it is now, and commits while `change` waits for it. */
async function duringSlice(link: Link, change: () => Promise<unknown>): Promise<void> {
  const [row] = await query<{ pk: number; id: string; url: string }>(
    sql`SELECT pk, id, url FROM link WHERE id = ${parseId("link", link.id)}::uuid`,
  );
  if (!row) throw new Error("no row");
  let changing: Promise<unknown> = Promise.resolve();
  await transaction(async (tx) => {
    await lockEras(tx, [person.workspacePk]);
    await addSlice(tx, person.workspacePk, [{ pk: row.pk, id: row.id, text: row.url }], "up");
    changing = change();
    await Promise.race([untilWaiting(), changing]);
  });
  await changing;
}

test("an edit before or after the link is indexed is found by its new text only", async () => {
  const link = await makeOne("edited");
  await editLink(person, link.id, { title: "Nilpferd" });
  await settleIndexing();
  expect(await find("nilpf")).toEqual(["edited"]);
  await editLink(person, link.id, { title: "Walrus", key: "renamed" });
  expect(await find("nilpf")).toEqual([]);
  expect(await find("walru")).toEqual(["renamed"]);
});

test("an edit waits for the slice that has read the link before", async () => {
  const link = await makeOne("crossed");
  await duringSlice(link, () => editLink(person, link.id, { url: "https://example.com/zebra" }));
  expect(await find("path-of-cross")).toEqual([]);
  expect(await find("zebr")).toEqual(["crossed"]);
});

test("a deletion waits for the slice that has read the link before, and leaves no text", async () => {
  const link = await makeOne("gone");
  await duringSlice(link, () => deleteLink(person, link.id));
  expect(await textsOf(link)).toEqual([]);
  await settleIndexing();
  expect(await textsOf(link)).toEqual([]);
});

test("a link that was deleted before it was indexed is found when it is restored later", async () => {
  const link = await makeOne("back");
  await deleteLinksWithUndo(person, [link.id]);
  await makeOne("newer");
  await settleIndexing();
  expect(await find("path-of-ba")).toEqual([]);
  await restoreLinks(person, [link.id]);
  await runIndexing();
  expect(await find("path-of-ba")).toEqual(["back"]);
  expect(await find("path-of-newe")).toEqual(["newer"]);
});

test("links that move to another workspace before and after they are indexed are found there only", async () => {
  await createWorkspace(String(person.userId), { name: "Other", slug: "other" });
  const other = await openWorkspace(String(person.userId), "other");
  if (!other) throw new Error("no workspace");
  await keyTestScope(other);
  await createDomain(person, createDomainBody.parse({ slug: "moves.localhost" }));
  await makeOne("early", "moves.localhost");
  await settleIndexing();
  const before = await countOf(person);
  await makeOne("waiting", "moves.localhost");
  await transferDomain(person, "moves.localhost", other.workspaceId);
  expect(await countOf(person)).toBe(before - 1);
  expect((await find("path-of-", other)).toSorted()).toEqual(["early", "waiting"]);
  await settleIndexing();
  expect((await find("path-of-", other)).toSorted()).toEqual(["early", "waiting"]);
  expect(await find("path-of-early")).toEqual([]);
  expect(await find("path-of-waiting")).toEqual([]);
});

async function countOf({ workspacePk }: WorkspaceScope): Promise<number> {
  const [row] = await query<{ links: number }>(
    sql`SELECT links FROM search_progress WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.links ?? 0;
}
