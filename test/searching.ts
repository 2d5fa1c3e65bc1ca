/** For tests of personal data: where a text is, in everything that an instance stores. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { redis } from "#lib/platform/redis";

/** The tables that have one of these texts, in a column of any type, also as bytes. */
export async function findInTables(texts: readonly string[]): Promise<string[]> {
  const tables = await query<{ name: string }>(sql`
    SELECT format('%I.%I', schemaname, tablename) AS name
    FROM pg_tables
    WHERE schemaname IN ('public', 'analytics')`);
  const found: string[] = [];
  for (const table of tables) {
    for (const text of texts) {
      const hex = Buffer.from(text).toString("hex");
      const rows = await query({
        text: `SELECT 1 FROM ${table.name} AS row
          WHERE strpos(row::text, $1) > 0 OR strpos(row::text, $2) > 0 LIMIT 1`,
        values: [text, hex],
      });
      if (rows.length > 0) found.push(`${table.name}: ${text}`);
    }
  }
  return found;
}

/** The keys of Redis that have one of these texts, in their name or in their value, also of queues. */
export async function findInRedis(texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const key of await redis().keys("*")) {
    const dump = (await redis().dumpBuffer(key)) ?? Buffer.alloc(0);
    if (texts.some((text) => key.includes(text) || dump.includes(text))) found.push(key);
  }
  return found;
}

/** The files of the data folder that have one of these texts, in their name or in their content. */
export async function findInFiles(texts: readonly string[]): Promise<string[]> {
  const folder = config().FUXI_DATA_DIR;
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const file of files.filter((one) => one.isFile())) {
    const bytes = await readFile(join(file.parentPath, file.name));
    const isFound = texts.some((text) => file.name.includes(text) || bytes.includes(text));
    if (isFound) found.push(file.name);
  }
  return found;
}
