/** The workspace over the API: others can neither be read nor changed. */
import { beforeAll, expect, test } from "vitest";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type Caller, keyCaller, personCaller } from "../../test/api-callers.ts";
import { makeTestScope } from "../../test/scope.ts";
import { openTestStores } from "../../test/stores.ts";

openTestStores();

let scope: WorkspaceScope;
let key: Caller;
let person: Caller;

beforeAll(async () => {
  scope = await makeTestScope("ada");
  await makeTestScope("eve");
  key = await keyCaller(scope);
  person = await personCaller(scope);
});

async function ask(caller: Caller, idOrSlug: string, body?: unknown) {
  const path = `/api/workspaces/${encodeURIComponent(idOrSlug)}`;
  const call = body === undefined ? { method: "GET", path } : { method: "PATCH", path, body };
  const { status, text } = await caller(call);
  return { status, body: JSON.parse(text) };
}

test("it is found by its id and by its slug, with its usage", async () => {
  const byId = await ask(key, scope.workspaceId);
  expect(byId).toEqual(await ask(key, scope.slug));
  expect(byId.status).toBe(200);
  expect(Object.keys(byId.body).sort()).toEqual([
    "codeCountries",
    "codesPerDay",
    "codesStopped",
    "contactDays",
    "createdAt",
    "demo",
    "forwardQuery",
    "id",
    "lifetimeSeconds",
    "name",
    "ownNetworks",
    "plan",
    "repeatSeconds",
    "retireApiDays",
    "retireFromCreation",
    "retirePeopleDays",
    "reuseSeconds",
    "role",
    "sessionHours",
    "sessionIdleMinutes",
    "slug",
    "usage",
    "zone",
  ]);
  expect(byId.body).toMatchObject({ id: scope.workspaceId, slug: "ada-space", role: "owner" });
  expect(byId.body.usage.members).toEqual({ used: 1, limit: null });
});

test("any other is a 404, whether it exists or not", async () => {
  for (const idOrSlug of ["eve-space", "none", "ADA-SPACE", "ws_1", ".."]) {
    expect((await ask(key, idOrSlug)).status).toBe(404);
    expect((await ask(person, idOrSlug, { name: "Mine" })).status).toBe(404);
  }
});

test("its members change it; a taken slug is a 409, a reserved one and an unknown field are a 422", async () => {
  const renamed = await ask(person, "ada-space", { name: "Ada", zone: "Asia/Tokyo" });
  expect(renamed).toMatchObject({ status: 200, body: { name: "Ada", zone: "Asia/Tokyo" } });
  const path = "/api/workspaces/ada-space";
  expect((await key({ method: "GET", path })).text).toContain("Asia/Tokyo");
  expect((await ask(person, "ada-space", { slug: "eve-space" })).status).toBe(409);
  for (const body of [{ slug: "admin" }, { zone: "Mars/Olympus" }, { name: "" }, { logo: "x" }]) {
    expect((await ask(person, "ada-space", body)).status).toBe(422);
  }
});

test("no key changes it", async () => {
  expect((await ask(key, "ada-space", { name: "Mine" })).status).toBe(403);
});
