import { readdirSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { withClient } from "../scripts/databases.ts";
import { withUnmigrated } from "../test/citus.ts";
import { copyTestDatabase, openTestDatabase } from "../test/database.ts";
import { baseline, currentNames } from "./baseline.ts";
import { diff, migrate } from "./migrate.ts";

/** Citus refuses to drop the schema of a distributed database. */
const onPostgres = test.skipIf(process.env["TEST_CITUS_URL"]);

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

test("migrations of an earlier version change nothing in a newer database, so that version can come back", async () => {
  const database = await openTestDatabase();
  expect(await migrate(database.databaseUrl, baseline)).toEqual([]);
  expect(await migrate(database.databaseUrl)).toEqual([]);
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

/** The names that a database of Fuxi's development had recorded; only their number and the last one matter. */
function formerNames(count: number): string[] {
  const names = Array.from({ length: 103 }, (_, at) => `20261121${String(at).padStart(6, "0")}_x`);
  return [...names, "20261231040000_reversed_payments"].slice(0, count);
}

/** A database as of the baseline, whose records say that it has the first of the former migrations. */
async function openFormer(count: number): Promise<string> {
  const { databaseUrl } = await copyTestDatabase();
  await withClient(databaseUrl, async (client) => {
    await client.query("DROP SCHEMA public, analytics CASCADE");
    await client.query("CREATE SCHEMA public");
  });
  await migrate(databaseUrl, baseline);
  await withClient(databaseUrl, async (client) => {
    await client.query("DELETE FROM _prisma_migrations");
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       SELECT gen_random_uuid(), 'x', name, now(), 1 FROM unnest($1::text[]) AS name`,
      [formerNames(count)],
    );
  });
  return databaseUrl;
}

async function readRecords(databaseUrl: string): Promise<string[]> {
  return await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT migration_name AS name FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY 1",
    );
    return rows.map(({ name }) => name);
  });
}

onPostgres(
  "a database with all former migrations gets the record of the baseline and the later ones once, from several processes",
  async () => {
    const url = await openFormer(104);
    const all = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    const later = readdirSync("prisma/migrations").filter(
      (name) => /^\d/.test(name) && name > baseline,
    );
    expect(all.flat()).toEqual(later.sort());
    expect(await readRecords(url)).toEqual([baseline, ...later]);
  },
);

onPostgres(
  "a database with fewer of them is refused with the commit to migrate it with, and stays as it is",
  async () => {
    const url = await openFormer(103);
    await expect(migrate(url)).rejects.toThrow(
      /103 of 104 migrations.*Check out commit [0-9a-f]{40}/,
    );
    expect(await readRecords(url)).toEqual(formerNames(103));
  },
);

test("a program of the former version that migrates later breaks nothing", async () => {
  const { databaseUrl } = await copyTestDatabase();
  const applied = await readRecords(databaseUrl);
  await withClient(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs, applied_steps_count)
       VALUES (gen_random_uuid(), 'x', '20261121000000_people_and_links', 'relation exists', 0)`,
    );
  });
  expect(await migrate(databaseUrl)).toEqual([]);
  expect(await readRecords(databaseUrl)).toEqual(applied);
});

test("a backup with all former migrations is one of the baseline; one with fewer is refused", () => {
  expect(currentNames(formerNames(104))).toEqual([baseline]);
  expect(() => currentNames(formerNames(103))).toThrow("back up again");
  expect(currentNames([baseline, "20261201000000_later"])).toEqual([
    baseline,
    "20261201000000_later",
  ]);
});
