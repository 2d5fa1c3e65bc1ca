/**
 * Applies prisma/migrations; --diff compares with schema.prisma. The Prisma CLI downloads its
 * engine, which closed networks prevent; this one is WebAssembly.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { findServerUrl } from "#lib/platform/postgres";
import { runCommand } from "./advice.ts";
import { adoptBaseline } from "./baseline.ts";

const folder = new URL(import.meta.isCompiled ? "../../prisma/" : "./", import.meta.url);
const schemaFile = fileURLToPath(new URL("schema.prisma", folder));
const migrationsDir = fileURLToPath(new URL("migrations", folder));
const filters = { externalTables: [], externalEnums: [] };

function listMigrations(until?: string) {
  const names = readdirSync(migrationsDir)
    .filter((name) => existsSync(`${migrationsDir}/${name}/migration.sql`))
    .filter((name) => until === undefined || name <= until)
    .sort();
  const lockFile = `${migrationsDir}/migration_lock.toml`;
  return {
    baseDir: migrationsDir,
    lockfile: { path: "migration_lock.toml", content: readFileSync(lockFile, "utf8") },
    shadowDbInitScript: "",
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: {
        path: "migration.sql",
        content: {
          tag: "ok" as const,
          value: readFileSync(`${migrationsDir}/${name}/migration.sql`, "utf8"),
        },
      },
    })),
  };
}

/** PostgreSQL: no such table. */
const undefinedTable = "42P01";

/** The engine takes a second to load; this takes milliseconds. */
async function hasAll(
  databaseUrl: string,
  { migrationDirectories }: ReturnType<typeof listMigrations>,
): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
      `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
    );
    const applied = new Map(
      rows.map(({ name, checksum, finished }) => [name, finished && checksum]),
    );
    return (
      applied.size === migrationDirectories.length &&
      migrationDirectories.every(
        ({ path, migrationFile }) => applied.get(path) === sha256(migrationFile.content.value),
      )
    );
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === undefinedTable) return false;
    throw error;
  } finally {
    await client.end();
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Any number: one process at a time migrates. */
const migrationLock = 20_261_129;

/** `until` stops after that migration. Returns the applied names. */
export async function migrate(address: string, until?: string): Promise<string[]> {
  const migrations = listMigrations(until);
  const databaseUrl = await findServerUrl(address);
  if (await hasAll(databaseUrl, migrations)) return [];
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // The engine only locks while it applies: a migration that runs elsewhere looks as if it had failed.
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    return await migrateAlone(databaseUrl, migrations);
  } finally {
    // Ends the lock, too.
    await client.end();
  }
}

async function migrateAlone(
  databaseUrl: string,
  migrationsList: ReturnType<typeof listMigrations>,
): Promise<string[]> {
  if (await hasAll(databaseUrl, migrationsList)) return [];
  const [first] = migrationsList.migrationDirectories;
  if (first) await adoptBaseline(databaseUrl, sha256(first.migrationFile.content.value));
  const { withEngine } = await import("./engine.ts");
  return await withEngine(databaseUrl, schemaFile, async (engine) => {
    const input = { migrationsList, filters };
    // A failed script left nothing behind, so its record can go and the next start tries again.
    const { failedMigrationNames } = await engine.diagnoseMigrationHistory({
      ...input,
      optInToShadowDatabase: false,
    });
    for (const migrationName of failedMigrationNames) {
      await engine.markMigrationRolledBack({ migrationName });
    }
    return (await engine.applyMigrations(input)).appliedMigrationNames;
  });
}

/** The SQL that brings the database to schema.prisma; only a comment if they agree. */
export async function diff(databaseUrl: string): Promise<string> {
  const { withEngine } = await import("./engine.ts");
  return await withEngine(databaseUrl, schemaFile, async (engine) => {
    const schema = { content: readFileSync(schemaFile, "utf8"), path: schemaFile };
    const result = await engine.diff({
      from: { tag: "schemaDatasource", files: [schema], configDir: migrationsDir },
      to: { tag: "schemaDatamodel", files: [schema] },
      script: true,
      exitCode: null,
      filters,
    });
    return result.stdout ?? "";
  });
}

/** Whether this is the program. Shared code is compiled into another file. */
function isProgram(file = ""): boolean {
  if (import.meta.isCompiled) return /[\\/]migrate\.mjs$/.test(file);
  return file === fileURLToPath(import.meta.url);
}

if (isProgram(process.argv[1])) {
  await runCommand(async (databaseUrl) => {
    if (process.argv.includes("--diff")) return await diff(await findServerUrl(databaseUrl));
    const applied = await migrate(databaseUrl);
    return applied.map((name) => `applied ${name}\n`).join("") || "up to date\n";
  });
}
