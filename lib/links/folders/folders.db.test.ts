import { beforeAll, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { createLinks, openLinks } from "#lib/links/creating";
import { createLinkBody } from "#lib/links/fields/schema";
import { getLink } from "#lib/links/reading";
import { visibleLinks } from "#lib/links/visible-links";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { plans } from "#lib/tenancy/plans";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  clearFolders,
  createFolder,
  deleteFolder,
  describeFolders,
  editFolder,
  findFolder,
  listFolders,
  readOnlyFolderPks,
  resolveFolder,
  resolveFolders,
} from "./index.ts";
import { createFolderBody, editFolderBody, type Folder, listFoldersQuery } from "./schema.ts";

openTestStores();

let owner: WorkspaceScope;
let admin: WorkspaceScope;
let creatorScope: WorkspaceScope;
let member: WorkspaceScope;
let viewer: WorkspaceScope;
let stranger: WorkspaceScope;
const folders: Record<string, Folder> = {};

beforeAll(async () => {
  await openLinks();
  owner = await makeTestScope("owner");
  stranger = await makeTestScope("stranger");
  admin = await joinTestScope(owner, "admin", "admin");
  creatorScope = await joinTestScope(owner, "maker", "member");
  member = await joinTestScope(owner, "member", "member");
  viewer = await joinTestScope(owner, "viewer", "viewer");
  for (const accessLevel of ["write", "read", null]) {
    folders[String(accessLevel)] = await make(creatorScope, {
      name: `of ${accessLevel}`,
      accessLevel,
    });
  }
});

function make(scope: WorkspaceScope, body: object): Promise<Folder> {
  return createFolder(scope, createFolderBody.parse(body));
}

function edit(scope: WorkspaceScope, id: string, body: object): Promise<Folder> {
  return editFolder(scope, id, editFolderBody.parse(body));
}

function idOf(level: "write" | "read" | "null"): string {
  return String(folders[level]?.id);
}

async function names(scope: WorkspaceScope, filters: object = {}): Promise<string[]> {
  const listed = await listFolders(scope, listFoldersQuery.parse(filters));
  return listed.map(({ name }) => name);
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}

test("access to a folder follows the access level, the role and its creator", async () => {
  const all = ["of null", "of read", "of write"];
  for (const scope of [owner, admin, creatorScope]) expect(await names(scope)).toEqual(all);
  for (const scope of [member, viewer]) expect(await names(scope)).toEqual(all.slice(1));
  expect(await names(stranger)).toEqual([]);
});

test("permissions to read and write in a folder are the same for one and for many", async () => {
  const answers: Record<string, string[]> = {};
  for (const [name, scope] of Object.entries({ admin, creatorScope, member, stranger })) {
    const ids = [idOf("write"), idOf("read"), idOf("null"), newId("fold"), "\0"];
    const resolved = await resolveFolders(scope, ids, "write");
    answers[name] = [...resolved.values()].map((one) => (one.ok ? "ok" : one.code));
    for (const id of ids) expect(await resolveFolder(scope, id, "write")).toEqual(resolved.get(id));
  }
  const missing = ["folder_unknown", "folder_unknown"];
  const everything = ["ok", "ok", "ok", ...missing];
  expect(answers).toEqual({
    admin: everything,
    creatorScope: everything,
    member: ["ok", "folder_forbidden", "folder_unknown", ...missing],
    stranger: ["folder_unknown", "folder_unknown", "folder_unknown", ...missing],
  });
  expect(await resolveFolder(member, idOf("read"), "read")).toMatchObject({ ok: true });
  expect(await resolveFolder(member, idOf("null"), "read")).toMatchObject({ ok: false });
});

test("lists receive hidden and read-only folders", async () => {
  const pkOf = async (level: "read" | "null") => {
    const row = await prisma().folder.findUniqueOrThrow({ where: { id: idOf(level) } });
    return row.pk;
  };
  for (const scope of [owner, admin, creatorScope]) {
    expect((await visibleLinks(scope)).hiddenFolderPks).toEqual([]);
    expect(await readOnlyFolderPks(scope)).toEqual([]);
  }
  expect((await visibleLinks(member)).hiddenFolderPks).toEqual([await pkOf("null")]);
  expect(await readOnlyFolderPks(member)).toEqual([await pkOf("read")]);
});

test("a folder is changed by its creator, owners and admins; others read no more than they may see", async () => {
  for (const scope of [owner, admin, creatorScope]) {
    const edited = await edit(scope, idOf("read"), { description: scope.actor });
    expect(edited).toMatchObject({ name: "of read", accessLevel: "read" });
    expect(edited.description).toBe(scope.actor);
  }
  expect(await codeOf(edit(member, idOf("write"), { name: "x" }))).toBe("forbidden");
  expect(await codeOf(deleteFolder(member, idOf("write")))).toBe("forbidden");
  expect(await codeOf(edit(member, idOf("null"), { name: "x" }))).toBe("not_found");
  expect(await codeOf(deleteFolder(member, idOf("null")))).toBe("not_found");
  expect(await codeOf(edit(viewer, idOf("read"), { name: "x" }))).toBe("forbidden");
  expect(await codeOf(make(viewer, { name: "x" }))).toBe("forbidden");
  for (const id of [idOf("write"), newId("fold"), "fold_1", "\0"]) {
    expect(await codeOf(edit(stranger, id, { name: "x" }))).toBe("not_found");
    expect(await codeOf(deleteFolder(stranger, id))).toBe("not_found");
  }
});

test("an edit keeps omitted fields, and null clears", async () => {
  const created = await make(owner, { name: "kept", description: "text" });
  expect(created).toMatchObject({ type: "default", accessLevel: "write", description: "text" });
  const closed = await edit(owner, created.id, { accessLevel: null });
  expect(closed).toMatchObject({ name: "kept", description: "text", accessLevel: null });
  expect(await edit(owner, created.id, { description: null })).toMatchObject({
    accessLevel: null,
    description: null,
  });
  expect(closed.updatedAt > created.updatedAt).toBe(true);
});

test("of 20 that create the same folder at once, in any case, exactly one succeeds", async () => {
  const created = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      codeOf(make(stranger, { name: at % 2 ? "once" : "ONCE" })),
    ),
  );
  expect(created.filter((code) => code === "ok")).toHaveLength(1);
  expect(created.filter((code) => code === "conflict")).toHaveLength(19);
  const second = await make(stranger, { name: "second" });
  expect(await codeOf(edit(stranger, second.id, { name: "Once" }))).toBe("conflict");
});

test("links of a deleted folder have none at once, and a worker clears them in steps", async () => {
  const folder = await make(stranger, { name: "full of links" });
  const other = await make(stranger, { name: "another" });
  const bodies = Array.from({ length: 25 }, (_, at) =>
    createLinkBody.parse({
      url: "https://example.com",
      folderId: at % 5 === 4 ? other.id : folder.id,
    }),
  );
  const created = await createLinks(stranger, bodies);
  const [first] = created;
  if (!first?.ok) throw new Error(first?.message);
  expect(first.link.folderId).toBe(folder.id);
  const { pk } = await prisma().folder.findUniqueOrThrow({ where: { id: folder.id } });
  expect(await deleteFolder(stranger, folder.id)).toEqual({ id: folder.id });
  expect((await getLink(stranger, first.link.id)).link.folderId).toBeNull();
  expect(await codeOf(make(stranger, { name: "full of links" }))).toBe("ok");
  expect(await clearFolders()).toBe(0); // not due for a minute
  await query(sql`UPDATE folder_clearing SET due_at = now() - interval '1 second'`);
  const steps = await Promise.all([clearFolders(10), clearFolders(10)]);
  expect(steps[0] + steps[1]).toBe(3);
  expect(await prisma().link.count({ where: { folderPk: pk } })).toBe(0);
  expect(await prisma().link.count({ where: { folderPk: { not: null } } })).toBe(5);
  expect(await clearFolders()).toBe(0);
  expect(await codeOf(deleteFolder(stranger, folder.id))).toBe("not_found");
});

test("a list is searched, filtered by ids and paged by name", async () => {
  const fresh = await makeTestScope("pages");
  const created: string[] = [];
  for (const name of ["b", "A_", "c"]) created.push((await make(fresh, { name })).id);
  expect(await names(fresh)).toEqual(["A_", "b", "c"]);
  expect(await names(fresh, { search: "_" })).toEqual(["A_"]);
  const [b, , c] = created;
  expect(await names(fresh, { ids: `${c},${b},x\0` })).toEqual(["b", "c"]);
  expect(await names(creatorScope, { ids: created.join(",") })).toEqual([]);
  const idsOf = (count: number) => ({ ids: Array(count).fill("a").join(",") });
  expect(listFoldersQuery.safeParse(idsOf(100)).success).toBe(true);
  expect(listFoldersQuery.safeParse(idsOf(101)).success).toBe(false);
  expect(await names(fresh, { page: "2", pageSize: "2" })).toEqual(["c"]);
});

test("a workspace has at most 5,000 folders, on a plan as many as the plan has", async () => {
  const full = await makeTestScope("full");
  await prisma().folder.createMany({
    data: Array.from({ length: 4_999 }, (_, at) => ({
      id: newId("fold"),
      workspacePk: full.workspacePk,
      name: `f${at}`,
    })),
  });
  const last = Array.from({ length: 8 }, (_, at) => codeOf(make(full, { name: `l${at}` })));
  expect((await Promise.all(last)).filter((code) => code === "ok")).toHaveLength(1);
  const free = { ...(await makeTestScope("free")), plan: "free" as const };
  const room = plans.free.limits.folders;
  const created = await Promise.all(
    Array.from({ length: room + 1 }, (_, at) => codeOf(make(free, { name: `f${at}` }))),
  );
  expect(created.filter((code) => code === "forbidden")).toHaveLength(1);
});

test("every change leaves an audit row", async () => {
  const { workspacePk } = stranger;
  const rows = await prisma().auditEntry.findMany({ where: { workspacePk } });
  const actions = new Set(rows.map(({ action }) => action));
  expect(actions).toContain("folder.create");
  expect(actions).toContain("folder.delete");
  const edits = {
    workspacePk: owner.workspacePk,
    action: "folder.edit",
    actor: creatorScope.actor,
  };
  expect(await prisma().auditEntry.count({ where: edits })).toBe(1);
});

test("a list has the links of a folder and its editors, and nothing of closed folders", async () => {
  const folder = await make(creatorScope, { name: "described", accessLevel: "read" });
  const hidden = await make(creatorScope, { name: "described and closed", accessLevel: null });
  await createLinks(creatorScope, [
    createLinkBody.parse({ url: "https://example.com/described", folderId: folder.id }),
  ]);
  const ids = [folder.id, hidden.id];
  const readList = async (scope: WorkspaceScope) => {
    const uses = await describeFolders(scope, ids);
    return ids.map((id) => uses.get(id));
  };
  const mine = { links: 1, changeable: true };
  const closed = { links: 0, changeable: true };
  expect(await readList(creatorScope)).toEqual([mine, closed]);
  expect(await readList(admin)).toEqual([mine, closed]);
  expect(await readList(member)).toEqual([{ ...mine, changeable: false }, undefined]);
  expect(await readList(viewer)).toEqual([{ ...mine, changeable: false }, undefined]);
  expect(await readList(stranger)).toEqual([undefined, undefined]);
});

test("a folder is found by members who may see it, and by no other", async () => {
  const found = async (scope: WorkspaceScope) => (await findFolder(scope, idOf("null")))?.name;
  expect(await Promise.all([creatorScope, owner, admin].map(found))).toEqual(
    Array(3).fill("of null"),
  );
  expect(await Promise.all([member, viewer, stranger].map(found))).toEqual(
    Array(3).fill(undefined),
  );
  expect(await findFolder(viewer, idOf("read"))).toMatchObject({ name: "of read" });
  expect(await findFolder(owner, "nonsense")).toBeUndefined();
});
