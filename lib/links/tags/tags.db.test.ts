import { beforeAll, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { createLinks, openLinks } from "#lib/links/creating";
import { createLinkBody } from "#lib/links/fields/schema";
import { untagBatch } from "#lib/links/link-rows";
import { getLink } from "#lib/links/reading";
import { AppError } from "#lib/platform/errors";
import { prisma } from "#lib/platform/prisma";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { plans } from "#lib/tenancy/plans";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { countTagLinks, createTag, deleteTag, editTag, listTags } from "./index.ts";
import { listTagsQuery, type TagBody, tagBody, tagColors } from "./schema.ts";
import { countLinksOf } from "./store.ts";

openTestStores();

let scope: WorkspaceScope;
let other: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  scope = await makeTestScope("tags");
  other = await makeTestScope("others");
});

function body(given: object): TagBody {
  return tagBody.parse(given);
}

async function names(filters: object = {}, actor = scope): Promise<string[]> {
  const tags = await listTags(actor, listTagsQuery.parse(filters));
  return tags.map(({ name }) => name);
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}

test("of 20 that create the same tag at once, in any case, exactly one succeeds", async () => {
  const created = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      codeOf(createTag(scope, body({ name: at % 2 ? "Söldner" : "SÖLDNER" }))),
    ),
  );
  expect(created.filter((code) => code === "ok")).toHaveLength(1);
  expect(created.filter((code) => code === "conflict")).toHaveLength(19);
  expect(await codeOf(createTag(other, body({ name: "söldner" })))).toBe("ok");
});

test("of two edits to the same name at once one wins and the other is refused", async () => {
  const tags = await Promise.all(
    ["left", "right"].map((name) => createTag(other, body({ name, color: "red" }))),
  );
  const codes = await Promise.all(
    tags.map(({ id }) => codeOf(editTag(other, id, body({ name: "middle" })))),
  );
  expect(codes.sort()).toEqual(["conflict", "ok"]);
});

test("tags without a color get the least used ones, in their order", async () => {
  const fresh = await makeTestScope("colors");
  await createTag(fresh, body({ name: "given", color: "yellow" }));
  const colors: string[] = [];
  for (let at = 0; at < 8; at++) {
    colors.push((await createTag(fresh, body({ name: `c${at}` }))).color);
  }
  expect(colors).toEqual([...tagColors.filter((color) => color !== "yellow"), "red"]);
});

test("an edit changes the named fields and keeps the rest; the case of a name may change", async () => {
  const tag = await createTag(scope, body({ tag: "older word", color: "pink" }));
  expect(tag.name).toBe("older word");
  expect(await editTag(scope, tag.id, body({ name: "Older Word" }))).toEqual({
    ...tag,
    name: "Older Word",
  });
  expect(await editTag(scope, tag.id, body({ color: "gray" }))).toMatchObject({ color: "gray" });
  expect(await editTag(scope, tag.id, body({}))).toMatchObject({ name: "Older Word" });
});

test("a list is searched, filtered by ids, sorted and paged", async () => {
  const fresh = await makeTestScope("lists");
  const created = [];
  for (const name of ["b", "A%", "c"]) created.push(await createTag(fresh, body({ name })));
  expect(await names({}, fresh)).toEqual(["A%", "b", "c"]);
  expect(await names({ sortOrder: "desc" }, fresh)).toEqual(["c", "b", "A%"]);
  expect(await names({ sortBy: "createdAt" }, fresh)).toEqual(["b", "A%", "c"]);
  expect(await names({ search: "%" }, fresh)).toEqual(["A%"]);
  expect(await names({ page: "2", pageSize: "2" }, fresh)).toEqual(["c"]);
  const ids = created.map(({ id }) => id);
  expect(await names({ ids: `${ids[0]}, ${ids[2]},x\0` }, fresh)).toEqual(["b", "c"]);
  expect(await names({ ids: [ids[1], ids[2]] }, fresh)).toEqual(["A%", "c"]);
  expect(await names({ ids: ids.join(",") }, scope)).toEqual([]);
});

test("a deleted tag is removed from its links, and they stay", async () => {
  const tag = await createTag(scope, body({ name: "short-lived" }));
  const bodies = Array.from({ length: 5 }, () =>
    createLinkBody.parse({ url: "https://example.com", tagIds: [tag.id] }),
  );
  const outcomes = await createLinks(scope, bodies);
  const [first] = outcomes;
  if (!first?.ok) throw new Error(first?.message);
  expect(first.link.tags).toHaveLength(1);
  const { pk } = await prisma().tag.findUniqueOrThrow({ where: { id: tag.id } });
  expect(await untagBatch(pk, 3)).toBe(3);
  expect(await deleteTag(scope, tag.id)).toEqual({ id: tag.id });
  expect((await getLink(scope, first.link.id)).link.tags).toEqual([]);
  expect(await prisma().linkTag.count({ where: { tagPk: pk } })).toBe(0);
  expect(await codeOf(deleteTag(scope, tag.id))).toBe("not_found");
});

test("a tag of another workspace is answered exactly like a missing one", async () => {
  const theirs = await createTag(other, body({ name: "theirs" }));
  for (const id of [theirs.id, newId("tag"), "tag_1", "\0", ""]) {
    expect(await codeOf(editTag(scope, id, body({ name: "mine" })))).toBe("not_found");
    expect(await codeOf(deleteTag(scope, id))).toBe("not_found");
  }
  expect(await names({ search: "theirs" }, other)).toEqual(["theirs"]);
});

test("a viewer reads tags and changes none", async () => {
  const viewer = await joinTestScope(scope, "viewer", "viewer");
  expect(await names({ search: "older" }, viewer)).toEqual(["Older Word"]);
  expect(await codeOf(createTag(viewer, body({ name: "no" })))).toBe("forbidden");
  expect(await codeOf(editTag(viewer, newId("tag"), body({})))).toBe("forbidden");
  expect(await codeOf(deleteTag(viewer, newId("tag")))).toBe("forbidden");
});

test("a workspace has at most 5,000 tags, on a plan as many as the plan has", async () => {
  const full = await makeTestScope("full");
  await prisma().tag.createMany({
    data: Array.from({ length: 4_999 }, (_, at) => ({
      id: newId("tag"),
      workspacePk: full.workspacePk,
      name: `t${at}`,
      color: "red",
    })),
  });
  const last = Array.from({ length: 8 }, (_, at) =>
    codeOf(createTag(full, body({ name: `l${at}` }))),
  );
  expect((await Promise.all(last)).filter((code) => code === "ok")).toHaveLength(1);
  const free = { ...(await makeTestScope("free")), plan: "free" as const };
  const room = plans.free.limits.tags;
  const created = await Promise.all(
    Array.from({ length: room + 1 }, (_, at) => codeOf(createTag(free, body({ name: `f${at}` })))),
  );
  expect(created.filter((code) => code === "ok")).toHaveLength(room);
  expect(created.filter((code) => code === "forbidden")).toHaveLength(1);
});

test("every change leaves an audit row", async () => {
  const { workspacePk, actor } = scope;
  const rows = await prisma().auditEntry.findMany({
    where: { workspacePk },
    orderBy: { pk: "asc" },
  });
  const actions = new Set(rows.filter((row) => row.actor === actor).map(({ action }) => action));
  for (const action of ["tag.create", "tag.edit", "tag.delete"]) expect(actions).toContain(action);
});

test("links of a tag are counted up to the limit, and those of another workspace's tag not at all", async () => {
  const tag = await createTag(scope, body({ name: "counted" }));
  const links = Array.from({ length: 3 }, (_, at) =>
    createLinkBody.parse({ url: `https://example.com/${at}`, tagIds: [tag.id] }),
  );
  await createLinks(scope, links);
  expect(await countTagLinks(scope, [tag.id, "tag_nothing"])).toEqual(new Map([[tag.id, 3]]));
  expect(await countTagLinks(other, [tag.id])).toEqual(new Map());
  const all = { hiddenFolderPks: [], domainPks: null, folderPks: null };
  expect(await countLinksOf(scope.workspacePk, [tag.id], all, 2)).toEqual([
    { id: tag.id, links: 2 },
  ]);
});
