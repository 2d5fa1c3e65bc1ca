import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { beforeAll, expect, test, vi } from "vitest";
import { channel, openCoherence } from "#lib/platform/cache-sync";
import { prisma } from "#lib/platform/prisma";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { removeMember } from "#lib/tenancy/members";
import { timeBound } from "../../../test/bounds.ts";
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

test("a key is rotated under load in several processes without a refused call", async () => {
  const { key: old, apiKey } = await createApiKey(ada, { name: "Busy" });
  const callers = [openCaller(), openCaller()];
  const ask = (line: string) => Promise.all(callers.map((caller) => caller.ask(line)));
  const afterMore = async (calls: number) => {
    const before = await ask("count");
    const enough = async () =>
      (await ask("count")).every((now, at) => now.calls >= (before[at]?.calls ?? 0) + calls);
    await expect.poll(enough, { timeout: timeBound(10_000) }).toBe(true);
  };
  try {
    await ask(old);
    await afterMore(200);
    const rotated = await rotateApiKey(ada, apiKey.id, { overlapSeconds: 60 });
    await afterMore(200);
    for (const caller of callers) {
      await caller.ask(String(rotated?.key));
      await afterMore(200);
    }
    expect((await ask("count")).map(({ refused }) => refused)).toEqual([0, 0]);
    await revokeApiKey(ada, apiKey.id);
    const refusedEverywhere = async () => (await ask("count")).every(({ refused }) => refused > 0);
    await expect.poll(refusedEverywhere, { timeout: timeBound(1_000) }).toBe(true);
  } finally {
    await Promise.all(callers.map((caller) => caller.end()));
  }
});

interface CallCounts {
  calls: number;
  refused: number;
}

/** A process that calls constantly with the last key it was given. */
function openCaller() {
  const script = `
    import { createInterface } from "node:readline";
    import { admitApiKey } from "#lib/identity/api-keys";
    import { channel, openCoherence } from "#lib/platform/cache-sync";
    openCoherence();
    while (!channel.listening) await new Promise((resolve) => setTimeout(resolve, 20));
    let key, calls = 0, refused = 0, ended = false;
    const call = async () => {
      while (!ended) {
        if (key) {
          const { ok } = await admitApiKey(key, "198.51.100.1");
          calls += 1;
          if (!ok) refused += 1;
        }
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    void Promise.all([call(), call(), call(), call()]);
    for await (const line of createInterface({ input: process.stdin })) {
      if (line !== "count") key = line;
      console.log(JSON.stringify({ calls, refused }));
    }
    process.exit(0);`;
  const flags = ["--import", "tsx", "--input-type=module", "--eval", script];
  const child = spawn(process.execPath, flags, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  return {
    async ask(line: string): Promise<CallCounts> {
      child.stdin.write(`${line}\n`);
      const [answer] = await once(lines, "line");
      return JSON.parse(String(answer));
    },
    async end() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
