/** For tests of personal data: where a text is, in everything that an instance stores. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, vi } from "vitest";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
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

const logMethods = ["trace", "debug", "info", "warn", "error", "fatal"] as const;

/** Keeps the log lines of a test file. Returns a search for texts in the clear in tables, Redis, files and these lines. */
export function openTextSearch(texts: readonly string[]): () => Promise<string[]> {
  const logged: unknown[] = [];
  beforeAll(() => {
    for (const method of logMethods) {
      vi.spyOn(log, method).mockImplementation((...given: unknown[]) => void logged.push(given));
    }
  });
  return async () => {
    const lines = JSON.stringify(logged, (_, value) =>
      value instanceof Error ? `${value.stack} ${JSON.stringify(value)}` : value,
    );
    return [
      ...(await findInTables(texts)),
      ...(await findInRedis(texts)),
      ...(await findInFiles(texts)),
      ...texts.filter((text) => lines.includes(text)).map((text) => `log: ${text}`),
    ];
  };
}
