import { afterEach, expect, test, vi } from "vitest";
import { withUnmigrated } from "../test/citus.ts";
import { openTestDatabase } from "../test/database.ts";
import { diff, migrate } from "./migrate.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("the migrations lead exactly to schema.prisma, and applying them again changes nothing", async () => {
  const isComplete = async (url: string) => {
    expect(await migrate(url)).toEqual([]);
    expect((await diff(url)).trim()).toBe("-- This is an empty migration.");
  };
  const citusUrl = process.env["TEST_CITUS_URL"];
  if (citusUrl) {
    // Test databases are distributed, which changes their constraints.
    await withUnmigrated(citusUrl, async (url) => {
      await migrate(url);
      await isComplete(url);
    });
  } else {
    const database = await openTestDatabase();
    await isComplete(database.databaseUrl);
    await database.drop();
  }
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
