/** The files of erasures. That a restore uses them is tested with the restore (scripts/restore.db.test.ts). */
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { config } from "#lib/platform/config";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { copyErasures, type Erasure, listErasures, removeOldErasures } from "#lib/tenancy/erasures";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { erasePerson } from "./index.ts";

openTestStores();

const dayMs = 86_400_000;
const folder = () => join(config().FUXI_DATA_DIR, "erasures");
const all = new Date(0);
let ada: WorkspaceScope;

beforeAll(async () => {
  ada = await makeTestScope("ada");
});
beforeEach(() => rm(folder(), { recursive: true, force: true }));

const phoneOf = (one: Erasure) => ("phone" in one ? one.phone : undefined);
const erase = (at: number) => erasePerson(ada, { phone: `+86138${String(10_000_000 + at)}` });

test("each erasure has a line without its phone, also of several at once, and of a phone that nobody has", async () => {
  await Promise.all(Array.from({ length: 20 }, (_, at) => erase(at)));
  const noted = await listErasures(all);
  expect(new Set(noted.map(phoneOf)).size).toBe(20);
  expect(new Set(noted.map(({ workspaceId }) => workspaceId))).toEqual(new Set([ada.workspaceId]));
  const [name = ""] = await readdir(folder());
  expect(await readFile(join(folder(), name), "utf8")).not.toMatch(/138100000/);
});

test("an erasure that cannot be noted is not made", async () => {
  await writeFile(folder(), "a file in place of the folder");
  await expect(erase(1)).rejects.toThrow(/EEXIST|ENOTDIR/);
});

test("what a crash has cut short loses no later line", async () => {
  await erase(1);
  const [name = ""] = await readdir(folder());
  await appendFile(join(folder(), name), '{"workspaceId":"ws_');
  await erase(2);
  expect(await listErasures(all)).toHaveLength(2);
});

test("the erasures of another folder are added once", async () => {
  await erase(1);
  const other = join(config().FUXI_DATA_DIR, "other");
  await mkdir(other, { recursive: true });
  const [one] = await listErasures(all);
  const lines = [one, { ...one, phone: "ab" }].map((line) => JSON.stringify(line));
  await writeFile(join(other, "2026-01.jsonl"), lines.join("\n"));
  await copyErasures(other);
  await copyErasures(other);
  expect((await listErasures(all)).map(phoneOf)).toEqual([one && phoneOf(one), "ab"]);
});

test("a file is deleted once its last day is 400 days ago, and other files never", async () => {
  await mkdir(folder(), { recursive: true });
  for (const name of ["2026-01.jsonl", "notes.txt"]) await writeFile(join(folder(), name), "");
  const end = Date.parse("2026-01-01T00:00:00Z") + (400 + 31) * dayMs;
  await removeOldErasures(end);
  expect(await readdir(folder())).toHaveLength(2);
  await removeOldErasures(end + 1);
  expect(await readdir(folder())).toEqual(["notes.txt"]);
});
