/** `npm run restore -- file [--erasures folder]`: restores a backup, then repeats the erasures since. */
import { createReadStream, existsSync, mkdirSync, statSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { replayErasures } from "#lib/outreach/erasing";
import { ConfigError } from "#lib/platform/config";
import { assertCodeKey, assertSecret } from "#lib/platform/instance";
import { Connection } from "#lib/platform/postgres";
import { skipAhead } from "#lib/platform/sequences";
import { copyErasures, listErasures } from "#lib/tenancy/erasures";
import { migrate } from "../prisma/migrate.ts";
import { describeInstance } from "./environment.ts";
import { listFilledTables, loadDump, openDump } from "./load.ts";
import { peekRunning } from "./lock.ts";
import { setOwnEnvironment, withOwnDatabase } from "./own-database.ts";
import { Advice, explain } from "./processes.ts";
import { hasSecrets, openSecrets } from "./secrets.ts";

/** Also repeats slightly older erasures, because the snapshot may be older and clocks differ. Erasing twice is harmless. */
const clocksMs = 600_000;

try {
  const { file, erasures } = readArguments();
  const { dataDir } = describeInstance(process.env);
  const running = peekRunning(dataDir);
  if (running !== undefined) throw new Advice(`Fuxi runs at ${running}. Stop it before restoring.`);
  await provideKeys(dataDir);
  await withOwnDatabase(
    async (databaseUrl) => {
      setOwnEnvironment(databaseUrl);
      const createdAt = await restore(databaseUrl, file);
      await eraseAgain(databaseUrl, new Date(createdAt.getTime() - clocksMs), erasures);
    },
    (line) => console.log(line),
  );
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
process.exit(0);

function readArguments(): { file: string; erasures: string | undefined } {
  const { values, positionals } = parseArgs({
    options: { erasures: { type: "string" } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (file === undefined || !existsSync(file)) {
    throw new Advice("Name the backup to restore: npm run restore -- file.sql.gz");
  }
  const { erasures } = values;
  if (erasures !== undefined && !statSync(erasures, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Advice(
      `${erasures} is not a folder. Name the folder erasures of the former data folder.`,
    );
  }
  return { file, erasures };
}

/** Links and sealed values of a backup can only be read with the keys of its instance, so none are created for it. */
async function provideKeys(dataDir: string): Promise<void> {
  if (hasSecrets(dataDir)) return;
  const names = ["FUXI_CODE_KEY", "FUXI_CODE_TWEAK", "FUXI_SESSION_SECRET"] as const;
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length > 0 && !process.stdin.isTTY) {
    throw new Advice(
      `${dataDir} has no secrets.json, and these are not set: ${missing.join(", ")}. Copy secrets.json of the original instance into that folder, or set its keys.`,
    );
  }
  for (const name of missing) process.env[name] = await ask(`${name} of the original instance: `);
  // Names keys that were mistyped before anything is stored.
  describeInstance(process.env);
  const [codeKey = "", codeTweak = "", sessionSecret = ""] = names.map((name) => process.env[name]);
  mkdirSync(dataDir, { recursive: true });
  openSecrets(dataDir, { codeKey, codeTweak, sessionSecret });
}

/** Does not show what is typed. */
async function ask(question: string): Promise<string> {
  process.stdout.write(question);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const answer = await lines.question("");
  lines.close();
  process.stdout.write("\n");
  return answer.trim();
}

async function restore(databaseUrl: string, file: string): Promise<Date> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const filled = await listFilledTables(client);
    if (filled.length > 0) {
      throw new Advice(
        `The database is not empty: ${filled.join(", ")}. Set DATABASE_URL to an empty database, or move the data folder away.`,
      );
    }
    const dump = await openDump(createReadStream(file).pipe(createGunzip()));
    await migrate(databaseUrl, dump.manifest.migrations.at(-1));
    const connection = new Connection(client);
    const rows = await loadDump(client, dump, async () => {
      // Dumps are loaded without a search path.
      await client.query("RESET search_path");
      await assertKeys(connection);
    });
    await skipAhead(connection);
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    console.log(`${total} rows of ${Object.keys(rows).length} tables restored.`);
    return new Date(dump.manifest.createdAt);
  } finally {
    await client.end();
  }
}

async function assertKeys(connection: Connection): Promise<void> {
  try {
    await assertCodeKey(connection);
    await assertSecret(connection);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { dataDir } = describeInstance(process.env);
    throw new Advice(
      `Nothing was restored. ${error.problems.join("\n")}\nKeys that are not set are read from secrets.json in ${dataDir}: correct them there.`,
    );
  }
}

async function eraseAgain(
  databaseUrl: string,
  since: Date,
  folder: string | undefined,
): Promise<void> {
  if (folder !== undefined) await copyErasures(folder);
  const erasures = await listErasures(since);
  if (erasures.length === 0) {
    console.log("No people were erased since the backup, as far as this data folder has it.");
    return;
  }
  // The erasures need the current schema, but the backup may be older.
  await migrate(databaseUrl);
  const { recipients, customers, contacts } = await replayErasures(erasures);
  console.log(
    `${erasures.length} people were erased since the backup: ${recipients} recipients, ${customers} customers and ${contacts} contacts deleted again.`,
  );
}
