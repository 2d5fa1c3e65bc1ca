import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newId } from "#lib/basics/ids";
import { channel, openCoherence } from "#lib/platform/cache-sync";
import { AppError } from "#lib/platform/errors";
import { prisma } from "#lib/platform/prisma";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { removeMember } from "#lib/tenancy/members";
import { createWorkspace, openWorkspace } from "#lib/tenancy/workspaces";
import { timeBound } from "../../../test/bounds.ts";
import { openTestStores } from "../../../test/stores.ts";
import { admitApiKey } from "./admission.ts";
import { createApiKey, editApiKey, findApiKey, listApiKeys, revokeApiKey } from "./index.ts";
import { createApiKeyBody } from "./schema.ts";

openTestStores();

let scope: WorkspaceScope;
let people = 0;

beforeEach(async () => {
  scope = await newScope();
});

afterEach(async () => {
  await prisma().cacheChange.deleteMany();
});

async function newUser(): Promise<string> {
  people += 1;
  const id = newId("user");
  await prisma().user.create({ data: { id, name: "Ada", email: `p${people}@example.com` } });
  return id;
}

async function newScope(): Promise<WorkspaceScope> {
  const userId = await newUser();
  await createWorkspace(userId, { name: "Test", slug: `test-${people}` });
  const opened = await openWorkspace(userId, `test-${people}`);
  if (!opened) throw new Error("The workspace that was made cannot be opened");
  return opened;
}

async function scopeOfApiKey(text: string, now?: number): Promise<WorkspaceScope | undefined> {
  const admission = await admitApiKey(text, "198.51.100.1", now);
  return admission.ok ? admission.scope : undefined;
}

async function codeOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

test("a key opens its workspace, as its owner, and is stored as a hash only", async () => {
  const { key, apiKey } = await createApiKey(scope, { name: "Zapier" });
  expect(key).toMatch(/^fuxi_[0-9A-Za-z]{32}$/);
  const found = await scopeOfApiKey(key);
  expect(found).toMatchObject({
    workspacePk: scope.workspacePk,
    userPk: scope.userPk,
    actor: apiKey.id,
  });
  const row = await prisma().apiKey.findUniqueOrThrow({ where: { id: apiKey.id } });
  expect(JSON.stringify(row)).not.toContain(key);
  expect(key.startsWith(apiKey.hint)).toBe(true);
  expect(JSON.stringify(await listApiKeys(scope))).not.toContain(key);
});

test("an unknown key is refused", async () => {
  for (const key of ["", "fuxi_", "fuxi_00000000000000000000000000000000", "x".repeat(10_000)]) {
    expect(await scopeOfApiKey(key)).toBeUndefined();
  }
});

test("a key can neither create, list nor revoke keys, nor add or remove members", async () => {
  const { key, apiKey } = await createApiKey(scope, { name: "Zapier", scopes: ["all"] });
  const found = await scopeOfApiKey(key);
  if (!found) throw new Error("The key does not work");
  expect(await codeOf(() => createApiKey(found, { name: "More" }))).toBe("forbidden");
  expect(await codeOf(async () => listApiKeys(found))).toBe("forbidden");
  expect(await codeOf(() => revokeApiKey(found, apiKey.id))).toBe("forbidden");
  expect(await codeOf(() => removeMember(found, scope.userId!))).toBe("forbidden");
});

test("a key has the granted scopes and no more", async () => {
  const { key } = await createApiKey(scope, { name: "Reader", scopes: ["links.read"] });
  expect([...((await scopeOfApiKey(key))?.permissions ?? [])]).toEqual(["links.read"]);
});

test("a key that requests an unknown scope, or one reserved for people, is refused", async () => {
  for (const name of [
    "links.fly",
    "keys.*",
    "fly.*",
    ".*",
    "keys.write",
    "members.write",
    "workspace.write",
  ]) {
    const making = () => createApiKey(scope, { name: "Greedy", scopes: [name] });
    expect(await codeOf(making)).toBe("unprocessable_entity");
  }
});

test("a key may do no more than its owner may still do", async () => {
  const { key } = await createApiKey(scope, { name: "Zapier" });
  await prisma().membership.updateMany({
    where: { userPk: scope.userPk! },
    data: { role: "viewer" },
  });
  expect((await scopeOfApiKey(key))?.permissions.has("links.read")).toBe(true);
  expect((await scopeOfApiKey(key))?.permissions.has("links.write")).toBe(false);
});

test("a key ends at its expiry, although it is cached", async () => {
  const endsAt = Date.now() + 60_000;
  const { key } = await createApiKey(scope, {
    name: "Short",
    expiresAt: new Date(endsAt).toISOString(),
  });
  expect(await scopeOfApiKey(key, endsAt - 1)).toBeDefined();
  expect(await scopeOfApiKey(key, endsAt)).toBeUndefined();
  const past = { name: "Past", expiresAt: "2020-01-01T00:00:00Z" };
  expect(await codeOf(() => createApiKey(scope, past))).toBe("unprocessable_entity");
});

test("a revoked key is refused at once although it was cached", async () => {
  const { key, apiKey } = await createApiKey(scope, { name: "Zapier" });
  expect(await scopeOfApiKey(key)).toBeDefined();
  expect(await revokeApiKey(scope, apiKey.id)).toBe(true);
  expect(await scopeOfApiKey(key)).toBeUndefined();
  expect(await revokeApiKey(scope, apiKey.id)).toBe(false);
  expect(await listApiKeys(scope)).toEqual([]);
});

test("the key of a removed member stops at once", async () => {
  const userId = await newUser();
  const user = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
  await prisma().membership.create({
    data: { workspacePk: scope.workspacePk, userPk: user.pk, role: "admin" },
  });
  const theirs = await openWorkspace(userId, scope.slug);
  if (!theirs) throw new Error("The member is none");
  const { key } = await createApiKey(theirs, { name: "Zapier" });
  expect(await scopeOfApiKey(key)).toBeDefined();
  expect(await removeMember(scope, userId)).toEqual({ ok: true });
  expect(await scopeOfApiKey(key)).toBeUndefined();
  expect(await codeOf(() => createApiKey(theirs, { name: "Late" }))).toBe("forbidden");
});

test("a key of another workspace is answered exactly like a missing one", async () => {
  const { key, apiKey } = await createApiKey(scope, { name: "Zapier" });
  const other = await newScope();
  const missing = await revokeApiKey(other, "key_00000000000000000000000000");
  expect(await revokeApiKey(other, apiKey.id)).toEqual(missing);
  expect(await scopeOfApiKey(key)).toBeDefined();
  expect(await listApiKeys(other)).toEqual([]);
});

test("keys of former members leave room for others", async () => {
  const former = await prisma().user.findUniqueOrThrow({ where: { id: await newUser() } });
  await prisma().apiKey.createMany({
    data: Array.from({ length: 200 }, (_, at) => ({
      id: newId("key"),
      workspacePk: scope.workspacePk,
      userPk: former.pk,
      name: "Former",
      hash: Buffer.from(`${former.pk} ${at}`),
      hint: "",
      scopes: [],
    })),
  });
  expect(await codeOf(() => createApiKey(scope, { name: "New" }))).toBeUndefined();
});

test("a workspace has at most 200 keys", async () => {
  const data = Array.from({ length: 199 }, (_, at) => ({
    id: `key_${people}_${at}`,
    workspacePk: scope.workspacePk,
    userPk: scope.userPk!,
    name: "Filler",
    hash: Buffer.from(`${people} ${at}`),
    hint: "",
  }));
  await prisma().apiKey.createMany({ data });
  expect((await createApiKey(scope, { name: "Last" })).apiKey.name).toBe("Last");
  expect(await codeOf(() => createApiKey(scope, { name: "More" }))).toBe("forbidden");
});

test("20 keys created at once by a workspace that has room for 3 are 3", async () => {
  const data = Array.from({ length: 197 }, (_, at) => ({
    id: `key_${people}_${at}`,
    workspacePk: scope.workspacePk,
    userPk: scope.userPk!,
    name: "Filler",
    hash: Buffer.from(`${people} ${at}`),
    hint: "",
  }));
  await prisma().apiKey.createMany({ data });
  const making = Array.from({ length: 20 }, () => codeOf(() => createApiKey(scope, { name: "K" })));
  const codes = await Promise.all(making);
  expect(codes.filter((code) => code === undefined)).toHaveLength(3);
});

test("the keys of a plan are counted, and a revoked one makes room", async () => {
  await prisma().workspace.update({ where: { pk: scope.workspacePk }, data: { plan: "free" } });
  const free = await openWorkspace(scope.userId!, scope.slug);
  if (!free) throw new Error("The workspace cannot be opened");
  const making = Array.from({ length: 8 }, () => createApiKey(free, { name: "K" }));
  const created = (await Promise.allSettled(making)).flatMap((one) =>
    one.status === "fulfilled" ? [one.value] : [],
  );
  expect(created).toHaveLength(5);
  await expect(createApiKey(free, { name: "K" })).rejects.toThrow(/Free.*5 API keys/);
  await revokeApiKey(free, created[0]!.apiKey.id);
  expect(await codeOf(() => createApiKey(free, { name: "K" }))).toBeUndefined();
});

test("an allowlist that matches no address is refused, by the number of its line", () => {
  const bad = ["203.0.113", "203.0.113.7/33", "203.0.113.7/", "::1/129", "localhost", "", " ", "*"];
  for (const entry of [...bad, "::ffff:203.0.113.7", "0:0:0:0:0:FFFF:203.0.113.7", "1.2.3.4/-1"]) {
    const parsed = createApiKeyBody.safeParse({ name: "K", allowedAddresses: ["::1", entry] });
    expect([entry, parsed.error?.issues[0]?.path]).toEqual([entry, ["allowedAddresses", 1]]);
  }
  const ofLength = (length: number) =>
    createApiKeyBody.safeParse({ name: "K", allowedAddresses: Array(length).fill("::1") }).success;
  expect([ofLength(50), ofLength(51)]).toEqual([true, false]);
});

test("an edit applies at once, keeps unnamed fields, and records the previous values", async () => {
  const { key, apiKey } = await createApiKey(scope, { name: "Old", scopes: ["links.read"] });
  expect((await scopeOfApiKey(key))?.permissions.size).toBe(1);
  const edited = await editApiKey(scope, apiKey.id, { name: "New", scopes: ["links.*"] });
  expect(edited).toEqual({
    ...apiKey,
    name: "New",
    scopes: ["links.read", "links.write"],
    lastUsedAt: edited?.lastUsedAt,
  });
  expect([...((await scopeOfApiKey(key))?.permissions ?? [])]).toEqual(edited?.scopes);
  await editApiKey(scope, apiKey.id, { allowedAddresses: ["::1"] });
  expect(await admitApiKey(key, "198.51.100.1")).toMatchObject({ code: "address" });
  await editApiKey(scope, apiKey.id, { allowedAddresses: [], expiresAt: "2100-01-01T00:00:00Z" });
  expect(await scopeOfApiKey(key, Date.parse("2099-12-31T23:59:59Z"))).toBeDefined();
  expect(await findApiKey(scope, apiKey.id)).toMatchObject({
    expiresAt: "2100-01-01T00:00:00.000Z",
    allowedAddresses: [],
  });
  const entries = await auditOf(apiKey.id);
  expect(entries.map(({ action }) => action)).toEqual(["key.create", ...Array(3).fill("key.edit")]);
  expect(entries[1]).toMatchObject({
    actor: scope.actor,
    action: "key.edit",
    details: {
      name: { from: "Old", to: "New" },
      scopes: { from: ["links.read"], to: ["links.read", "links.write"] },
    },
  });
});

function auditOf(subject: string) {
  return prisma().auditEntry.findMany({ where: { subject }, orderBy: { pk: "asc" } });
}

test("an edit that changes nothing leaves no entry; an invalid one changes nothing", async () => {
  const { apiKey } = await createApiKey(scope, { name: "Old", scopes: ["links.read"] });
  expect(await editApiKey(scope, apiKey.id, { name: "Old", scopes: ["links.read"] })).toEqual(
    apiKey,
  );
  const wrong = { name: "New", scopes: ["keys.write"] };
  expect(await codeOf(() => editApiKey(scope, apiKey.id, wrong))).toBe("unprocessable_entity");
  const past = { name: "New", expiresAt: "2020-01-01T00:00:00Z" };
  expect(await codeOf(() => editApiKey(scope, apiKey.id, past))).toBe("unprocessable_entity");
  expect(await auditOf(apiKey.id)).toHaveLength(1);
});

test("another workspace's key is neither shown nor changed, exactly like a missing one", async () => {
  const { apiKey } = await createApiKey(scope, { name: "Mine" });
  const other = await newScope();
  expect(await findApiKey(other, apiKey.id)).toBeUndefined();
  expect(await editApiKey(other, apiKey.id, { name: "Theirs" })).toBeUndefined();
  expect(await findApiKey(scope, apiKey.id)).toMatchObject({ name: "Mine" });
  await revokeApiKey(scope, apiKey.id);
  expect(await findApiKey(scope, apiKey.id)).toBeUndefined();
  expect(await editApiKey(scope, apiKey.id, { name: "Late" })).toBeUndefined();
});

test("a key can read and change no key, not even itself", async () => {
  const { key, apiKey } = await createApiKey(scope, { name: "Zapier", scopes: ["all"] });
  const found = await scopeOfApiKey(key);
  if (!found) throw new Error("The key does not work");
  expect(await codeOf(() => findApiKey(found, apiKey.id))).toBe("forbidden");
  expect(await codeOf(() => editApiKey(found, apiKey.id, { scopes: ["all"] }))).toBe("forbidden");
});

test.each([
  [["apis.all"], ["all"]],
  [["apis.read"], ["read"]],
  [["links.*"], ["links.read", "links.write"]],
  [
    ["links.read", "links.*", "links.read"],
    ["links.read", "links.write"],
  ],
])("the scopes %j are stored as %j", async (given, kept) => {
  expect((await createApiKey(scope, { name: "K", scopes: given })).apiKey.scopes).toEqual(kept);
});

test("a read-only key may read everything that keys may, and change nothing", async () => {
  const { key } = await createApiKey(scope, { name: "Reader", scopes: ["read"] });
  const permissions = [...((await scopeOfApiKey(key))?.permissions ?? [])];
  expect(permissions).toContain("links.read");
  expect(permissions).toContain("audit.read");
  expect(permissions.filter((name) => !name.endsWith(".read"))).toEqual([]);
  expect(permissions).not.toContain("keys.read");
});

test("the last use of a key is written in the background, once a minute", async () => {
  const { key, apiKey } = await createApiKey(scope, { name: "Zapier" });
  const later = await createApiKey(scope, { name: "Later" });
  await Promise.all(Array.from({ length: 50 }, () => scopeOfApiKey(key)));
  const lastUse = async ({ id } = apiKey) =>
    (await prisma().apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt;
  await expect.poll(() => lastUse()).not.toBeNull();
  const first = await lastUse();
  await scopeOfApiKey(key, Date.now() + 59_000);
  // Uses are written in order: once this one is written, the earlier one would be.
  await scopeOfApiKey(later.key);
  await expect.poll(() => lastUse(later.apiKey)).not.toBeNull();
  expect(await lastUse()).toEqual(first);
});

test("a revoked key is refused within a second by another process that has it cached", async () => {
  openCoherence();
  await expect.poll(() => channel.listening).toBe(true);
  const { key, apiKey } = await createApiKey(scope, { name: "Zapier" });
  const other = openOtherProcess();
  try {
    expect(await other.ask(key)).toEqual({ works: true, cached: true });
    await revokeApiKey(scope, apiKey.id);
    const works = async () => (await other.ask(key)).works;
    await expect.poll(works, { timeout: timeBound(1_000) }).toBe(false);
  } finally {
    await other.end();
  }
});

interface Reply {
  works: boolean;
  cached: boolean;
}

/** A process that answers for each line whether its key is valid, and whether the channel is connected. */
function openOtherProcess() {
  const script = `
    import { createInterface } from "node:readline";
    import { admitApiKey } from "#lib/identity/api-keys";
    import { channel, openCoherence } from "#lib/platform/cache-sync";
    openCoherence();
    while (!channel.listening) await new Promise((resolve) => setTimeout(resolve, 20));
    for await (const key of createInterface({ input: process.stdin })) {
      const works = (await admitApiKey(key, "198.51.100.1")).ok;
      console.log(JSON.stringify({ works, cached: channel.listening }));
    }
    process.exit(0);`;
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", script],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const lines = createInterface({ input: child.stdout });
  return {
    async ask(key: string): Promise<Reply> {
      child.stdin.write(`${key}\n`);
      const [line] = await once(lines, "line");
      return JSON.parse(String(line));
    },
    async end() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
