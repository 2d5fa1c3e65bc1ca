import { beforeAll, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { AppError } from "#lib/platform/errors";
import { prisma } from "#lib/platform/prisma";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { openTestStores } from "../../../test/stores.ts";
import {
  createWorkspace,
  deleteWorkspace,
  graceDays,
  listDeletedWorkspaces,
  listWorkspaces,
  openWorkspace,
  restoreWorkspace,
  updateWorkspace,
} from "./index.ts";

openTestStores();

let ada = "";
let eve = "";

async function newUser(name: string): Promise<string> {
  const id = newId("user");
  await prisma().user.create({ data: { id, name, email: `${name}@example.com` } });
  return id;
}

beforeAll(async () => {
  ada = await newUser("ada");
  eve = await newUser("eve");
});

async function newScope(slug: string): Promise<WorkspaceScope> {
  await createWorkspace(ada, { name: slug, slug });
  const scope = await openWorkspace(ada, slug);
  if (!scope) throw new Error("The workspace that was made cannot be opened");
  return scope;
}

async function join(scope: WorkspaceScope, userId: string, role: string): Promise<void> {
  const user = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
  await prisma().membership.create({
    data: { workspacePk: scope.workspacePk, userPk: user.pk, role },
  });
}

test("a workspace of other people is opened exactly like a missing one", async () => {
  await newScope("mine");
  expect(await openWorkspace(eve, "mine")).toBe(await openWorkspace(eve, "missing"));
  expect(await listWorkspaces(eve)).toEqual([]);
});

test("a slug belongs to the first of 20 that request it at once", async () => {
  const all = Array.from({ length: 20 }, () => createWorkspace(ada, { name: "A", slug: "wanted" }));
  const outcomes = await Promise.all(all);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect(outcomes.find(({ ok }) => !ok)).toEqual({ ok: false, code: "slug_taken" });
});

test("a word that the dashboard uses is no slug", async () => {
  const refused = { ok: false, code: "slug_reserved" };
  expect(await createWorkspace(ada, { name: "New", slug: "new" })).toEqual(refused);
  expect(await updateWorkspace(await newScope("plain"), { slug: "admin" })).toEqual(refused);
});

test("a workspace is edited, and its old slug is free again", async () => {
  const scope = await newScope("before");
  const edit = { name: "After", slug: "after", zone: "Asia/Shanghai" };
  expect(await updateWorkspace(scope, edit)).toMatchObject({ ok: true, workspace: edit });
  expect(await openWorkspace(ada, "after")).toMatchObject({ zone: "Asia/Shanghai" });
  expect((await createWorkspace(ada, { name: "B", slug: "before" })).ok).toBe(true);
  expect(await updateWorkspace(scope, { slug: "before" })).toEqual({
    ok: false,
    code: "slug_taken",
  });
  expect(await updateWorkspace(scope, { name: "Again" })).toMatchObject({
    workspace: { slug: "after" },
  });
});

test("roles have the permissions of the policy", async () => {
  const scope = await newScope("roles");
  await join(scope, eve, "viewer");
  const theirs = await openWorkspace(eve, "roles");
  if (!theirs) throw new Error("The member is none");
  expect(() => assertMay(theirs, "links.read")).not.toThrow();
  expect(() => assertMay(theirs, "links.write")).toThrow(AppError);
  await expect(updateWorkspace(theirs, { name: "Mine" })).rejects.toThrow("workspace.write");
});

test("every change leaves an audit row", async () => {
  const scope = await newScope("audited");
  await updateWorkspace(scope, { name: "Audited" });
  const rows = await prisma().auditEntry.findMany({ where: { workspacePk: scope.workspacePk } });
  expect(rows.map(({ action }) => action).toSorted()).toEqual([
    "workspace.create",
    "workspace.edit",
  ]);
  expect(rows.every(({ actor }) => actor === ada)).toBe(true);
});

test("a deleted workspace cannot be opened, and an owner restores it unchanged", async () => {
  const scope = await newScope("regretted");
  await join(scope, eve, "admin");
  const theirs = await openWorkspace(eve, "regretted");
  if (!theirs) throw new Error("The member is none");
  await expect(deleteWorkspace(theirs)).rejects.toThrow("workspace.delete");
  await deleteWorkspace(scope);
  await expect(deleteWorkspace(scope)).rejects.toThrow("already been deleted");
  expect(await openWorkspace(ada, "regretted")).toBeUndefined();
  expect((await listDeletedWorkspaces(ada)).map(({ id }) => id)).toEqual([scope.workspaceId]);
  expect(await listDeletedWorkspaces(eve)).toEqual([]);
  const refused = restoreWorkspace(eve, scope.workspaceId).catch(String);
  expect(await refused).toBe(await restoreWorkspace(eve, "ws_missing").catch(String));
  expect(await restoreWorkspace(ada, scope.workspaceId)).toBe("regretted");
  expect((await openWorkspace(eve, "regretted"))?.role).toBe("admin");
  await expect(restoreWorkspace(ada, scope.workspaceId)).rejects.toThrow("can’t be restored");
});

test.each([
  [graceDays * 86_400 - 60, true],
  [graceDays * 86_400 + 1, false],
])("a workspace that was deleted %i seconds ago can be restored: %s", async (seconds, possible) => {
  const scope = await newScope(`gone-${seconds}`);
  await deleteWorkspace(scope);
  await prisma().workspace.update({
    where: { pk: scope.workspacePk },
    data: { deletedAt: new Date(Date.now() - seconds * 1_000) },
  });
  const restored = await restoreWorkspace(ada, scope.workspaceId).then(
    () => true,
    () => false,
  );
  expect(restored).toBe(possible);
});
