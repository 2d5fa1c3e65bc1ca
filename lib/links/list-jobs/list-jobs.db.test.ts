import { beforeAll, expect, test } from "vitest";
import { createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { editLink } from "#lib/links/editing";
import type { ListChange } from "#lib/links/editing/schema";
import { createFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { countLinksQuery } from "#lib/links/reading/schema";
import { createTag } from "#lib/links/tags";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql, transaction } from "#lib/platform/postgres";
import { reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import { count, keysOf, list, make } from "../../../test/links.ts";
import { untilWaiting } from "../../../test/locks.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { dismissListJob, findListJob, runListJob, startListJob, undoListJob } from "./index.ts";
import { openJobsMax, stepLinks } from "./schema.ts";

openTestStores();

let created = 0;

beforeAll(async () => {
  openCoherence();
  await openLinks();
});

function newScope(): Promise<WorkspaceScope> {
  created += 1;
  return makeTestScope(`listed${created}`);
}

const matching = (filters: Record<string, unknown>) => countLinksQuery.parse(filters);

async function run(scope: WorkspaceScope, filters: Record<string, unknown>, change: ListChange) {
  const { id } = await startListJob(scope, matching(filters), change);
  await runListJob(id);
  return id;
}

async function undo(scope: WorkspaceScope, id: string) {
  await undoListJob(scope, id);
  await runListJob(id);
}

async function makeMany(scope: WorkspaceScope, links: number): Promise<void> {
  const bodies = Array.from({ length: links }, (_, at) => ({
    url: `https://example.com/${at}`,
    title: at % 2 === 0 ? "even" : "odd",
  }));
  await make(scope, bodies);
}

test("all links that match are changed over several steps, no other ones, and all of it is undone", async () => {
  const scope = await newScope();
  await makeMany(scope, 2 * stepLinks + 20);
  const id = await run(scope, { search: "even" }, { disabled: true });
  const half = stepLinks + 10;
  expect(await findListJob(scope)).toMatchObject({
    id,
    state: "done",
    kind: "disable",
    total: half,
    done: half,
    changed: half,
    refused: 0,
  });
  expect(await count(scope, { status: "disabled" })).toBe(half);
  expect(await count(scope, { status: "disabled", search: "odd" })).toBe(0);
  await undo(scope, id);
  expect(await findListJob(scope)).toMatchObject({
    state: "undone",
    changed: half,
    undoUntil: null,
  });
  expect(await count(scope, { status: "active" })).toBe(2 * half);
});

test("links that leave the list by the change itself are not missed", async () => {
  const scope = await newScope();
  await makeMany(scope, stepLinks + 5);
  await run(scope, { status: "active" }, { archived: true });
  expect(await count(scope, {})).toBe(0);
});

test("deleted links are restored by the undo, with their names", async () => {
  const scope = await newScope();
  const url = "https://example.com/";
  await make(scope, [
    { url, key: "listed-a", title: "gone" },
    { url, key: "listed-b", title: "gone" },
    { url, key: "listed-c" },
  ]);
  const id = await run(scope, { search: "gone" }, { delete: true });
  expect(await keysOf(scope, {})).toEqual(["listed-c"]);
  await undo(scope, id);
  expect((await keysOf(scope, {})).sort()).toEqual(["listed-a", "listed-b", "listed-c"]);
});

test("tags, folders and the archive are changed and undone; a change of others in between stays", async () => {
  const scope = await newScope();
  const tag = await createTag(scope, { name: "listed", color: "red" });
  const folder = await createFolder(scope, createFolderBody.parse({ name: "Listed" }));
  const other = await createFolder(scope, createFolderBody.parse({ name: "Other" }));
  const [link] = await make(scope, [
    { url: "https://example.com/1" },
    { url: "https://example.com/2" },
  ]);
  const tagging = await run(scope, {}, { addTagIds: [tag.id] });
  expect(await count(scope, { tagIds: tag.id })).toBe(2);
  const moving = await run(scope, {}, { folderId: folder.id });
  expect(await count(scope, { folderId: folder.id })).toBe(2);
  await editLink(scope, link?.id ?? "", { folderId: other.id });
  await undo(scope, moving);
  expect((await list(scope, {})).map(({ folderId }) => folderId)).toEqual([null, other.id]);
  await undo(scope, tagging);
  expect(await count(scope, { tagIds: tag.id })).toBe(0);
});

test("links created after the start are left alone", async () => {
  const scope = await newScope();
  await makeMany(scope, 2);
  const { id } = await startListJob(scope, matching({}), { archived: true });
  const [later] = await make(scope, [{ url: "https://example.com/later" }]);
  await runListJob(id);
  expect(await keysOf(scope, {})).toEqual([later?.key]);
});

test("a job that runs twice, and one that a second worker took, change each link once", async () => {
  const scope = await newScope();
  await makeMany(scope, 3);
  const id = await run(scope, {}, { archived: true });
  await runListJob(id);
  expect(await findListJob(scope)).toMatchObject({ state: "done", done: 3, changed: 3 });
  // As left by a worker that died before the last step.
  await query(
    sql`UPDATE list_job SET state = 'running', seen_at = now() - interval '1 hour' WHERE id = ${id}`,
  );
  await runListJob(id);
  expect(await findListJob(scope)).toMatchObject({ state: "done", changed: 3 });
  await undo(scope, id);
  expect(await count(scope, {})).toBe(3);
});

test("nothing is changed once the person may not write any more", async () => {
  const owner = await newScope();
  await makeMany(owner, 2);
  const member = await joinTestScope(owner, `listed-member${created}`, "member");
  const { id } = await startListJob(member, matching({}), { archived: true });
  await query(sql`UPDATE membership SET role = 'viewer' WHERE user_pk = ${member.userPk}`);
  await runListJob(id);
  expect(await findListJob(member)).toMatchObject({ state: "failed", changed: 0 });
  expect(await count(owner, {})).toBe(2);
});

test("a job of another person or workspace is not found, not undone and not dismissed", async () => {
  const owner = await newScope();
  await makeMany(owner, 1);
  const id = await run(owner, {}, { archived: true });
  const member = await joinTestScope(owner, `listed-other${created}`, "member");
  const stranger = await newScope();
  for (const scope of [member, stranger]) {
    expect(await findListJob(scope)).toBeUndefined();
    await expect(undoListJob(scope, id)).rejects.toMatchObject({ code: "not_found" });
    await dismissListJob(scope, id);
  }
  expect(await findListJob(owner)).toMatchObject({ id });
  await dismissListJob(owner, id);
  expect(await findListJob(owner)).toBeUndefined();
});

test("a worker whose job was taken by another one changes nothing more", async () => {
  const scope = await newScope();
  await makeMany(scope, 2);
  const { id } = await startListJob(scope, matching({}), { archived: true });
  const [held] = await query<{ pk: number }>(
    sql`SELECT pk FROM link WHERE workspace_pk = ${scope.workspacePk} ORDER BY pk LIMIT 1`,
  );
  const { working } = await transaction(async (tx) => {
    await query(sql`SELECT FROM link WHERE pk = ${held?.pk} FOR UPDATE`, tx);
    const working = runListJob(id);
    await untilWaiting();
    await query(sql`UPDATE list_job SET attempts = attempts + 1 WHERE id = ${id}`);
    return { working };
  });
  await working;
  expect(await count(scope, {})).toBe(2);
  expect(await findListJob(scope)).toMatchObject({ state: "running", done: 0 });
});

test("an API key starts no job, which would outlive it", async () => {
  const owner = await newScope();
  const { apiKey } = await createApiKey(owner, { name: "Shop" });
  const [row] = await query<{ pk: number }>(sql`SELECT pk FROM api_key WHERE id = ${apiKey.id}`);
  const byKey = await reopenScope({
    workspacePk: owner.workspacePk,
    userPk: owner.userPk ?? 0,
    apiKeyPk: row?.pk ?? 0,
  });
  if (!byKey) throw new Error("The key opens no scope");
  await expect(startListJob(byKey, matching({}), { archived: true })).rejects.toMatchObject({
    code: "forbidden",
  });
});

test("a viewer starts no job", async () => {
  const owner = await newScope();
  const viewer = await joinTestScope(owner, `listed-viewer${created}`, "viewer");
  await expect(startListJob(viewer, matching({}), { delete: true })).rejects.toMatchObject({
    code: "forbidden",
  });
});

test("a deletion can be undone for some minutes only, another change for a day", async () => {
  const scope = await newScope();
  await makeMany(scope, 1);
  const id = await run(scope, {}, { disabled: true });
  await query(sql`UPDATE list_job SET finished_at = now() - interval '25 hours' WHERE id = ${id}`);
  await expect(undoListJob(scope, id)).rejects.toMatchObject({ code: "conflict" });
  const deletion = await run(scope, {}, { delete: true });
  await query(
    sql`UPDATE list_job SET created_at = now() - interval '11 minutes' WHERE id = ${deletion}`,
  );
  await expect(undoListJob(scope, deletion)).rejects.toMatchObject({ code: "conflict" });
});

test("a workspace has as many unfinished jobs as the limit", async () => {
  const scope = await newScope();
  const start = () => startListJob(scope, matching({}), { archived: true });
  for (let at = 0; at < openJobsMax; at++) await start();
  await expect(start()).rejects.toMatchObject({ code: "conflict" });
});
