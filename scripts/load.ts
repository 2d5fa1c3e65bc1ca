/** Loads the output of dump.ts into a database, in one transaction, or only checks that it is whole. */
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { currentNames } from "../prisma/baseline.ts";
import { dumpFormat, listMigrations, listTables, type Manifest, type RowCounts } from "./dump.ts";
import { Advice } from "./processes.ts";

const newline = 0x0a;

class DumpReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async readLine(): Promise<string | undefined> {
    for (;;) {
      const end = this.#buffer.indexOf(newline);
      if (end >= 0) {
        const line = this.#buffer.toString("utf8", 0, end);
        this.#buffer = this.#buffer.subarray(end + 1);
        return line;
      }
      if (!(await this.#fill())) return undefined;
    }
  }

  /** Ends at the line `\.`. No row can look like it, because COPY escapes every backslash. */
  async *readRows(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#buffer.indexOf("\\.\n") === 0) {
        this.#buffer = this.#buffer.subarray(3);
        return;
      }
      const end = this.#buffer.indexOf("\n\\.\n");
      const whole = end >= 0 ? end : this.#buffer.lastIndexOf(newline);
      if (whole >= 0) {
        yield this.#buffer.subarray(0, whole + 1);
        this.#buffer = this.#buffer.subarray(whole + 1);
      } else if (!(await this.#fill())) {
        throw new Advice(
          "The backup is incomplete: it ends in the middle of a table. Use another copy.",
        );
      }
    }
  }

  async #fill(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    if (done) return false;
    this.#buffer = Buffer.concat([this.#buffer, value]);
    return true;
  }
}

export interface OpenDump {
  manifest: Manifest;
  reader: DumpReader;
}

export async function openDump(stream: Readable): Promise<OpenDump> {
  const reader = new DumpReader(stream);
  const [, text] = (await reader.readLine())?.match(/^-- fuxi-backup (.+)$/) ?? [];
  if (text === undefined) throw new Advice("This file is not a Fuxi backup.");
  const manifest: Manifest = JSON.parse(text);
  if (manifest.format !== dumpFormat) {
    throw new Advice(`This backup has format ${manifest.format}; this Fuxi reads ${dumpFormat}.`);
  }
  return { manifest: { ...manifest, migrations: currentNames(manifest.migrations) }, reader };
}

/** The database must have exactly the migrations of the backup and no rows. `check` may refuse what was loaded. */
export async function loadDump(
  client: pg.ClientBase,
  dump: OpenDump,
  check: () => Promise<void> = async () => undefined,
): Promise<RowCounts> {
  await refuseOtherMigrations(client, dump.manifest);
  await client.query("BEGIN");
  try {
    await clearTables(client);
    const rows = await readLines(dump.reader, {
      run: async (line) => void (await client.query(line)),
      copy: (line) => loadTable(client, line, dump.reader),
    });
    await check();
    await client.query("COMMIT");
    return rows;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

export async function listFilledTables(client: pg.ClientBase): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await listTables(client)) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${name} LIMIT 1`);
    if (rowCount !== 0) filled.push(name);
  }
  return filled;
}

async function refuseOtherMigrations(client: pg.ClientBase, manifest: Manifest): Promise<void> {
  const applied = await listMigrations(client);
  if (applied.join() === manifest.migrations.join()) return;
  const missing = manifest.migrations.filter((name) => !applied.includes(name));
  const reason =
    missing.length > 0
      ? `This Fuxi lacks migrations of the backup: ${missing.join(", ")}. Restore with the version that made it, or a newer one.`
      : "The database has newer migrations than the backup. Restore into an empty one.";
  throw new Advice(reason);
}

/** Migrations may have written rows, which the backup contains too. */
async function clearTables(client: pg.ClientBase): Promise<void> {
  const names = (await listTables(client)).map(({ name }) => name);
  await client.query(`TRUNCATE ${names.join(", ")}`);
}

/** Reads a backup to its end without a database: every table has as many rows as its last line says. */
export async function verifyDump(stream: Readable): Promise<RowCounts> {
  const { reader } = await openDump(stream);
  return await readLines(reader, {
    run: async () => undefined,
    copy: async () => {
      let rows = 0;
      // COPY escapes line ends, so each row is one line.
      for await (const chunk of reader.readRows()) {
        for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) rows++;
      }
      return rows;
    },
  });
}

interface Reading {
  run: (statement: string) => Promise<void>;
  /** Takes the rows of a table from the reader, and returns their number. */
  copy: (statement: string) => Promise<number>;
}

async function readLines(reader: DumpReader, { run, copy }: Reading): Promise<RowCounts> {
  const rows: RowCounts = {};
  for (;;) {
    const line = await reader.readLine();
    if (line === undefined)
      throw new Advice("The backup is incomplete: its last line is missing. Use another copy.");
    const [, table] = line.match(/^COPY (.+?) \(.*\) FROM stdin;$/) ?? [];
    if (table !== undefined) rows[table] = await copy(line);
    else if (line.startsWith("-- fuxi-end ")) return compareCounts(rows, line.slice(12));
    else await run(line);
  }
}

async function loadTable(
  client: pg.ClientBase,
  statement: string,
  reader: DumpReader,
): Promise<number> {
  const stream = client.query(copyFrom(statement.replace(/;$/, "")));
  for await (const chunk of reader.readRows()) {
    if (!stream.write(chunk)) await Promise.race([drained(stream), finished(stream)]);
  }
  stream.end();
  await finished(stream);
  return stream.rowCount;
}

function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => stream.once("drain", resolve));
}

function compareCounts(rows: RowCounts, text: string): RowCounts {
  const expected: { rows: RowCounts } = JSON.parse(text);
  for (const [table, count] of Object.entries(expected.rows)) {
    if (rows[table] !== count) {
      throw new Advice(`${table} should have ${count} rows, but the backup has ${rows[table]}.`);
    }
  }
  return rows;
}
