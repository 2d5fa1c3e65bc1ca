import { beforeAll, expect, test } from "vitest";
import { presentId } from "#lib/basics/ids";
import { createApiKey, editApiKey } from "#lib/identity/api-keys";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openWorkspace, updateWorkspace } from "#lib/tenancy/workspaces";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { exportAudit, listAudit, nameMentioned } from "./listing.ts";
import { withOrigin } from "./origins.ts";
import { type AuditQuery, auditQuery, exportAuditQuery } from "./schema.ts";

openTestStores();

let scope: WorkspaceScope;

beforeAll(async () => {
  scope = await makeTestScope("ada");
  for (let at = 0; at < 5; at++) await createApiKey(scope, { name: `Key ${at}` });
});

function list(filters: Partial<AuditQuery> = {}, as = scope) {
  return listAudit(as, { pageSize: 100, ...filters });
}

test("entries have actor, action and subject, the newest first", async () => {
  const [newest, ...older] = await list();
  expect(newest).toEqual({
    id: expect.stringMatching(/^aud_[0-9A-Z]{26}$/),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    actor: { id: scope.userId, name: "ada", type: "user" },
    action: "key.create",
    subject: expect.stringMatching(/^key_/),
    subjectName: "Key 4",
    address: null,
    agent: null,
    details: {
      name: "Key 4",
      scopes: ["all"],
      expiresAt: null,
      allowedAddresses: [],
      domainIds: [],
      folderIds: [],
      callsPerMinute: null,
    },
  });
  expect(older).toHaveLength(5);
  expect(older.at(-1)?.action).toBe("workspace.create");
});

test("a page begins where the previous one ended, in both directions", async () => {
  const all = (await list()).map(({ id }) => id);
  const first = (await list({ pageSize: 2 })).map(({ id }) => id);
  const second = (await list({ pageSize: 2, startingAfter: first[1] })).map(({ id }) => id);
  expect([...first, ...second]).toEqual(all.slice(0, 4));
  const back = (await list({ pageSize: 2, endingBefore: second[0] })).map(({ id }) => id);
  expect(back).toEqual(first);
  expect(await list({ endingBefore: all[0] })).toEqual([]);
});

test("entries are found by action, actor, subject and time", async () => {
  const [newest] = await list();
  const created = newest?.subject ?? "";
  await editApiKey(scope, created, { name: "Renamed" });
  expect(await list({ action: "key.edit" })).toMatchObject([
    { details: { name: { from: "Key 4", to: "Renamed" } } },
  ]);
  expect(await list({ action: "key.*" })).toHaveLength(6);
  expect(await list({ action: "work.*" })).toEqual([]);
  expect((await list({ subject: created })).map(({ action }) => action)).toEqual([
    "key.edit",
    "key.create",
  ]);
  expect(await list({ actor: String(scope.userId) })).toHaveLength(7);
  expect(await list({ actor: "user_none" })).toEqual([]);
  const at = newest?.at ?? "";
  expect((await list({ since: at })).some((entry) => entry.at < at)).toBe(false);
  expect((await list({ since: at })).length).toBeGreaterThan(0);
  expect((await list({ until: at })).some((entry) => entry.at >= at)).toBe(false);
});

test("an entry of a key has its current name", async () => {
  const key = await createApiKey(scope, { name: "Sender" });
  await query(sql`
    INSERT INTO audit (id, workspace_pk, actor, action)
    VALUES (gen_random_uuid(), ${scope.workspacePk}, ${key.apiKey.id}, 'test.done')`);
  await editApiKey(scope, key.apiKey.id, { name: "SMS sender" });
  const [entry] = await list({ action: "test.done" });
  expect(entry?.actor).toEqual({ id: key.apiKey.id, name: "SMS sender", type: "api_key" });
});

test("another workspace sees no entry, and its cursors are invalid there", async () => {
  const other = await makeTestScope("eve");
  expect((await list({}, other)).map(({ action }) => action)).toEqual(["workspace.create"]);
  const [entry] = await list();
  expect(await list({ endingBefore: entry?.id, action: "key.*" }, other)).toEqual([]);
});

test("members and viewers may not read it", async () => {
  for (const role of ["member", "viewer"]) {
    await query(sql`
      UPDATE membership SET role = ${role} WHERE workspace_pk = ${scope.workspacePk}`);
    const membership = await openWorkspace(String(scope.userId), scope.slug);
    expect(() => list({}, membership)).toThrow(AppError);
  }
  await query(sql`
    UPDATE membership SET role = 'owner' WHERE workspace_pk = ${scope.workspacePk}`);
});

test("a change of the workspace has old and new values", async () => {
  await updateWorkspace(scope, { name: "Newer" });
  const [entry] = await list({ action: "workspace.edit" });
  expect(entry?.details).toEqual({ name: { from: "ada", to: "Newer" } });
});

test("an invalid query is refused by the name of its field", () => {
  const wrong = {
    action: "Key",
    since: "yesterday",
    pageSize: "101",
    startingAfter: "x".repeat(101),
  };
  for (const [field, value] of Object.entries(wrong)) {
    const parsed = auditQuery.safeParse({ [field]: value });
    expect(parsed.error?.issues[0]?.path).toEqual([field]);
  }
  expect(() => list({ startingAfter: "aud_x" })).toThrow(/startingAfter/);
  expect(() => list({ startingAfter: presentId("link", crypto.randomUUID()) })).toThrow(AppError);
});

test("an entry has the origin of its request, each its own, and none without a request", async () => {
  const names = ["first", "second", "third"];
  await Promise.all(
    names.map((name, at) =>
      withOrigin({ address: `192.0.2.${at}`, agent: `Agent\u0000 ${name}\ud800` }, async () => {
        await new Promise((resolve) => setTimeout(resolve, 5 * at));
        await createApiKey(scope, { name });
      }),
    ),
  );
  await createApiKey(scope, { name: "nobody" });
  const entries = await list({ action: "key.create", pageSize: 4 });
  const origins = entries.map(({ details, address, agent }) => [details?.["name"], address, agent]);
  expect(origins.sort()).toEqual([
    ["first", "192.0.2.0", "Agent  first\ufffd"],
    ["nobody", null, null],
    ["second", "192.0.2.1", "Agent  second\ufffd"],
    ["third", "192.0.2.2", "Agent  third\ufffd"],
  ]);
});

async function exported(filters: object, as = scope): Promise<string> {
  const parts: Buffer[] = [];
  const file = exportAudit(as, exportAuditQuery.parse(filters));
  await file.send((bytes) => {
    parts.push(Buffer.from(bytes));
    return Promise.resolve();
  });
  return Buffer.concat(parts).toString();
}

test("a file has every matching entry, over its pages, and no formula", async () => {
  const many = await makeTestScope("many");
  await createApiKey(many, { name: "=1+1" });
  await query(sql`
    INSERT INTO audit (id, workspace_pk, actor, action)
    SELECT gen_random_uuid(), ${many.workspacePk}, 'system', 'test.done'
    FROM generate_series(1, 2000)`);
  const lines = (await exported({ format: "jsonl" }, many)).trimEnd().split("\n");
  const ids = lines.map((line) => JSON.parse(line).id);
  expect(new Set(ids).size).toBe(2_002);
  expect(lines).toHaveLength(2_002);
  const csv = await exported({ action: "key.*" }, many);
  expect(csv.split("\r\n")).toHaveLength(3);
  expect(csv).toContain(",'=1+1,");
  expect(csv).not.toContain(",=1+1,");
});

test("objects that details mention are named, those of another workspace are not", async () => {
  const eve = await makeTestScope("mentioned");
  const [{ apiKey: own }, { apiKey: foreign }] = await Promise.all([
    createApiKey(scope, { name: "Mentioned" }),
    createApiKey(eve, { name: "Foreign" }),
  ]);
  const [entry] = await list({ subject: own.id });
  if (!entry) throw new Error("no entry");
  const details = { tagIds: { from: [foreign.id], to: [own.id] }, other: "key_no id" };
  expect(await nameMentioned(scope, [{ ...entry, details }])).toEqual({ [own.id]: "Mentioned" });
  expect(await nameMentioned(scope, [{ ...entry, details: null }])).toEqual({});
});
