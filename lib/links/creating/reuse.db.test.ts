import { beforeAll, expect, test } from "vitest";
import { loadLookups } from "#lib/links/fields";
import type { NewLink } from "#lib/links/fields/schema";
import { createFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { takeCodes } from "#lib/links/keys";
import { commitLink, type Draft } from "#lib/links/writing";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openWorkspace, updateWorkspace } from "#lib/tenancy/workspaces";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { createLinks, openLinks } from "./index.ts";
import { prepareLink } from "./prepared-link.ts";

openTestStores();
beforeAll(openLinks);

const url = "https://example.com/same";

async function make(scope: WorkspaceScope, body: object = {}): Promise<string> {
  const [outcome] = await createLinks(scope, [{ url, ...body }]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  return outcome.link.id;
}

/** Simulates the time since a URL was last used. */
async function wait(scope: WorkspaceScope, seconds: number): Promise<void> {
  await query(sql`
    UPDATE link_reuse
    SET used_at = used_at - ${seconds} * interval '1 second'
    WHERE workspace_pk = ${scope.workspacePk}`);
}

async function withReuse(name: string, reuseSeconds: number | null): Promise<WorkspaceScope> {
  const scope = await makeTestScope(name);
  await updateWorkspace(scope, { reuseSeconds });
  const opened = await openWorkspace(scope.userId ?? "", scope.slug);
  if (!opened) throw new Error("The workspace is gone");
  return opened;
}

test("a url keeps its link as long as it is requested within the window, and no longer", async () => {
  const scope = await makeTestScope("window");
  const first = await make(scope, { reuse: 100 });
  await wait(scope, 90);
  expect(await make(scope, { reuse: 100 })).toBe(first);
  // The recent use restarted the time.
  await wait(scope, 90);
  expect(await make(scope, { reuse: 100 })).toBe(first);
  await wait(scope, 101);
  expect(await make(scope, { reuse: 100 })).not.toBe(first);
});

test("true means a day", async () => {
  const scope = await makeTestScope("day");
  const first = await make(scope, { reuse: true });
  await wait(scope, 86_000);
  expect(await make(scope, { reuse: true })).toBe(first);
  await wait(scope, 86_401);
  expect(await make(scope, { reuse: true })).not.toBe(first);
});

test("the setting of the workspace applies unless a caller overrides it", async () => {
  const scope = await withReuse("default", 3_600);
  const first = await make(scope);
  expect(await make(scope)).toBe(first);
  expect(await make(scope, { reuse: true })).toBe(first);
  expect(await make(scope, { reuse: false })).not.toBe(first);
  await wait(scope, 3_601);
  expect(await make(scope)).not.toBe(first);
});

test("without the setting every call creates a link", async () => {
  const scope = await withReuse("nothing", null);
  expect(await make(scope)).not.toBe(await make(scope));
});

test("links of another workspace or domain are not reused", async () => {
  const [ownScope, otherScope] = [await makeTestScope("mine"), await makeTestScope("theirs")];
  expect(await make(otherScope, { reuse: true })).not.toBe(await make(ownScope, { reuse: true }));
});

test("one call that names a url many times gets one link for it", async () => {
  const scope = await makeTestScope("batch");
  const outcomes = await createLinks(
    scope,
    Array.from({ length: 500 }, (_, at) => ({ url: `${url}/${at % 5}`, reuse: true })),
  );
  expect(new Set(outcomes.map((outcome) => outcome.ok && outcome.link.id)).size).toBe(5);
});

test("a call that names a link gets that link", async () => {
  const scope = await makeTestScope("named");
  const first = await make(scope, { reuse: true });
  expect(await make(scope, { reuse: true, key: "mine" })).not.toBe(first);
  expect(await make(scope, { reuse: true, externalId: "mine" })).not.toBe(first);
});

test("new links expire by their workspace's default, counted from when they open, unless overridden", async () => {
  const scope = await makeTestScope("mortal");
  await updateWorkspace(scope, { lifetimeSeconds: 3_600 });
  const expiring = await openWorkspace(String(scope.userId), scope.slug);
  if (!expiring) throw new Error("No scope");
  const startsAt = "2036-01-01T00:00:00.000Z";
  const expiresAt = "2037-01-01T00:00:00.000Z";
  const outcomes = await createLinks(expiring, [
    { url },
    { url, title: "Told" },
    { url, startsAt },
    { url, expiresAt: null },
    { url, expiresAt },
  ]);
  const links = outcomes.map((one) => (one.ok ? one.link : undefined));
  const afterCreate = links.slice(0, 2).map((link) => {
    return Date.parse(String(link?.expiresAt)) - Date.parse(String(link?.createdAt));
  });
  expect(afterCreate).toEqual([3_600_000, 3_600_000]);
  expect(links.slice(2).map((link) => link?.expiresAt)).toEqual([
    "2036-01-01T01:00:00.000Z",
    null,
    expiresAt,
  ]);
  // The stored value is the returned one, also by the lane of plain links.
  const [kept] = await query<{ ends: number }>(sql`
    SELECT count(expires_at) AS ends
    FROM link
    WHERE workspace_pk = ${expiring.workspacePk}`);
  expect(kept?.ends).toBe(4);
});

async function draftOf(scope: WorkspaceScope, body: NewLink): Promise<Draft> {
  const [[code], lookups] = await Promise.all([takeCodes(1), loadLookups(scope, [body])]);
  if (!code) throw new Error("No code");
  const options = { source: "api", prefill: false, code, part: 0 } as const;
  const prepared = prepareLink(scope, { ...body, reuse: true }, lookups, options);
  if (!prepared.ok) throw new Error(prepared.message);
  return prepared.draft;
}

test("equal creates in one batch share a link of a visible folder, and none of a folder hidden from one of them", async () => {
  const owner = await makeTestScope("batches");
  const member = await joinTestScope(owner, "batched", "member");
  const idOf = async (draft: Draft) => {
    const outcome = await commitLink(draft);
    if (!outcome.ok) throw new Error(outcome.code);
    return "found" in outcome ? outcome.found : outcome.row.id;
  };
  for (const [accessLevel, isShared] of [
    ["read", true],
    [null, false],
  ] as const) {
    const body = createFolderBody.parse({ name: `${accessLevel}`, accessLevel });
    const { id: folderId } = await createFolder(owner, body);
    const equal = `${url}/batch/${accessLevel}`;
    const drafts = [
      // It is written alone; the others wait together for the next batch.
      await draftOf(owner, { url: `${equal}/before` }),
      await draftOf(owner, { url: equal, folderId }),
      await draftOf(member, { url: equal }),
      await draftOf(member, { url: equal }),
    ];
    const [, first, second, third] = await Promise.all(drafts.map(idOf));
    expect(second === first).toBe(isShared);
    expect(third).toBe(second);
  }
});
