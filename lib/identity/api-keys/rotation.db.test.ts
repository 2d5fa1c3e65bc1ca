import { beforeAll, expect, test, vi } from "vitest";
import { channel, openCoherence } from "#lib/platform/cache-sync";
import { prisma } from "#lib/platform/prisma";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { removeMember } from "#lib/tenancy/members";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { admitApiKey } from "./admission.ts";
import { createApiKey, editApiKey, findApiKey, revokeApiKey, rotateApiKey } from "./index.ts";
import { overlapSecondsMax, rotateApiKeyBody } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;

beforeAll(async () => {
  ada = await makeTestScope("ada");
  openCoherence();
  await vi.waitUntil(() => channel.listening);
});

const works = async (key: string, now?: number) => (await admitApiKey(key, "198.51.100.1", now)).ok;

async function rotated(overlapSeconds: number, scope = ada) {
  const { key, apiKey } = await createApiKey(scope, { name: "Rotated" });
  expect(await works(key)).toBe(true);
  const now = Date.now();
  const done = await rotateApiKey(scope, apiKey.id, { overlapSeconds }, now);
  if (!done) throw new Error("The key was not rotated");
  return { id: apiKey.id, old: key, new: done.key, now, shown: done.apiKey };
}

test("in the overlap both secrets work, and the old one ends by itself although it is cached", async () => {
  const key = await rotated(3_600);
  const endsAt = key.now + 3_600_000;
  expect(await works(key.new)).toBe(true);
  expect(await works(key.old)).toBe(true);
  expect(await works(key.old, endsAt - 1)).toBe(true);
  expect(await works(key.old, endsAt)).toBe(false);
  expect(await works(key.new, endsAt)).toBe(true);
  expect(key.shown.previous).toEqual({
    hint: key.old.slice(0, 9),
    endsAt: new Date(endsAt).toISOString(),
  });
});

test("without an overlap the old secret ends at once", async () => {
  const key = await rotated(0);
  expect([await works(key.old), await works(key.new)]).toEqual([false, true]);
  expect(key.shown.previous).toBeNull();
});

test("a second rotation ends the secret that was left from the first", async () => {
  const key = await rotated(3_600);
  const again = await rotateApiKey(ada, key.id, { overlapSeconds: 3_600 });
  expect(await works(key.old)).toBe(false);
  expect([await works(key.new), await works(again?.key ?? "")]).toEqual([true, true]);
});

test("an edit, a revocation and the removal of the owner reach both secrets at once", async () => {
  const key = await rotated(3_600);
  expect([await works(key.old), await works(key.new)]).toEqual([true, true]);
  await editApiKey(ada, key.id, { allowedAddresses: ["203.0.113.0/24"] });
  expect([await works(key.old), await works(key.new)]).toEqual([false, false]);
  await editApiKey(ada, key.id, { allowedAddresses: [] });
  expect([await works(key.old), await works(key.new)]).toEqual([true, true]);
  await revokeApiKey(ada, key.id);
  expect([await works(key.old), await works(key.new)]).toEqual([false, false]);
  const admin = await joinTestScope(ada, "admin", "admin");
  const theirs = await rotated(3_600, admin);
  expect([await works(theirs.old), await works(theirs.new)]).toEqual([true, true]);
  await removeMember(ada, String(admin.userId));
  expect([await works(theirs.old), await works(theirs.new)]).toEqual([false, false]);
});

test("the old secret ends with the key, if that is earlier", async () => {
  const key = await rotated(86_400);
  await editApiKey(ada, key.id, { expiresAt: new Date(key.now + 60_000).toISOString() });
  expect(await works(key.old, key.now + 59_999)).toBe(true);
  expect(await works(key.old, key.now + 60_000)).toBe(false);
});

test("a rotation is in the audit log, without either secret", async () => {
  const key = await rotated(3_600);
  const select = { action: true, details: true };
  const entries = await prisma().auditEntry.findMany({ where: { subject: key.id }, select });
  expect(entries.map(({ action }) => action)).toContain("key.rotate");
  const row = await prisma().apiKey.findUniqueOrThrow({ where: { id: key.id } });
  for (const secret of [key.old, key.new]) {
    expect(JSON.stringify([entries, row, await findApiKey(ada, key.id)])).not.toContain(secret);
  }
});

test("another workspace's key, a revoked one and a missing one are not rotated, and no key rotates", async () => {
  const eve = await makeTestScope("eve");
  const key = await rotated(0);
  const body = { overlapSeconds: 0 };
  expect(await rotateApiKey(eve, key.id, body)).toBeUndefined();
  expect(await rotateApiKey(ada, "key_00000000000000000000000000", body)).toBeUndefined();
  const admission = await admitApiKey(key.new, "198.51.100.1");
  if (!admission.ok) throw new Error("The key does not work");
  await expect(rotateApiKey(admission.scope, key.id, body)).rejects.toThrow(/keys.write/);
  await revokeApiKey(ada, key.id);
  expect(await rotateApiKey(ada, key.id, body)).toBeUndefined();
});

test("an overlap is at most seven days", () => {
  const parse = (overlapSeconds: number) => rotateApiKeyBody.safeParse({ overlapSeconds }).success;
  expect(overlapSecondsMax).toBe(7 * 86_400);
  expect([-1, 0, overlapSecondsMax, overlapSecondsMax + 1, 1.5].map(parse)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});
