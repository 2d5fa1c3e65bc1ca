import { expect, test } from "vitest";
import { openTestDatabase } from "../test/database.ts";
import { diff, migrate } from "./migrate.ts";

test("the migrations lead exactly to schema.prisma, and applying them again changes nothing", async () => {
  const database = await openTestDatabase();
  expect(await migrate(database.databaseUrl)).toEqual([]);
  expect((await diff(database.databaseUrl)).trim()).toBe("-- This is an empty migration.");
  await database.drop();
});
