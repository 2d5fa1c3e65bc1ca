/**
 * Applies the migrations in prisma/migrations, and with --diff shows what they lack compared with schema.prisma.
 *
 * The Prisma CLI downloads its schema engine on first use, which a closed network prevents. The same engine is
 * published as WebAssembly; it maintains `_prisma_migrations` like the CLI, so either can be used.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  DriverAdapterError,
} from "@prisma/driver-adapter-utils";
import * as engineModule from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

const schemaFile = fileURLToPath(new URL("schema.prisma", import.meta.url));
const migrationsDir = fileURLToPath(new URL("migrations", import.meta.url));
/** PostgreSQL's type numbers. */
const charType = 18;
const textType = 25;
const filters = { externalTables: [], externalEnums: [] };

let engineReady: Promise<void> | undefined;

function prepareEngine(): Promise<void> {
  engineReady ??= (async () => {
    const wasmFile = createRequire(import.meta.url).resolve(
      "@prisma/schema-engine-wasm/schema_engine_bg",
    );
    const bytes = readFileSync(wasmFile.replace(/\.js$/, ".wasm"));
    const { instance } = await WebAssembly.instantiate(bytes, {
      "./schema_engine_bg.js": { ...engineModule },
    });
    // The engine reports a panic through this global of the Prisma CLI.
    Object.assign(globalThis, {
      PRISMA_WASM_PANIC_REGISTRY: {
        set_message: (text: string) => process.stderr.write(`${text}\n`),
      },
    });
    engineModule.__wbg_set_wasm(instance.exports);
    const start = instance.exports["__wbindgen_start"];
    if (typeof start === "function") start();
  })();
  return engineReady;
}

/** Records which columns of the last result had the internal type "char", which the adapter does not support. */
class DescribablePool extends pg.Pool {
  charColumns: number[] = [];

  // biome-ignore lint/suspicious/noExplicitAny: pg's query has eleven overloads, and this forwards all of them
  override async query(...args: any[]): Promise<any> {
    const result = await Reflect.apply(super.query, this, args);
    const fields: pg.FieldDef[] = result?.fields ?? [];
    this.charColumns = fields.flatMap((field, at) => (field.dataTypeID === charType ? [at] : []));
    for (const at of this.charColumns) Object.assign(fields[at] ?? {}, { dataTypeID: textType });
    return result;
  }
}

/**
 * Prisma's adapter with two fixes: columns of type "char", with which the engine describes a database, and scripts,
 * which it splits at every semicolon, even inside comments and functions. Sent as a whole, PostgreSQL parses the
 * script, and a failed migration leaves nothing behind. The engine sends one query at a time.
 */
class MigrationAdapter extends PrismaPg {
  readonly #pool: DescribablePool;

  constructor(pool: DescribablePool) {
    super(pool);
    this.#pool = pool;
  }

  override async connect() {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const at of this.#pool.charColumns) result.columnTypes[at] = ColumnTypeEnum.Character;
      return result;
    };
    adapter.executeScript = async (script) => {
      await this.#pool.query(script).catch(refuseScript);
    };
    return adapter;
  }
}

function refuseScript(error: unknown): never {
  const { code, message } =
    error instanceof pg.DatabaseError ? error : { code: undefined, message: String(error) };
  throw new DriverAdapterError({
    kind: "postgres",
    code: code ?? "XX000",
    severity: "ERROR",
    message,
    detail: undefined,
    column: undefined,
    hint: undefined,
  });
}

/** Runs one task with the engine and closes what it opened. */
async function withEngine<T>(
  databaseUrl: string,
  work: (engine: engineModule.SchemaEngine) => Promise<T>,
): Promise<T> {
  await prepareEngine();
  const pool = new DescribablePool({ connectionString: databaseUrl, max: 2 });
  const adapter = bindMigrationAwareSqlAdapterFactory(new MigrationAdapter(pool));
  const engine = await engineModule.SchemaEngine.new(
    { datamodels: [[schemaFile, readFileSync(schemaFile, "utf8")]] },
    () => undefined,
    adapter,
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
    await pool.end();
  }
}

/** The migrations in order, in the format of the engine. */
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

/** PostgreSQL: the table does not exist. */
const undefinedTable = "42P01";

/** Whether the database has exactly these migrations. The engine takes a second to load; this takes milliseconds. */
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

/** Applies missing migrations in order; `until` stops after that one. Returns the applied names. */
export async function migrate(databaseUrl: string, until?: string): Promise<string[]> {
  const migrationsList = listMigrations(until);
  if (await hasAll(databaseUrl, migrationsList)) return [];
  return await withEngine(databaseUrl, async (engine) => {
    const input = { migrationsList, filters };
    // A failed script left nothing behind, so its record can be deleted and the next start tries again.
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

/** The SQL that would bring the database to schema.prisma; only a comment when they agree. */
export function diff(databaseUrl: string): Promise<string> {
  return withEngine(databaseUrl, async (engine) => {
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // biome-ignore lint/style/noProcessEnv: migrating needs this one setting, even where the others are not generated yet
  const databaseUrl = process.env["DATABASE_URL"];
  if (!databaseUrl) {
    process.stderr.write("DATABASE_URL is missing. Set it to the database to migrate.\n");
    process.exit(1);
  }
  const text = process.argv.includes("--diff")
    ? await diff(databaseUrl)
    : (await migrate(databaseUrl)).map((name) => `applied ${name}\n`).join("") || "up to date\n";
  // The engine leaves a timer of ten seconds, for a lock that is already released.
  process.stdout.write(text, () => process.exit(0));
}
