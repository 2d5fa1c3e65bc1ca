import { Redis } from "ioredis";
import pg from "pg";
import { expect, test } from "vitest";
import { openTestDatabase } from "./database.ts";

async function count(url: string, table: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`SELECT count(*)::int AS n FROM ${table}`);
    return rows[0].n;
  } finally {
    await client.end();
  }
}

test("two test databases are migrated and do not see each other's rows", async () => {
  const [one, two] = await Promise.all([openTestDatabase(), openTestDatabase()]);
  const client = new pg.Client({ connectionString: one.databaseUrl });
  await client.connect();
  await client.query("CREATE TABLE planted (n int)");
  await client.end();
  expect(await count(one.databaseUrl, "_prisma_migrations")).toBeGreaterThan(0);
  expect(await count(two.databaseUrl, "_prisma_migrations")).toBeGreaterThan(0);
  await expect(count(two.databaseUrl, "planted")).rejects.toThrow("does not exist");
  await one.drop();
  await two.drop();
  // On Citus it is kept, and emptied for the next test.
  if (process.env["TEST_CITUS_URL"]) return;
  await expect(count(one.databaseUrl, "_prisma_migrations")).rejects.toThrow("does not exist");
});

test("the Redis of a test is empty when it begins", async () => {
  const first = await openTestDatabase();
  const redis = new Redis(first.redisUrl);
  await redis.set("left", "behind");
  const second = await openTestDatabase();
  expect(await redis.dbsize()).toBe(0);
  redis.disconnect();
  await first.drop();
  await second.drop();
});
