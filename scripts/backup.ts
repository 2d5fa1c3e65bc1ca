/** `npm run backup [-- file]`: writes the whole database to one file, even while Fuxi runs. */
import { once } from "node:events";
import { createWriteStream, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { finished } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { writeDump } from "./dump.ts";
import { describeInstance } from "./environment.ts";
import { withOwnDatabase } from "./own-database.ts";
import { explain } from "./processes.ts";

const { dataDir } = describeInstance(process.env);
const day = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
const file = resolve(process.argv[2] ?? join(dataDir, "backups", `fuxi-${day}.sql.gz`));

try {
  mkdirSync(dirname(file), { recursive: true });
  await withOwnDatabase(backUp, (line) => console.log(line));
} catch (error) {
  rmSync(`${file}.part`, { force: true });
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
process.exit(0);

async function backUp(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // Only a complete backup gets the final name.
  const target = createWriteStream(`${file}.part`, { mode: 0o600 });
  const gzip = createGzip();
  const written = finished(gzip.pipe(target));
  const rows = await writeDump(client, gzip);
  gzip.end();
  await written;
  if (!target.closed) await once(target, "close");
  await client.end();
  renameSync(`${file}.part`, file);
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  console.log(`${total} rows of ${Object.keys(rows).length} tables were written to ${file}`);
  console.log(
    "Keep the code key with this file: FUXI_CODE_KEY and FUXI_CODE_TWEAK, or secrets.json of the data folder. Without it, generated slugs cannot be looked up.",
  );
  console.log(
    "Copy the folder erasures of the data folder too, as often as you can: restore erases people again who were erased after the backup.",
  );
}
