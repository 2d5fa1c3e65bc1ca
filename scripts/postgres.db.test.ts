import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { peekPort } from "./ports.ts";
import { startPostgres } from "./postgres.ts";

let dataDir = "";

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "fuxi-postgres-"));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

function start() {
  return startPostgres({ dataDir, password: "of-a-test", report: () => undefined });
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

test("a half-created folder is deleted, and a second start finds the rows and port of the first", async () => {
  mkdirSync(join(dataDir, "postgres.new"));
  writeFileSync(join(dataDir, "postgres.new", "PG_VERSION"), "18\n");
  const first = await start();
  expect(existsSync(join(dataDir, "postgres.new"))).toBe(false);
  await ask(first.url, "CREATE TABLE kept AS SELECT 1 AS n");
  await first.stop();
  const second = await start();
  expect(second.url).toBe(first.url);
  expect(await ask(second.url, "SELECT n FROM kept")).toEqual([{ n: 1 }]);
  await second.stop();
});

test("it sorts by code point, listens on loopback only and requires the password", async () => {
  const { url, stop } = await start();
  const sorted = await ask(url, "SELECT * FROM unnest(ARRAY['b','a','B','ä']) AS t(x) ORDER BY x");
  expect(sorted).toEqual([{ x: "B" }, { x: "a" }, { x: "b" }, { x: "ä" }]);
  const [address] = await ask(url, "SHOW listen_addresses");
  expect(address).toEqual({ listen_addresses: "127.0.0.1" });
  await expect(ask(url.replace("of-a-test", "wrong"), "SELECT 1")).rejects.toThrow("password");
  await stop();
});

test("a folder of another major version is refused before it is touched", async () => {
  mkdirSync(join(dataDir, "postgres"));
  writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "17\n");
  await expect(start()).rejects.toThrow("created by PostgreSQL 17");
  expect(peekPort(dataDir, "postgres")).toBeUndefined();
});

test("a folder that is not a database is refused", async () => {
  mkdirSync(join(dataDir, "postgres"));
  await expect(start()).rejects.toThrow("is not a database");
});

test("a recovery is waited for, however much longer than a start it takes, unless the start is stopped", async () => {
  const first = await start();
  await ask(first.url, "CREATE TABLE kept AS SELECT 1 AS n");
  await first.stop("SIGKILL");
  // Each file of the log is asked for first, as from an archive, which takes two seconds.
  const signal = join(dataDir, "postgres", "recovery.signal");
  writeFileSync(signal, "");
  chmodSync(signal, 0o666);
  const said: string[] = [];
  const options = {
    dataDir,
    password: "of-a-test",
    report: (line: string) => said.push(line),
    extraSettings: { restore_command: "sleep 2; false", hot_standby: "off" },
    timeoutMs: 5_000,
  };
  await expect(startPostgres({ ...options, signal: AbortSignal.timeout(100) })).rejects.toThrow(
    "aborted",
  );
  const second = await startPostgres(options);
  expect(await ask(second.url, "SELECT n FROM kept")).toEqual([{ n: 1 }]);
  expect(said).toEqual([expect.stringContaining("PostgreSQL is recovering")]);
  await second.stop();
});
