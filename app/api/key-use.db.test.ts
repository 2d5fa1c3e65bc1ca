/** What is counted of the calls of a key, and its own rate. */
import { beforeAll, expect, test } from "vitest";
import { createApiKey, editApiKey } from "#lib/identity/api-keys";
import { createApiKeyBody } from "#lib/identity/api-keys/schema";
import { openLinks } from "#lib/links/creating";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { auditQuery } from "#lib/tenancy/audit/schema";
import { findKeyUse, flushKeyUse } from "#lib/tenancy/key-use";
import { keyUseQuery } from "#lib/tenancy/key-use/schema";
import { callerWith } from "../../test/api-callers.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";

openTestStores();

let ada: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
});

async function newKey(terms = {}) {
  const { key, apiKey } = await createApiKey(ada, { name: "Test", ...terms });
  const bearer = { Authorization: `Bearer ${key}` };
  const ask = async (path = "/me", headers = {}, body?: unknown) => {
    const call = callerWith({ ...bearer, ...headers });
    const method = body === undefined ? "GET" : "POST";
    return await call({ method, path: `/api${path}`, body });
  };
  return { id: apiKey.id, ask };
}

async function useOf(id: string) {
  await flushKeyUse();
  return await findKeyUse(ada, id, keyUseQuery.parse({}));
}

test("calls, refusals and created links are counted by the day of the workspace", async () => {
  const { id, ask } = await newKey({ scopes: ["links.read", "links.write"] });
  expect((await ask()).status).toBe(200);
  expect((await ask("/audit")).status).toBe(403);
  expect((await ask("/links/missing")).status).toBe(404);
  const bulk = [{ url: "https://example.com/1" }, { url: "https://example.com/2" }];
  expect((await ask("/links/bulk", {}, bulk)).status).toBe(200);
  const use = await useOf(id);
  expect(use).toMatchObject({ calls: 4, refusals: 1, links: 2, lastAddress: "203.0.113.7" });
  expect(use?.days).toHaveLength(30);
  expect(use?.days.at(-1)).toMatchObject({ calls: 4, links: 2, refusals: 1 });
});

test("a call from an address that the key does not allow counts as refused", async () => {
  const { id, ask } = await newKey({ allowedAddresses: ["198.51.100.0/24"] });
  expect((await ask()).status).toBe(403);
  expect(await useOf(id)).toMatchObject({ calls: 1, refusals: 1 });
});

test("created links leave one audit entry for a key and flush, with their number", async () => {
  const { id, ask } = await newKey();
  for (const at of [1, 2, 3]) await ask("/links", {}, { url: `https://example.com/audit/${at}` });
  await Promise.all([flushKeyUse(), flushKeyUse()]);
  const entries = async () =>
    await listAudit(ada, auditQuery.parse({ action: "link.create", actor: id }));
  expect((await entries()).map(({ details }) => details)).toEqual([{ links: 3 }]);
  await ask("/links", {}, { url: "https://example.com/audit/4" });
  await flushKeyUse();
  expect((await entries()).map(({ details }) => details)).toEqual([{ links: 1 }, { links: 3 }]);
});

test("a repeated call creates nothing, and counts no link", async () => {
  const { id, ask } = await newKey();
  const repeated = { "Idempotency-Key": "repeat-1" };
  for (const _ of [1, 2]) await ask("/links", repeated, { url: "https://example.com/once" });
  expect(await useOf(id)).toMatchObject({ calls: 2, links: 1 });
});

test("applications are counted by the name and version that they state", async () => {
  const { id, ask } = await newKey();
  for (const app of ["billing/2.4.1", "billing/2.4.1", "billing/2.5.0-rc.1+7", "My App"]) {
    expect((await ask("/me", { "X-Fuxi-App": app })).status).toBe(200);
  }
  const apps = (await useOf(id))?.apps.map(({ name, version, calls }) => [name, version, calls]);
  expect(apps?.sort()).toEqual([
    ["My App", null, 1],
    ["billing", "2.4.1", 2],
    ["billing", "2.5.0-rc.1+7", 1],
  ]);
});

test.each([
  ["n".repeat(64), 200],
  ["n".repeat(65), 400],
  [`n/${"1".repeat(32)}`, 200],
  [`n/${"1".repeat(33)}`, 400],
  ["a/b/c", 400],
  ["/1.0", 400],
  ["name/", 400],
  ["<script>", 400],
])("an application that calls itself %s gets a %s", async (app, status) => {
  const { ask } = await newKey();
  const answer = await ask("/me", { "X-Fuxi-App": app });
  expect(answer.status).toBe(status);
  if (status === 400) expect(answer.text).toMatch(/X-Fuxi-App: Use name\/version/);
});

test("a key has no more calls a minute than its own rate, which an edit changes at once", async () => {
  const { id, ask } = await newKey({ callsPerMinute: 2 });
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(refused.text).toMatch(/2 requests per minute.*raise the limit of this API key/);
  await editApiKey(ada, id, { callsPerMinute: null });
  expect((await ask()).status).toBe(200);
  const parse = (callsPerMinute: number) =>
    createApiKeyBody.safeParse({ name: "K", callsPerMinute }).success;
  expect([0, 1, 100_000, 100_001].map(parse)).toEqual([false, true, true, false]);
});
