import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { groupLinksMax } from "#lib/links/fields/schema";
import { createFolder, deleteFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { getLink } from "#lib/links/reading";
import { createTag, deleteTag } from "#lib/links/tags";
import { tagBody } from "#lib/links/tags/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { auditQuery } from "#lib/tenancy/audit/schema";
import { make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { changeGroup } from "./group.ts";
import { editLink } from "./index.ts";
import { type GroupStep, groupSteps } from "./schema.ts";

openTestStores();

let ownScope: WorkspaceScope;
let viewer: WorkspaceScope;
let otherScope: WorkspaceScope;
let a = "";
let b = "";

beforeAll(async () => {
  await openLinks();
  ownScope = await makeTestScope("group-ada");
  viewer = await joinTestScope(ownScope, "group-vic", "viewer");
  otherScope = await makeTestScope("group-bob");
  a = await newTag("A");
  b = await newTag("B");
});

async function newTag(name: string): Promise<string> {
  return (await createTag(ownScope, tagBody.parse({ name }))).id;
}

async function newFolder(name: string, more = {}): Promise<string> {
  return (await createFolder(ownScope, createFolderBody.parse({ name, ...more }))).id;
}

async function newLinks(...tagIds: string[][]): Promise<string[]> {
  const bodies = tagIds.map((ids) => ({ url: "https://a.example/", tagIds: ids }));
  return (await make(ownScope, bodies)).map(({ id }) => id);
}

async function statesOf(ids: readonly string[]) {
  const found = await Promise.all(ids.map((id) => getLink(ownScope, id)));
  return found.map(({ link }) => ({
    tags: link.tags.map(({ id }) => id).sort(),
    folderId: link.folderId,
    archived: link.archived,
  }));
}

async function change(...steps: GroupStep[]) {
  return await changeGroup(ownScope, groupSteps.parse(steps));
}

async function codesOf(scope: WorkspaceScope, steps: GroupStep[]): Promise<string[]> {
  const { outcomes } = await changeGroup(scope, steps);
  return outcomes.map((outcome) => (outcome.ok ? `ok ${outcome.changed}` : outcome.code));
}

test("a change of many is undone link by link, to exactly the previous values", async () => {
  const folders = [await newFolder("One"), await newFolder("Two")];
  const ids = await newLinks([], [a], [a, b], [b]);
  await editLink(ownScope, ids[0] ?? "", { folderId: folders[0] ?? "" });
  await editLink(ownScope, ids[3] ?? "", { archived: true });
  const before = await statesOf(ids);
  const { outcomes, undo } = await change({
    linkIds: ids,
    addTagIds: [a],
    removeTagIds: [b],
    folderId: folders[1] ?? "",
    archived: true,
  });
  expect(outcomes.every((outcome) => outcome.ok && outcome.changed)).toBe(true);
  for (const state of await statesOf(ids)) {
    expect(state).toEqual({ tags: [a], folderId: folders[1], archived: true });
  }
  await change(...undo);
  expect(await statesOf(ids)).toEqual(before);
});

test("undo skips values changed by another person meanwhile, and unchanged ones", async () => {
  const [from, to, third] = [await newFolder("F"), await newFolder("T"), await newFolder("E")];
  const ids = await newLinks([a], [], []);
  await change({ linkIds: ids, folderId: from });
  const { undo } = await change({ linkIds: ids, addTagIds: [a], folderId: to });
  await editLink(ownScope, ids[1] ?? "", { folderId: third });
  await editLink(ownScope, ids[2] ?? "", { tagIds: [a, b] });
  await change(...undo);
  expect(await statesOf(ids)).toEqual([
    { tags: [a], folderId: from, archived: false },
    { tags: [], folderId: third, archived: false },
    { tags: [b], folderId: from, archived: false },
  ]);
});

test("a folder and a tag that were deleted meanwhile refuse their link with a message and affect no other", async () => {
  const [folder, tag] = [await newFolder("Gone"), await newTag("Gone")];
  const ids = await newLinks([], [tag], []);
  await editLink(ownScope, ids[0] ?? "", { folderId: folder });
  const { undo } = await change({
    linkIds: ids,
    folderId: null,
    removeTagIds: [tag],
    archived: true,
  });
  await deleteFolder(ownScope, folder);
  await deleteTag(ownScope, tag);
  const back = undo.toSorted(
    (x, y) => ids.indexOf(x.linkIds[0] ?? "") - ids.indexOf(y.linkIds[0] ?? ""),
  );
  expect(await codesOf(ownScope, back)).toEqual(["folder_unknown", "tag_unknown", "ok true"]);
});

test("viewers may not, links of other workspaces do not exist, and a read-only folder is refused", async () => {
  const [id = ""] = await newLinks([]);
  const [foreign] = await make(otherScope, [{ url: "https://b.example/" }]);
  const step = { linkIds: [id, foreign?.id ?? "", "nonsense"], archived: true };
  await expect(changeGroup(viewer, [step])).rejects.toMatchObject({ code: "forbidden" });
  expect(await codesOf(ownScope, [step])).toEqual(["ok true", "gone", "gone"]);
  expect(await codesOf(ownScope, [step])).toEqual(["ok false", "gone", "gone"]);
  const member = await joinTestScope(ownScope, "group-mel", "member");
  const shown = await newFolder("Shown", { accessLevel: "read" });
  const hidden = await newFolder("Hidden", { accessLevel: null });
  expect(await codesOf(member, [{ linkIds: [id], folderId: shown }])).toEqual(["folder_forbidden"]);
  expect(await codesOf(member, [{ linkIds: [id], folderId: hidden }])).toEqual(["folder_unknown"]);
  await change({ linkIds: [id], folderId: shown });
  expect(await codesOf(member, [{ linkIds: [id], archived: false }])).toEqual(["folder_forbidden"]);
  await change({ linkIds: [id], folderId: hidden });
  expect(await codesOf(member, [{ linkIds: [id], archived: false }])).toEqual(["gone"]);
});

test("each changed link has one entry with its old and new values", async () => {
  const folder = await newFolder("Told");
  const [changed = "", unchanged = ""] = await newLinks([a], [b]);
  await change({ linkIds: [changed], folderId: folder, addTagIds: [b], archived: true });
  await change({ linkIds: [unchanged], addTagIds: [b] });
  const entries = (subject: string) =>
    listAudit(ownScope, auditQuery.parse({ subject, action: "link.edit" }));
  expect(await entries(unchanged)).toEqual([]);
  expect(await entries(changed)).toMatchObject([
    {
      details: {
        folderId: { from: null, to: folder },
        archived: { from: false, to: true },
        tagIds: { from: [a], to: [a, b] },
      },
    },
  ]);
});

test("two simultaneous changes of tags of the same links both apply", async () => {
  const ids = await newLinks(...Array.from({ length: 20 }, () => []));
  const backwards = ids.toReversed();
  await Promise.all([
    change({ linkIds: ids, addTagIds: [a] }),
    change({ linkIds: backwards, addTagIds: [b] }),
    change({ linkIds: ids, archived: true }),
  ]);
  for (const state of await statesOf(ids)) {
    expect(state).toMatchObject({ tags: [a, b].sort(), archived: true });
  }
});

test(`a call names at most ${groupLinksMax} links, over all its steps, and a link has at most 50 tags`, async () => {
  const names = Array.from({ length: groupLinksMax }, (_, at) => `link_${at}`);
  const step = { linkIds: names, archived: true };
  expect(groupSteps.safeParse([step]).success).toBe(true);
  expect(groupSteps.safeParse([step, { linkIds: ["one more"] }]).success).toBe(false);
  const many = await Promise.all(Array.from({ length: 51 }, (_, at) => newTag(`Many ${at}`)));
  const [id = ""] = await newLinks(many.slice(0, 49));
  expect(await codesOf(ownScope, [{ linkIds: [id], addTagIds: many.slice(0, 50) }])).toEqual([
    "ok true",
  ]);
  expect(await codesOf(ownScope, [{ linkIds: [id], addTagIds: [many[50] ?? ""] }])).toEqual([
    "tags_too_many",
  ]);
});
