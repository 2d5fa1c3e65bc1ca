import { expect, test } from "vitest";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { createSavedView, deleteSavedView, listSavedViews } from "./index.ts";
import { newSavedView, savedViewsMax } from "./schema.ts";

openTestStores();

let created = 0;

function newScope(): Promise<WorkspaceScope> {
  created += 1;
  return makeTestScope(`viewing${created}`);
}

const view = (name: string, shared = false) => ({ name, search: "status=expired", shared });
const namesOf = async (scope: WorkspaceScope) =>
  (await listSavedViews(scope)).map(({ name }) => name);

test("a private view is visible to its owner only, a shared one to the workspace and nobody else", async () => {
  const owner = await newScope();
  const viewer = await joinTestScope(owner, `viewing-viewer${created}`, "viewer");
  const stranger = await newScope();
  await createSavedView(owner, view("Mine"));
  await createSavedView(owner, view("Ours", true));
  expect(await namesOf(owner)).toEqual(["Mine", "Ours"]);
  expect(await namesOf(viewer)).toEqual(["Ours"]);
  expect(await namesOf(stranger)).toEqual([]);
});

test("a viewer saves private views and shares none", async () => {
  const owner = await newScope();
  const viewer = await joinTestScope(owner, `viewing-only${created}`, "viewer");
  await createSavedView(viewer, view("Own"));
  await expect(createSavedView(viewer, view("All", true))).rejects.toMatchObject({
    code: "forbidden",
  });
});

test("a view is deleted by its owner, a shared one by admins too, and by nobody else", async () => {
  const owner = await newScope();
  const member = await joinTestScope(owner, `viewing-member${created}`, "member");
  const other = await joinTestScope(owner, `viewing-other${created}`, "member");
  const stranger = await newScope();
  const own = await createSavedView(member, view("Own"));
  const shared = await createSavedView(member, view("Shared", true));
  for (const scope of [other, stranger]) {
    for (const { id } of [own, shared]) {
      await expect(deleteSavedView(scope, id)).rejects.toMatchObject({ code: "not_found" });
    }
  }
  // Private to everyone, also to admins.
  await expect(deleteSavedView(owner, own.id)).rejects.toMatchObject({ code: "not_found" });
  await deleteSavedView(owner, shared.id);
  await deleteSavedView(member, own.id);
  expect(await namesOf(member)).toEqual([]);
});

test("a person has one view of a name, and as many views as the limit", async () => {
  const owner = await newScope();
  await createSavedView(owner, view("1"));
  await expect(createSavedView(owner, view("1"))).rejects.toMatchObject({ code: "conflict" });
  for (let at = 2; at <= savedViewsMax; at++) await createSavedView(owner, view(String(at)));
  await expect(createSavedView(owner, view("one more"))).rejects.toMatchObject({
    problem: { code: "views_full" },
  });
});

test("a name has 1 to 64 characters, and the filters at most 4,000", () => {
  const accepts = (change: object) => newSavedView.safeParse({ ...view("x"), ...change }).success;
  expect(accepts({ name: "x".repeat(64), search: "x".repeat(4_000) })).toBe(true);
  expect(accepts({ name: "x".repeat(65) })).toBe(false);
  expect(accepts({ name: " " })).toBe(false);
  expect(accepts({ search: "x".repeat(4_001) })).toBe(false);
});
