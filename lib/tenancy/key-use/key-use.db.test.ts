import { beforeAll, expect, test } from "vitest";
import { admitApiKey, createApiKey } from "#lib/identity/api-keys";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { countKeyCall, countKeyLinks, findKeyUse, flushKeyUse } from "./index.ts";
import { keyAppsMax, keyUseDaysMax, keyUseQuery } from "./schema.ts";
import { addHours } from "./store.ts";

openTestStores();

const call = { address: "203.0.113.7", app: undefined, refused: false };
let ada: WorkspaceScope;

beforeAll(async () => {
  ada = await makeTestScope("ada");
});

async function newKey(): Promise<{ id: string; scope: WorkspaceScope & { apiKeyPk: number } }> {
  const { key, apiKey } = await createApiKey(ada, { name: "Test" });
  const admission = await admitApiKey(key, "203.0.113.7");
  if (!admission.ok || admission.scope.apiKeyPk === null) throw new Error("No key");
  return { id: apiKey.id, scope: { ...admission.scope, apiKeyPk: admission.scope.apiKeyPk } };
}

const useOf = (id: string, days = 90, now = new Date()) =>
  findKeyUse(ada, id, keyUseQuery.parse({ days }), now);

test("calls cost no write: many of them are one row, and a flush of nothing writes nothing", async () => {
  const { id, scope } = await newKey();
  const now = Date.parse("2026-11-20T10:59:59Z");
  for (let at = 0; at < 1_000; at++) countKeyCall(scope, call, now);
  countKeyCall(scope, call, now + 1_000);
  await flushKeyUse();
  await flushKeyUse();
  const rows = await query<{ calls: number }>(
    sql`SELECT calls FROM key_use WHERE api_key_pk = ${scope.apiKeyPk} ORDER BY hour`,
  );
  expect(rows.map(({ calls }) => calls)).toEqual([1_000, 1]);
  expect(await useOf(id, 7, new Date(now))).toMatchObject({ calls: 1_001 });
});

test("several processes add to the same rows, and the last call is the latest of all", async () => {
  const { id, scope } = await newKey();
  const row = { pk: scope.apiKeyPk, hour: Date.now() - (Date.now() % 3_600_000), links: 1 };
  const of = (lastAt: number, lastAddress: string) => ({
    ...row,
    calls: 5,
    refusals: 2,
    lastAt,
    lastAddress,
  });
  const latest = row.hour + 2_000;
  await Promise.all(
    [of(latest, "198.51.100.2"), of(latest - 1_000, "198.51.100.1")].map((one) =>
      transaction((tx) => addHours(tx, [one])),
    ),
  );
  expect(await useOf(id)).toMatchObject({
    calls: 10,
    links: 2,
    refusals: 4,
    lastAddress: "198.51.100.2",
    lastCallAt: new Date(latest).toISOString(),
  });
});

test("people are not counted", async () => {
  countKeyCall(ada, call);
  countKeyLinks(ada, 3);
  await flushKeyUse();
  expect(
    await query(sql`SELECT FROM audit WHERE action = 'link.create' AND actor = ${ada.actor}`),
  ).toEqual([]);
});

test("a day begins in the time zone of the workspace", async () => {
  const { id, scope } = await newKey();
  countKeyCall(scope, call, Date.parse("2026-11-20T23:30:00Z"));
  await flushKeyUse();
  const now = new Date("2026-11-21T12:00:00Z");
  const berlin = { ...ada, zone: "Europe/Berlin" };
  const days = async (viewer: WorkspaceScope) =>
    (await findKeyUse(viewer, id, keyUseQuery.parse({ days: 2 }), now))?.days.map(
      ({ day, calls }) => [day, calls],
    );
  expect(await days(ada)).toEqual([
    ["2026-11-20", 1],
    ["2026-11-21", 0],
  ]);
  expect(await days(berlin)).toEqual([
    ["2026-11-20", 0],
    ["2026-11-21", 1],
  ]);
});

test("the last applications of a key are kept, up to their limit", async () => {
  const { id, scope } = await newKey();
  const now = Date.now();
  const state = (at: number) =>
    countKeyCall(scope, { ...call, app: { name: `app-${at}`, version: "" } }, now + at);
  for (let at = 0; at < keyAppsMax; at++) state(at);
  await flushKeyUse();
  expect((await useOf(id))?.apps).toHaveLength(keyAppsMax);
  state(keyAppsMax);
  await flushKeyUse();
  const names = (await useOf(id))?.apps.map(({ name }) => name);
  expect(names).toHaveLength(keyAppsMax);
  expect(names?.[0]).toBe(`app-${keyAppsMax}`);
  expect(names).not.toContain("app-0");
});

test("use is shown for as many days as it is kept", () => {
  const parse = (days: number) => keyUseQuery.safeParse({ days }).success;
  expect([0, 1, keyUseDaysMax, keyUseDaysMax + 1].map(parse)).toEqual([false, true, true, false]);
});

test("counts of a deleted key are dropped, and do not hold up others", async () => {
  const gone = await newKey();
  const { id, scope } = await newKey();
  countKeyCall(gone.scope, call);
  countKeyCall(scope, call);
  await query(sql`DELETE FROM api_key WHERE pk = ${gone.scope.apiKeyPk}`);
  await flushKeyUse();
  expect(await useOf(id)).toMatchObject({ calls: 1 });
});

test("the use of another workspace's key is missing, and a key reads none", async () => {
  const { id, scope } = await newKey();
  const eve = await makeTestScope("eve");
  expect(await findKeyUse(eve, id, keyUseQuery.parse({}))).toBeUndefined();
  await expect(findKeyUse(scope, id, keyUseQuery.parse({}))).rejects.toThrow(/keys.read/);
});
