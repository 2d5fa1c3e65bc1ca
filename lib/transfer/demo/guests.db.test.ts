/** What visitors without an account may do in the public demo: read it, and nothing else. */
import { beforeAll, expect, test } from "vitest";
import { listShares, queryDemo } from "#lib/analytics/shares";
import { listApiKeys } from "#lib/identity/api-keys";
import { createLinks, openLinks } from "#lib/links/creating";
import { editLink, listHistory } from "#lib/links/editing";
import { createFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { listCreators, listLinks } from "#lib/links/reading";
import { listLinksQuery } from "#lib/links/reading/schema";
import { listGateways } from "#lib/outreach/gateway-accounts";
import { listWebhooks } from "#lib/outreach/webhooks";
import { addressSubject, limits, tryLimits } from "#lib/platform/limits";
import { query, sql } from "#lib/platform/postgres";
import { assertMay, openPublicDemo, type WorkspaceScope } from "#lib/tenancy/access";
import { permissions } from "#lib/tenancy/access/schema";
import { listMembers } from "#lib/tenancy/members";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores({ FUXI_DEMO: "public" });

let owner: WorkspaceScope;
let guest: WorkspaceScope;
let link: string;

beforeAll(async () => {
  await openLinks();
  owner = await makeTestScope("owner");
  await query(sql`UPDATE workspace SET demo = true WHERE pk = ${owner.workspacePk}`);
  const [made] = await createLinks(owner, [{ url: "https://example.com/shown" }]);
  if (!made?.ok) throw new Error(made?.message);
  link = made.link.id;
  await editLink(owner, link, { title: "Shown" });
  const opened = await openPublicDemo(owner.slug);
  if (!opened) throw new Error("The demo is not open");
  guest = opened;
});

function may(permission: (typeof permissions)[number]): boolean {
  try {
    assertMay(guest, permission);
    return true;
  } catch {
    return false;
  }
}

test("a guest may read links, analytics and their names, and nothing else", () => {
  expect(permissions.filter(may)).toEqual([
    "links.read",
    "domains.read",
    "tags.read",
    "folders.read",
    "analytics.read",
  ]);
  expect([guest.userPk, guest.userId, guest.sessionId, guest.apiKeyPk]).toEqual(
    Array(4).fill(null),
  );
});

test("only the demo is open, only where the instance says so, and not while it is banned or deleted", async () => {
  const other = await makeTestScope("other");
  expect(await openPublicDemo(other.slug)).toBeUndefined();
  expect(await openPublicDemo("none")).toBeUndefined();
  for (const column of ["banned_at", "deleted_at"]) {
    const set = (to: string) =>
      query({
        text: `UPDATE workspace SET ${column} = ${to} WHERE pk = $1`,
        values: [owner.workspacePk],
      });
    await set("now()");
    expect([column, await openPublicDemo(owner.slug)]).toEqual([column, undefined]);
    await set("NULL");
  }
  expect(await openPublicDemo(owner.slug)).toBeDefined();
});

test("guests see links, and neither who made them nor who works there", async () => {
  const listed = await listLinks(guest, listLinksQuery.parse({}));
  expect(listed.map(({ id }) => id)).toEqual([link]);
  expect((await listCreators(owner, [link])).size).toBe(1);
  expect((await listCreators(guest, [link])).size).toBe(0);
  expect(await listMembers(owner)).toHaveLength(1);
  expect(await listMembers(guest)).toEqual([]);
  expect((await listHistory(owner, link)).entries).toHaveLength(1);
  expect((await listHistory(guest, link)).entries).toEqual([]);
  expect(await listShares(guest)).toEqual([]);
});

test("closed folders are hidden from guests, even after the person who made them is gone", async () => {
  const { id } = await createFolder(
    owner,
    createFolderBody.parse({ name: "x", accessLevel: null }),
  );
  const [made] = await createLinks(owner, [{ url: "https://example.com/closed", folderId: id }]);
  expect(made?.ok).toBe(true);
  await query(sql`UPDATE folder SET user_pk = NULL WHERE workspace_pk = ${owner.workspacePk}`);
  const listed = await listLinks(guest, listLinksQuery.parse({}));
  expect(listed.map(({ url }) => url)).toEqual(["https://example.com/shown"]);
});

test("keys, webhooks and gateways are refused", async () => {
  for (const list of [listApiKeys, listWebhooks, listGateways]) {
    await expect((async () => void (await list(guest)))()).rejects.toThrow(/role/);
  }
});

test("the stats are answered like those of a share, up to a limit for each network", async () => {
  const ask = (address: string) => queryDemo(guest, new URLSearchParams(), address);
  expect(await ask("203.0.113.7")).toMatchObject({ clicks: 0 });
  for (let used = 1; used < limits.sharePerAddress.max; used++) {
    await tryLimits([["sharePerAddress", addressSubject("203.0.113.7")]]);
  }
  await expect(ask("203.0.113.7")).rejects.toThrow(/Too many/);
  expect(await ask("203.0.113.8")).toMatchObject({ clicks: 0 });
});
