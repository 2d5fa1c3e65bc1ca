/** `npm run backup [-- file] [--keep N]`: writes the whole database to one file, even while Fuxi runs, and checks the file. */
import { once } from "node:events";
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { finished } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGunzip, createGzip } from "node:zlib";
import pg from "pg";
import { type RowCounts, writeDump } from "./dump.ts";
import { describeInstance } from "./environment.ts";
import { verifyDump } from "./load.ts";
import { withOwnDatabase } from "./own-database.ts";
import { Advice, explain, hasErrorCode } from "./processes.ts";

/** Names with the time sort by age. */
const ownNames = /^fuxi-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.sql\.gz$/;
let unfinished: string | undefined;

try {
  const { file, keep } = readArguments();
  mkdirSync(dirname(file), { recursive: true });
  await withOwnDatabase(
    (databaseUrl) => backUp(databaseUrl, file),
    (line) => console.log(line),
  );
  if (keep !== undefined) deleteOlder(dirname(file), keep);
} catch (error) {
  if (unfinished !== undefined) rmSync(unfinished, { force: true });
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
process.exit(0);

function readArguments(): { file: string; keep: number | undefined } {
  const { values, positionals } = parseArgs({
    options: { keep: { type: "string" } },
    allowPositionals: true,
  });
  const [named] = positionals;
  const { dataDir } = describeInstance(process.env);
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const file = resolve(named ?? join(dataDir, "backups", `fuxi-${time}.sql.gz`));
  if (values.keep === undefined) return { file, keep: undefined };
  const keep = Number(values.keep);
  if (!(Number.isInteger(keep) && keep > 0)) {
    throw new Advice("--keep needs a number of backups, such as --keep 14.");
  }
  if (named !== undefined) {
    throw new Advice("--keep counts the backups in the data folder. Leave out the file name.");
  }
  return { file, keep };
}

/** Only a complete, readable backup gets the final name. */
async function backUp(databaseUrl: string, file: string): Promise<void> {
  unfinished = `${file}.part`;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const rows = await write(client, unfinished);
  await verifyDump(createReadStream(unfinished).pipe(createGunzip()));
  renameSync(unfinished, file);
  await noteBackup(client);
  await client.end();
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  console.log(
    `${total} rows of ${Object.keys(rows).length} tables were written to ${file}, and read again`,
  );
  console.log(
    "Keep the code key with this file: FUXI_CODE_KEY and FUXI_CODE_TWEAK, or secrets.json of the data folder. Without it, generated slugs cannot be looked up.",
  );
  console.log(
    "Copy the folder erasures of the data folder too, as often as you can: restore erases people again who were erased after the backup.",
  );
}

async function write(client: pg.Client, file: string): Promise<RowCounts> {
  const target = createWriteStream(file, { mode: 0o600 });
  const gzip = createGzip();
  const written = finished(gzip.pipe(target));
  const rows = await writeDump(client, gzip);
  gzip.end();
  await written;
  if (!target.closed) await once(target, "close");
  return rows;
}

/** PostgreSQL: no such column. A database that is backed up before an upgrade doesn’t have it yet. */
const undefinedColumn = "42703";

/** Metrics tell the age of the last backup from it. */
async function noteBackup(client: pg.Client): Promise<void> {
  try {
    await client.query("UPDATE public.installation SET backed_up_at = now()");
  } catch (error) {
    if (!hasErrorCode(error, undefinedColumn)) throw error;
  }
}

function deleteOlder(folder: string, keep: number): void {
  const names = readdirSync(folder).filter((name) => ownNames.test(name));
  const older = names.sort().reverse().slice(keep);
  for (const name of older) rmSync(join(folder, name));
  if (older.length > 0) console.log(`${older.length} older backups were deleted`);
}
