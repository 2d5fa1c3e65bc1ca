/** Keys that are limited to domains or folders, by every way that leads to a link. */
import { beforeAll, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { createApiKey } from "#lib/identity/api-keys";
import type { NewApiKey } from "#lib/identity/api-keys/schema";
import { openLinks } from "#lib/links/creating";
import { createFolder, deleteFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type Call, type Caller, callerWith, keyCaller } from "../../test/api-callers.ts";
import { putClicks } from "../../test/clicks.ts";
import { make } from "../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";
import { findAccess } from "./access.ts";
import { listRoutes } from "./index.ts";

openTestStores();

const shops = "shops.example";
const news = "news.example";
const url = "https://example.com/limited";

let ada: WorkspaceScope;
let all: Caller;
let shopKey: Caller;
let folderKey: Caller;
const ids = { [shops]: newId("dom"), [news]: newId("dom"), open: "", closed: "" };
/** A link on each domain, and one in each folder. */
const links: Record<string, string> = {};

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  for (const slug of [shops, news] as const) {
    await query(sql`
      INSERT INTO domain (id, workspace_pk, slug, verified_at)
      VALUES (${ids[slug]}, ${ada.workspacePk}, ${slug}, now())`);
  }
  for (const name of ["open", "closed"] as const) {
    const body = createFolderBody.parse({ name, accessLevel: "write" });
    ids[name] = (await createFolder(ada, body)).id;
  }
  for (const [name, body] of Object.entries({
    [shops]: { domain: shops, key: "same" },
    [news]: { domain: news, key: "same" },
    open: { folderId: ids.open, externalId: "in-open" },
    closed: { folderId: ids.closed, externalId: "in-closed" },
  })) {
    const [made] = await make(ada, [{ url: `${url}/${name}`, ...body }]);
    if (!made) throw new Error("No link");
    links[name] = made.id;
  }
  all = await keyCaller(ada);
  shopKey = await callerOf({ domainIds: [ids[shops]] });
  folderKey = await callerOf({ folderIds: [ids.open] });
});

async function callerOf(terms: Partial<NewApiKey>): Promise<Caller> {
  const { key } = await createApiKey(ada, { name: "Limited", ...terms });
  return callerWith({ Authorization: `Bearer ${key}` });
}

async function ask(caller: Caller, call: Call): Promise<[number, unknown]> {
  const { status, text } = await caller({ ...call, path: `/api${call.path}` });
  return [status, text.startsWith("[") || text.startsWith("{") ? JSON.parse(text) : Number(text)];
}

const statusOf = async (caller: Caller, call: Call) => (await ask(caller, call))[0];

async function listed(caller: Caller, path = "/links"): Promise<string[]> {
  const [status, body] = await ask(caller, { method: "GET", path });
  expect(status).toBe(200);
  return Object.values(Object(body)).map((one) => String(Object(one).id));
}

test("a list, a count and a search have only what the key reaches", async () => {
  expect(await listed(shopKey)).toEqual([links[shops]]);
  expect(await listed(folderKey)).toEqual([links["open"]]);
  expect((await listed(all)).length).toBeGreaterThanOrEqual(4);
  for (const caller of [shopKey, folderKey]) {
    expect(await ask(caller, { method: "GET", path: "/links/count" })).toEqual([200, 1]);
    expect(await listed(caller, `/links?search=${encodeURIComponent(url)}`)).toHaveLength(1);
  }
  expect(await listed(shopKey, `/links?domain=${news}`)).toEqual([]);
  expect(await listed(folderKey, `/links?folderId=${ids.closed}`)).toEqual([]);
});

test.each([
  ["GET", (name: string) => `/links/${links[name]}`, undefined],
  ["PATCH", (name: string) => `/links/${links[name]}`, { title: "Reached" }],
  ["GET", (name: string) => `/links/info?linkId=${links[name]}`, undefined],
  ["GET", (name: string) => `/analytics?linkId=${links[name]}`, undefined],
  ["GET", (name: string) => `/links/${links[name]}/qr`, undefined],
] as const)(
  "a link out of reach is answered like a missing one: %s %s",
  async (method, path, body) => {
    const call = (name: string) => ({ method, path: path(name), ...(body ? { body } : {}) });
    expect(await statusOf(shopKey, call(shops))).toBe(200);
    expect(await statusOf(folderKey, call("open"))).toBe(200);
    for (const [caller, name] of [
      [shopKey, news],
      [shopKey, "open"],
      [folderKey, "closed"],
      [folderKey, shops],
    ] as const) {
      const [status, answer] = await ask(caller, call(name));
      expect([name, status]).toEqual([name, 404]);
      const missing = "link_00000000000000000000000000";
      const [, other] = await ask(caller, {
        ...call(name),
        path: path(name).replace(String(links[name]), missing),
      });
      expect(JSON.stringify(answer).replaceAll(String(links[name]), missing)).toBe(
        JSON.stringify(other),
      );
    }
  },
);

test("links are deleted only within reach, one by one and many at once", async () => {
  expect(await statusOf(shopKey, { method: "DELETE", path: `/links/${links[news]}` })).toBe(404);
  await ask(shopKey, {
    method: "DELETE",
    path: "/links/bulk",
    query: { linkIds: `${links[news]}` },
  });
  expect(await statusOf(all, { method: "GET", path: `/links/${links[news]}` })).toBe(200);
});

test("a link is created only on its domains and in its folders", async () => {
  const create = (caller: Caller, body: object) =>
    ask(caller, { method: "POST", path: "/links", body: { url, ...body } });
  const [status, made] = await create(shopKey, {});
  expect([status, Object(made).domain]).toEqual([200, shops]);
  expect((await create(shopKey, { domain: news }))[0]).toBe(
    (await create(shopKey, { domain: "none.example" }))[0],
  );
  expect((await create(folderKey, {}))[0]).toBe(403);
  expect((await create(folderKey, { folderId: ids.closed }))[0]).not.toBe(200);
  expect((await create(folderKey, { folderId: ids.open }))[0]).toBe(200);
});

test("a link is moved neither out of reach nor into it", async () => {
  const edit = (caller: Caller, id: string | undefined, body: object) =>
    statusOf(caller, { method: "PATCH", path: `/links/${id}`, body });
  expect(await edit(folderKey, links["open"], { folderId: null })).toBe(403);
  expect(await edit(folderKey, links["open"], { folderId: ids.closed })).not.toBe(200);
  expect(await edit(folderKey, links["closed"], { folderId: ids.open })).toBe(404);
  expect(await edit(shopKey, links[shops], { domain: news, key: "moved" })).not.toBe(200);
});

test("no link out of reach is reused or changed by an upsert", async () => {
  const found = async (caller: Caller, body: object) => {
    const [status, answer] = await ask(caller, { method: "PUT", path: "/links/upsert", body });
    expect(status).toBe(200);
    return Object(answer).id;
  };
  expect(await found(shopKey, { url: `${url}/${shops}` })).toBe(links[shops]);
  expect(await found(shopKey, { url: `${url}/${news}` })).not.toBe(links[news]);
  expect(await found(folderKey, { url: `${url}/closed`, folderId: ids.open })).not.toBe(
    links["closed"],
  );
  const reuse = { url: `${url}/reused`, reuse: true };
  const [first] = await make(ada, [{ ...reuse, folderId: ids.closed }]);
  const [, again] = await ask(folderKey, {
    method: "POST",
    path: "/links",
    body: { ...reuse, folderId: ids.open },
  });
  expect(Object(again).id).not.toBe(first?.id);
});

test("domains and folders out of reach are missing", async () => {
  for (const [caller, path, reached] of [
    [shopKey, "/domains", [shops]],
    [folderKey, "/folders", ["open"]],
  ] as const) {
    const [, list] = await ask(caller, { method: "GET", path });
    const names = Object.values(Object(list)).map((one) => Object(one).slug ?? Object(one).name);
    expect(names).toEqual(reached);
  }
  expect(await statusOf(shopKey, { method: "GET", path: `/domains/${news}` })).toBe(404);
  expect(await statusOf(shopKey, { method: "GET", path: `/domains/${news}/verification` })).toBe(
    404,
  );
  expect(await statusOf(folderKey, { method: "GET", path: `/folders/${ids.closed}` })).toBe(404);
});

test("stats count only links within reach", async () => {
  const rows = await query<{ pk: number }>(
    sql`SELECT pk FROM link WHERE workspace_pk = ${ada.workspacePk} ORDER BY pk`,
  );
  const dayMs = 86_400_000;
  const [from, until] = [new Date(Date.now() - 3 * dayMs), new Date(Date.now() - dayMs)];
  const { workspacePk } = ada;
  for (const { pk } of rows) {
    await putClicks({ workspacePk, count: 20, from, until, links: { first: pk, count: 1 } });
  }
  const filters = [`domain=${news}`, `folderId=${ids.closed}`, ""];
  for (const filter of filters) {
    for (const caller of [shopKey, folderKey]) {
      const path = `/analytics?event=clicks&groupBy=top_links&interval=all&${filter}`;
      const [status, body] = await ask(caller, { method: "GET", path });
      const text = JSON.stringify(body);
      expect([200, 404]).toContain(status);
      for (const name of [news, "closed"]) expect(text).not.toContain(links[name]);
    }
  }
  const counted = async (caller: Caller) =>
    Number(
      Object((await ask(caller, { method: "GET", path: "/analytics?interval=all" }))[1]).clicks,
    );
  expect(await counted(all)).toBeGreaterThan(await counted(shopKey));
  expect(await counted(shopKey)).toBeGreaterThan(0);
  expect(await counted(folderKey)).toBeGreaterThan(0);
});

test("what is not about single links is refused with a 403", async () => {
  for (const [method, path] of [
    ["GET", "/imports"],
    ["GET", "/audit"],
    ["GET", "/events/live"],
    ["POST", "/folders"],
    ["POST", "/domains"],
    ["DELETE", `/tags/x`],
    ["GET", "/qr-logos"],
  ] as const) {
    const body = method === "POST" ? { body: { name: "x" } } : {};
    expect([path, await statusOf(shopKey, { method, path, ...body })]).toEqual([path, 403]);
  }
});

const openRoutes = [
  "DELETE /api/links/:id",
  "DELETE /api/links/bulk",
  "GET /api/analytics",
  "GET /api/analytics/export",
  "GET /api/domains",
  "GET /api/domains/:slug",
  "GET /api/domains/:slug/verification",
  "GET /api/events",
  "GET /api/events/export",
  "GET /api/expand",
  "GET /api/folders",
  "GET /api/folders/:id",
  "GET /api/links",
  "GET /api/links/:id",
  "GET /api/links/:id/destination-check",
  "GET /api/links/:id/qr",
  "GET /api/links/availability",
  "GET /api/links/bulk/:id",
  "GET /api/links/bulk/:id/outcomes",
  "GET /api/links/count",
  "GET /api/links/export",
  "GET /api/links/info",
  "GET /api/me",
  "GET /api/missed-links",
  "GET /api/missed-links/count",
  "GET /api/missed-links/export",
  "GET /api/qr-templates",
  "GET /api/tags",
  "GET /api/utm",
  "GET /api/workspaces/:idOrSlug",
  "PATCH /api/links/:id",
  "PATCH /api/links/bulk",
  "POST /api/links",
  "POST /api/links/:id/destination-check",
  "POST /api/links/bulk",
  "POST /api/links/suggestion",
  "POST /api/links/try",
  "PUT /api/links/:id",
  "PUT /api/links/upsert",
];

test("every route is decided: open to limited keys, or closed", () => {
  const open = listRoutes().filter((route) => findAccess(route)?.limitedKeys);
  expect(open.sort()).toEqual(openRoutes);
});

test("a key whose folder was deleted reaches nothing, and not everything", async () => {
  const body = createFolderBody.parse({ name: "passing", accessLevel: "write" });
  const { id } = await createFolder(ada, body);
  const caller = await callerOf({ folderIds: [id] });
  await deleteFolder(ada, id);
  const fresh = await callerOf({ domainIds: [ids[shops]], folderIds: [ids.open] });
  expect(await listed(caller)).toEqual([]);
  expect(await listed(fresh)).toEqual([]);
});

test("a key is given only domains and folders that its author may use", async () => {
  const eve = await makeTestScope("eve");
  const member = await joinTestScope(ada, "member", "admin");
  const refused = async (scope: WorkspaceScope, terms: Partial<NewApiKey>) =>
    await createApiKey(scope, { name: "K", ...terms }).then(
      () => undefined,
      (error: Error) => error.message,
    );
  expect(await refused(eve, { domainIds: [ids[shops]] })).toMatch(/domainIds: .* not found/);
  expect(await refused(eve, { folderIds: [ids.open] })).toMatch(/folderIds: .* not found/);
  expect(await refused(member, { folderIds: [ids.open] })).toBeUndefined();
  expect(await refused(ada, { domainIds: Array(100).fill(ids[shops]) })).toBeUndefined();
});
