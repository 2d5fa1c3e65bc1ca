import { beforeAll, expect, test } from "vitest";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { untilWaiting } from "../../../test/locks.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  dropVersion,
  holdVersion,
  listRotated,
  openPeopleKeys,
  rotatePeopleKeys,
  withPeopleKeys,
} from "./index.ts";

openTestStores();

const phone = "+8613800138000";
let ada: WorkspaceScope;
let bob: WorkspaceScope;

beforeAll(async () => {
  ada = await makeTestScope("ada");
  bob = await makeTestScope("bob");
});

test("concurrent first uses get the same keys", async () => {
  const opened = await Promise.all(
    Array.from({ length: 8 }, () => openPeopleKeys(ada.workspacePk)),
  );
  const hashes = new Set(opened.map((keys) => keys.hash(phone).toString("hex")));
  expect(hashes.size).toBe(1);
  const [first, last] = [opened[0], opened[7]];
  const sealed = first?.seal(phone, "rcp_1") ?? Buffer.alloc(0);
  expect(last?.unseal({ version: 1, sealed }, "rcp_1")).toBe(phone);
});

test("a value is opened in its own row and workspace only", async () => {
  const keys = await openPeopleKeys(ada.workspacePk);
  const others = await openPeopleKeys(bob.workspacePk);
  const value = { version: keys.version, sealed: keys.seal(phone, "rcp_1") };
  expect(value.sealed.includes(phone)).toBe(false);
  expect(keys.unseal(value, "rcp_1")).toBe(phone);
  expect(() => keys.unseal(value, "rcp_2")).toThrow();
  expect(() => others.unseal(value, "rcp_1")).toThrow();
});

test("equal phones have equal hashes in a workspace, and different ones in two", async () => {
  const keys = await openPeopleKeys(ada.workspacePk);
  const others = await openPeopleKeys(bob.workspacePk);
  expect(keys.hash(phone)).toEqual(keys.hash(phone));
  expect(keys.hash(phone)).not.toEqual(keys.hash("+8613800138001"));
  expect(keys.hash(phone)).not.toEqual(others.hash(phone));
});

test("a key that is copied to another workspace or version cannot be opened", async () => {
  const eve = await makeTestScope("eve");
  await query(sql`
    INSERT INTO people_key (workspace_pk, version, sealed)
    SELECT ${eve.workspacePk}, version, sealed
    FROM people_key
    WHERE workspace_pk = ${ada.workspacePk}`);
  await expect(openPeopleKeys(eve.workspacePk)).rejects.toThrow();
});

test("rotation seals new values with another key, and hashes and older values stay readable", async () => {
  const before = await openPeopleKeys(bob.workspacePk);
  const value = { version: before.version, sealed: before.seal(phone, "rcp_1") };
  expect(await rotatePeopleKeys(bob)).toBe(before.version + 1);
  const after = await openPeopleKeys(bob.workspacePk);
  expect(after.version).toBe(before.version + 1);
  expect(after.hash(phone)).toEqual(before.hash(phone));
  expect(after.unseal(value, "rcp_1")).toBe(phone);
  const newer = { version: before.version, sealed: after.seal(phone, "rcp_1") };
  expect(() => after.unseal(newer, "rcp_1")).toThrow();
});

test("only owners and admins rotate the key", async () => {
  const member = await joinTestScope(bob, "member", "member");
  await expect(rotatePeopleKeys(member)).rejects.toThrow("workspace.write");
});

test("a version is dropped only when nothing uses it and no writer holds it", async () => {
  const { workspacePk } = bob;
  const [older] = (await listRotated()).filter((one) => one.workspacePk === workspacePk);
  const version = older?.version ?? 0;
  expect(await dropVersion(workspacePk, version, () => Promise.resolve(true))).toBe(false);
  const keys = { ...(await openPeopleKeys(workspacePk)), version };
  let isDropped = false;
  let dropping: Promise<boolean> | undefined;
  await transaction(async (tx) => {
    await holdVersion(tx, keys);
    dropping = dropVersion(workspacePk, version, () => {
      isDropped = true;
      return Promise.resolve(false);
    });
    // The writer is not finished: whether the version is used is not asked yet.
    await untilWaiting();
    expect(isDropped).toBe(false);
  });
  expect(await dropping).toBe(true);
  expect(await dropVersion(workspacePk, version, () => Promise.resolve(false))).toBe(false);
  await expect(transaction((tx) => holdVersion(tx, keys))).rejects.toThrow("replaced");
});

test("work that began with a dropped version is repeated with the newest", async () => {
  const carl = await makeTestScope("carl");
  const versions: number[] = [];
  const result = await withPeopleKeys(carl.workspacePk, async (keys) => {
    versions.push(keys.version);
    if (versions.length === 1) {
      await rotatePeopleKeys(carl);
      await dropVersion(carl.workspacePk, keys.version, () => Promise.resolve(false));
    }
    return await transaction(async (tx) => {
      await holdVersion(tx, keys);
      return "written";
    });
  });
  expect(result).toBe("written");
  expect(versions).toEqual([1, 2]);
});
