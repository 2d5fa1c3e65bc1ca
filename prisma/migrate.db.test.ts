import { afterEach, expect, test, vi } from "vitest";
import { openTestDatabase } from "../test/database.ts";
import { diff, migrate } from "./migrate.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("the migrations lead exactly to schema.prisma, and applying them again changes nothing", async () => {
  const database = await openTestDatabase();
  expect(await migrate(database.databaseUrl)).toEqual([]);
  expect((await diff(database.databaseUrl)).trim()).toBe("-- This is an empty migration.");
  await database.drop();
});

test("the schema engine has one instance in a process, also when its module is loaded anew", async () => {
  const database = await openTestDatabase();
  const load = async () => {
    vi.resetModules();
    const fresh = await import("./migrate.ts");
    return await fresh.diff(database.databaseUrl);
  };
  const first = await load();
  const instantiate = vi.spyOn(WebAssembly, "instantiate");
  expect(await load()).toBe(first);
  expect(instantiate).not.toHaveBeenCalled();
  await database.drop();
});
