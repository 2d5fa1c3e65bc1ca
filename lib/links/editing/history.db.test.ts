import { beforeAll, beforeEach, expect, test } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import type { EditLink, Link, NewLink } from "#lib/links/fields/schema";
import { createFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { getLink } from "#lib/links/reading";
import { createTag, deleteTag } from "#lib/links/tags";
import { tagBody } from "#lib/links/tags/schema";
import { transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { listHistory, restoreState, undoEdit } from "./history.ts";
import { editLink } from "./index.ts";
import { historyPageSize } from "./schema.ts";

openTestStores();

let ownScope: WorkspaceScope;
let viewer: WorkspaceScope;
let otherScope: WorkspaceScope;
let created = 0;

beforeAll(async () => {
  await openLinks();
  ownScope = await makeTestScope("past-ada");
  viewer = await joinTestScope(ownScope, "past-vic", "viewer");
  otherScope = await makeTestScope("past-bob");
});

beforeEach(() => {
  created += 1;
});

async function one(body: Partial<NewLink> = {}): Promise<Link> {
  const [link] = await make(ownScope, [{ url: "https://a.example/", ...body }]);
  if (!link) throw new Error("no link");
  return link;
}

async function edit(link: Link, body: EditLink): Promise<void> {
  const outcome = await editLink(ownScope, link.id, body);
  if (!outcome.ok) throw new Error(outcome.message);
}

async function now(link: Link): Promise<Link> {
  return { ...(await getLink(ownScope, link.id)).link, updatedAt: "" };
}

async function entriesOf(link: Link) {
  return (await listHistory(ownScope, link.id)).entries;
}

async function back(link: Link, entry: string | null, scope = ownScope) {
  const { revision } = await listHistory(ownScope, link.id);
  return await restoreState(scope, link.id, entry, revision);
}

function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "ok",
    (error: unknown) => Object(error).code,
  );
}

test("each change has its author, its time, and each field with old and new value", async () => {
  const tag = await createTag(ownScope, tagBody.parse({ name: `Tag ${created}` }));
  const folder = await createFolder(
    ownScope,
    createFolderBody.parse({ name: `Folder ${created}` }),
  );
  const link = await one({ title: "Old" });
  await edit(link, { title: "New", tagIds: [tag.id], folderId: folder.id, redirectStatus: 301 });
  await edit(link, { password: "secret" });
  const { entries, names, more } = await listHistory(viewer, link.id);
  expect(more).toBe(false);
  expect(names).toEqual({ [tag.id]: tag.name, [folder.id]: folder.name });
  expect(entries[0]?.changes).toEqual([{ field: "password" }]);
  expect(entries[1]).toMatchObject({
    actor: { id: ownScope.userId, name: "past-ada", type: "user" },
    action: "link.edit",
  });
  expect(entries[1]?.changes).toHaveLength(4);
  expect(entries[1]?.changes).toEqual(
    expect.arrayContaining([
      { field: "title", from: "Old", to: "New" },
      { field: "redirectStatus", from: 0, to: 301 },
      { field: "folderId", from: null, to: folder.id },
      { field: "tagIds", from: [], to: [tag.id] },
    ]),
  );
  expect(JSON.stringify(entries)).not.toContain("secret");
});

test("a link is restored to any previous version, or to its creation, and forth again", async () => {
  const tag = await createTag(ownScope, tagBody.parse({ name: `Way ${created}` }));
  const folder = await createFolder(ownScope, createFolderBody.parse({ name: `Way ${created}` }));
  const link = await one({
    key: `way-${created}`,
    title: "0",
    geo: { DE: "https://a.example/de" },
  });
  const states = [await now(link)];
  for (const body of [
    { title: "1", tagIds: [tag.id], archived: true },
    { url: "https://b.example/", key: `other-${created}`, folderId: folder.id, disabled: true },
    { title: null, tagIds: [], geo: null, maxClicks: 3, redirectStatus: 308 },
    { key: `way-${created}`, expiresAt: "2031-01-01T00:00:00.000Z", disabled: false },
  ] satisfies EditLink[]) {
    await edit(link, body);
    states.push(await now(link));
  }
  const ids = [...(await entriesOf(link)).map(({ id }) => id).reverse()];
  const places = [null, ...ids];
  // The time at which a link was disabled is not restored, only the state.
  const plain = (state: Link | undefined) => ({ ...state, disabledAt: Boolean(state?.disabledAt) });
  for (const at of [3, 0, 2, 1, 4]) {
    expect(await back(link, places[at] ?? null), `state ${at}`).toMatchObject({
      ok: true,
      leftOut: [],
    });
    expect(plain(await now(link)), `state ${at}`).toEqual(plain(states[at]));
  }
});

test("restoring a version never overwrites a change that the person has not seen, however many try at once", async () => {
  const link = await one({ title: "0" });
  await edit(link, { title: "1" });
  const { revision } = await listHistory(ownScope, link.id);
  await edit(link, { comments: "by somebody else" });
  expect(await restoreState(ownScope, link.id, null, revision)).toMatchObject({
    ok: false,
    code: "changed_meanwhile",
  });
  expect(await now(link)).toMatchObject({ title: "1", comments: "by somebody else" });
  const seen = (await listHistory(ownScope, link.id)).revision;
  const tries = await Promise.all(
    Array.from({ length: 6 }, () => restoreState(ownScope, link.id, null, seen)),
  );
  expect(tries.filter(({ ok }) => ok)).toHaveLength(1);
});

test("a name taken meanwhile is refused; deleted or never stored values are left out", async () => {
  const tag = await createTag(ownScope, tagBody.parse({ name: `Lost ${created}` }));
  const link = await one({ key: `mine-${created}`, tagIds: [tag.id], title: "0" });
  await edit(link, { key: `free-${created}` });
  await createLinks(otherScope, [{ url: "https://b.example/", key: `mine-${created}` }]);
  expect(await back(link, null)).toMatchObject({ ok: false, code: "key_taken" });
  const [renamed] = await entriesOf(link);
  await edit(link, { tagIds: [], title: "1", password: "secret" });
  await deleteTag(ownScope, tag.id);
  const went = await back(link, renamed?.id ?? "");
  expect(went).toMatchObject({ ok: true, leftOut: ["password", "tagIds"] });
  expect(await now(link)).toMatchObject({ title: "0", tags: [], password: "********" });
});

test("viewers read it and change nothing; links of other workspaces and of hidden folders do not exist", async () => {
  const [link, another] = [await one(), await one()];
  await edit(link, { title: "1" });
  await edit(another, { title: "1" });
  const [foreign] = await entriesOf(another);
  expect(await codeOf(back(link, null, viewer))).toBe("forbidden");
  expect(await codeOf(listHistory(otherScope, link.id))).toBe("not_found");
  expect(await codeOf(back(link, null, otherScope))).toBe("not_found");
  expect(await codeOf(back(link, foreign?.id ?? ""))).toBe("not_found");
  expect(await codeOf(back(link, "nonsense"))).toBe("not_found");
  const folder = await createFolder(
    ownScope,
    createFolderBody.parse({ name: `Hidden ${created}`, accessLevel: null }),
  );
  await edit(link, { folderId: folder.id });
  expect(await codeOf(listHistory(viewer, link.id))).toBe("not_found");
});

test(`a page has ${historyPageSize} changes and the next one continues; 500 changes can be listed`, async () => {
  const link = await one({ title: "first" });
  const details = { title: { from: "first", to: "later" } };
  const entry = {
    workspacePk: ownScope.workspacePk,
    actor: ownScope.actor,
    subject: link.id,
    details,
  };
  const put = (count: number) =>
    transaction((tx) =>
      recordAudit(
        tx,
        Array.from({ length: count }, () => ({ ...entry, action: "link.edit" })),
      ),
    );
  await put(500);
  const first = await listHistory(ownScope, link.id);
  const second = await listHistory(ownScope, link.id, first.entries.at(-1)?.id);
  expect([first.entries.length, first.more]).toEqual([historyPageSize, true]);
  expect(new Set([...first.entries, ...second.entries].map(({ id }) => id)).size).toBe(
    2 * historyPageSize,
  );
  await edit(link, { comments: "one more" });
  expect(await codeOf(back(link, null))).toBe("unprocessable_entity");
  const entries = await listHistory(ownScope, link.id);
  expect(await codeOf(back(link, entries.entries.at(-1)?.id ?? ""))).toBe("ok");
});

test("an edit is undone by who made it, unless the link changed since then", async () => {
  const link = await one({ title: "Before" });
  const undo = async (scope: WorkspaceScope, savedAt: string) => {
    const outcome = await undoEdit(scope, link.id, savedAt);
    return outcome.ok ? "ok" : outcome.code;
  };
  const savedAt = async () => (await getLink(ownScope, link.id)).link.updatedAt;
  expect(await undo(ownScope, await savedAt())).toBe("changed_meanwhile");
  await edit(link, { title: "First" });
  const first = await savedAt();
  const member = await joinTestScope(ownScope, `past-mel-${created}`, "member");
  expect(await undo(member, first)).toBe("changed_meanwhile");
  await edit(link, { title: "Second" });
  expect(await undo(ownScope, first)).toBe("changed_meanwhile");
  expect(await undo(ownScope, await savedAt())).toBe("ok");
  expect(await now(link)).toMatchObject({ title: "First" });
  expect(await codeOf(undoEdit(viewer, link.id, first))).toBe("forbidden");
});
