/** Separate, because it takes a second to load and most starts have nothing to apply. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  DriverAdapterError,
} from "@prisma/driver-adapter-utils";
import * as engineModule from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

const charType = 18;
const textType = 25;
const int8Type = 20;

/** Global: the engine knows one instance, and cleaning up a former one corrupts the next. */
const ready = Symbol.for("fuxi.schema-engine");
const shared: typeof globalThis & { [ready]?: Promise<void> } = globalThis;

function prepareEngine(): Promise<void> {
  shared[ready] ??= (async () => {
    const wasmFile = createRequire(import.meta.url).resolve(
      "@prisma/schema-engine-wasm/schema_engine_bg",
    );
    const bytes = readFileSync(wasmFile.replace(/\.js$/, ".wasm"));
    const { instance } = await WebAssembly.instantiate(bytes, {
      "./schema_engine_bg.js": { ...engineModule },
    });
    // The engine reports panics through this global of the Prisma CLI.
    Object.assign(globalThis, {
      PRISMA_WASM_PANIC_REGISTRY: {
        set_message: (text: string) => process.stderr.write(`${text}\n`),
      },
    });
    engineModule.__wbg_set_wasm(instance.exports);
    const start = instance.exports["__wbindgen_start"];
    if (typeof start === "function") start();
  })();
  return shared[ready];
}

/** For columns of type "char", and int8 as text: a number cannot hold the largest. */
class DescribablePool extends pg.Pool {
  charColumns: number[] = [];

  // biome-ignore lint/suspicious/noExplicitAny: pg's query has eleven overloads, and this forwards all of them
  override async query(...args: any[]): Promise<any> {
    const types: pg.CustomTypesConfig | undefined = args[0]?.types;
    if (types) args[0] = { ...args[0], types: withTextInt8(types) };
    const result = await Reflect.apply(super.query, this, args);
    const fields: pg.FieldDef[] = result?.fields ?? [];
    this.charColumns = fields.flatMap((field, at) => (field.dataTypeID === charType ? [at] : []));
    for (const at of this.charColumns) Object.assign(fields[at] ?? {}, { dataTypeID: textType });
    return result;
  }
}

function withTextInt8(types: pg.CustomTypesConfig): pg.CustomTypesConfig {
  return {
    getTypeParser: (type, format) =>
      Number(type) === int8Type ? String : types.getTypeParser(type, format),
  };
}

/** Describes "char" columns and sends scripts whole: Prisma splits them at every semicolon. */
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

export async function withEngine<T>(
  databaseUrl: string,
  schemaFile: string,
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
