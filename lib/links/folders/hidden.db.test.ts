/** Links in a folder that is hidden from a member, by every way that leads to a link. */
import { beforeAll, expect, test } from "vitest";
import { findBulkJob, findBulkOutcomes, startBulkJob } from "#lib/links/bulk-jobs";
import { createLinks, createLinksInBulk, openLinks } from "#lib/links/creating";
import { deleteLink, deleteLinksInBulk, upsertLink } from "#lib/links/editing";
import type { Link, NewLink } from "#lib/links/fields/schema";
import { countLinks, findLink, listLinks } from "#lib/links/reading";
import { countLinksQuery, listLinksQuery } from "#lib/links/reading/schema";
import { expandLink } from "#lib/links/resolve-link";
import { countTagLinks, createTag } from "#lib/links/tags";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { createFolder } from "./index.ts";
import { createFolderBody } from "./schema.ts";

openTestStores();

let owner: WorkspaceScope;
let member: WorkspaceScope;
let closed: string;
let readable: string;
let urls = 0;

beforeAll(async () => {
  await openLinks();
  owner = await makeTestScope("owner");
  member = await joinTestScope(owner, "member", "member");
  closed = await makeFolder(owner, "closed", null);
  readable = await makeFolder(owner, "readable", "read");
});

async function makeFolder(scope: WorkspaceScope, name: string, accessLevel: "read" | null) {
  return (await createFolder(scope, createFolderBody.parse({ name, accessLevel }))).id;
}

function newUrl(): string {
  urls += 1;
  return `https://example.com/hidden/${urls}`;
}

async function make(scope: WorkspaceScope, body: NewLink): Promise<Link> {
  const [outcome] = await createLinks(scope, [body]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  return outcome.link;
}

async function upsert(scope: WorkspaceScope, body: NewLink): Promise<Link> {
  const outcome = await upsertLink(scope, body);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.link;
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

test("a hidden link is expanded for its readers only, and answered like a missing one to others", async () => {
  const { domain, key } = await make(owner, { url: newUrl(), folderId: closed });
  expect(await expandLink(owner, { domain, key })).toMatchObject({ key });
  expect(await failureOf(expandLink(member, { domain, key }))).toEqual([
    404,
    `Link "${key}" not found on ${domain}.`,
  ]);
  const visible = await make(owner, { url: newUrl(), folderId: readable });
  const { shortLink, id } = visible;
  expect(await expandLink(member, { url: shortLink })).toMatchObject({ id });
});

test("a hidden link is never reused for a member, one by one or in bulk", async () => {
  for (const reuse of [true, 3_600]) {
    const url = newUrl();
    const hidden = await make(owner, { url, folderId: closed, reuse });
    expect((await make(owner, { url, reuse })).id).toBe(hidden.id);
    const own = await make(member, { url, reuse });
    expect(own.id).not.toBe(hidden.id);
    expect((await make(member, { url, reuse })).id).toBe(own.id);
  }
  const url = newUrl();
  const hidden = await make(owner, { url, folderId: closed, reuse: true });
  const options = { source: "api", prefill: false } as const;
  const [outcome] = await createLinksInBulk(member, [{ url, reuse: true }], options);
  expect(outcome?.ok && outcome.row.key).not.toBe(hidden.key);
});

test("an upsert matches only links that the member may see", async () => {
  const url = newUrl();
  const hidden = await make(owner, { url, folderId: closed });
  const own = await upsert(member, { url, title: "Mine" });
  expect(own.id).not.toBe(hidden.id);
  expect((await upsert(member, { url, title: "Again" })).id).toBe(own.id);
  expect((await findLink(owner, { linkId: hidden.id })).title).toBeNull();
});

test("counts of tags and links leave hidden links out, and a cursor does not lead to one", async () => {
  const tag = await createTag(owner, { name: "counted" });
  const hidden = await make(owner, { url: newUrl(), folderId: closed, tagIds: [tag.id] });
  await make(owner, { url: newUrl(), tagIds: [tag.id] });
  expect((await countTagLinks(owner, [tag.id])).get(tag.id)).toBe(2);
  expect((await countTagLinks(member, [tag.id])).get(tag.id)).toBe(1);
  const counted = countLinksQuery.parse({ tagId: tag.id });
  expect(await countLinks(owner, counted)).toBe(2);
  expect(await countLinks(member, counted)).toBe(1);
  const after = listLinksQuery.parse({ sort: "clicks", startingAfter: hidden.id });
  expect(await failureOf(listLinks(owner, after))).toBeUndefined();
  expect((await failureOf(listLinks(member, after)))?.[0]).toBe(422);
});

test("a bulk job is shown to the person who started it, and to admins", async () => {
  const started = await startBulkJob(owner, [{ url: newUrl(), folderId: closed }], undefined);
  if (!started.ok) throw new Error(started.message);
  const { id } = started.job;
  await query(sql`UPDATE bulk_job SET outcomes = '' WHERE id = ${id}`);
  const admin = await joinTestScope(owner, "second", "admin");
  for (const scope of [owner, admin]) expect(await findBulkJob(scope, id)).toMatchObject({ id });
  expect(await findBulkJob(member, id)).toBeUndefined();
  expect(await findBulkOutcomes(member, id)).toBeUndefined();
});

test("a link that a member may only view is not deleted, and the reason is given", async () => {
  const { id } = await make(owner, { url: newUrl(), folderId: readable });
  expect(await failureOf(deleteLink(member, id))).toEqual([403, expect.stringContaining("view")]);
  const { id: hidden } = await make(owner, { url: newUrl(), folderId: closed });
  expect(await deleteLinksInBulk(member, [id, hidden], [])).toMatchObject({
    deleted: 0,
    left: [
      { link: { id }, code: "folder_forbidden" },
      { link: { id: hidden }, code: "link_unknown" },
    ],
  });
});
