/** People who are erased after a backup, and its restore. */
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseCustomer, putCustomer } from "#lib/analytics/customers";
import { newUuid } from "#lib/basics/ids";
import { openLinks } from "#lib/links/creating";
import { addRecipients, createCampaign } from "#lib/outreach/campaigns";
import { erasePerson } from "#lib/outreach/erasing";
import { addOptOuts } from "#lib/outreach/opt-outs";
import { config } from "#lib/platform/config";
import { assertCodeKey, assertSecret } from "#lib/platform/instance";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { holdVersion, withPeopleKeys } from "#lib/tenancy/people-keys";
import { campaignBody, recipientRows } from "../test/campaigns.ts";
import { copyTestDatabase } from "../test/database.ts";
import { makeTestScope } from "../test/scope.ts";
import { openTestStores } from "../test/stores.ts";
import { databaseOf, onServer, withDatabase } from "./databases.ts";
import { writeDump } from "./dump.ts";
import { run } from "./processes.ts";

openTestStores();

const [person, other, before] = recipientRows(3, 40_000);
const drops: (() => Promise<void>)[] = [];
let ada: WorkspaceScope;
let bob: WorkspaceScope;
let backup = "";

beforeAll(async () => {
  await assertCodeKey();
  await assertSecret();
  await openLinks();
  ada = await makeTestScope("ada");
  bob = await makeTestScope("bob");
  for (const scope of [ada, bob]) {
    const { id } = await createCampaign(scope, campaignBody());
    await addRecipients(scope, id, [person, other, before]);
  }
  await addOptOuts(ada, { phones: [String(person?.phone)] });
  await addCustomers(ada, ["erased", "kept"]);
  backup = join(config().FUXI_DATA_DIR, "backup.sql.gz");
  await dumpTo(backup);
  await erasePerson(ada, { phone: String(person?.phone) });
  await eraseCustomer(ada, "ext_erased");
});

afterAll(async () => {
  for (const drop of drops) await drop();
});

/** Customers with these external ids, whose click is not stored any more. */
async function addCustomers(scope: WorkspaceScope, externalIds: readonly string[]): Promise<void> {
  await withPeopleKeys(scope.workspacePk, (keys) =>
    transaction(async (tx) => {
      await holdVersion(tx, keys);
      const click = { linkPk: -1, at: new Date(), id: newUuid(), country: null };
      for (const externalId of externalIds) {
        const facts = { externalId, name: "Ada", email: null, avatar: null };
        await putCustomer(tx, { keys, mayChange: true, now: new Date() }, facts, click);
      }
      await query(sql`UPDATE customer SET link_pk = NULL`, tx);
    }),
  );
}

async function dumpTo(file: string): Promise<void> {
  const client = new pg.Client({ connectionString: config().DATABASE_URL });
  await client.connect();
  const stream = new PassThrough();
  const written = pipeline(stream, createGzip(), createWriteStream(file));
  await writeDump(client, stream);
  stream.end();
  await written;
  await client.end();
}

/** A database without any table. */
async function createEmpty(): Promise<string> {
  const { DATABASE_URL: url } = config();
  const name = `${databaseOf(url)}_empty`;
  await onServer(url, `CREATE DATABASE ${name}`);
  drops.push(async () => {
    await onServer(url, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return withDatabase(url, name);
}

/** A migrated database without rows, which saves the program the migrations. */
async function createMigrated(): Promise<string> {
  const { databaseUrl, drop } = await copyTestDatabase();
  drops.push(drop);
  return databaseUrl;
}

/** The program itself, as an administrator starts it. */
async function restore(databaseUrl: string, dataDir: string, ...args: string[]) {
  const env = { DATABASE_URL: databaseUrl, FUXI_DATA_DIR: dataDir };
  return { databaseUrl, ...(await runScript("restore", env, backup, ...args)) };
}

function runScript(name: "backup" | "restore", env: Record<string, string>, ...args: string[]) {
  const all = ["--import", "tsx", `scripts/${name}.ts`, ...args];
  return run(process.execPath, all, { env: { ...process.env, ...env } });
}

/** The phones of a workspace, as links and recipients: how many are left. */
async function countIn(databaseUrl: string, scope: WorkspaceScope) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `SELECT
       (SELECT count(*)::int FROM campaign_recipient WHERE workspace_pk = $1) AS recipients,
       (SELECT recipients FROM campaign WHERE workspace_pk = $1) AS counted,
       (SELECT count(*)::int FROM link WHERE workspace_pk = $1) AS links,
       (SELECT count(*)::int FROM opt_out WHERE workspace_pk = $1 AND sealed IS NOT NULL) AS phones,
       (SELECT count(*)::int FROM opt_out WHERE workspace_pk = $1) AS hashes,
       (SELECT count(*)::int FROM customer WHERE workspace_pk = $1) AS customers`,
    [scope.workspacePk],
  );
  await client.end();
  return rows[0];
}

test("a person who was erased after the backup is erased again by its restore, and nobody else", async () => {
  const { databaseUrl, code, stdout, stderr } = await restore(
    await createEmpty(),
    config().FUXI_DATA_DIR,
  );
  expect([stderr, code]).toEqual(["", 0]);
  expect(stdout).toContain(
    "2 people were erased since the backup: 1 recipients, 1 customers and 0 contacts deleted again.",
  );
  expect(await countIn(databaseUrl, ada)).toEqual({
    recipients: 2,
    counted: 2,
    links: 2,
    phones: 0,
    hashes: 1,
    customers: 1,
  });
  expect(await countIn(databaseUrl, bob)).toMatchObject({ recipients: 3, counted: 3, links: 3 });
});

test("without the erasures the person would be back; another data folder gets them by name, and keeps them", async () => {
  const dataDir = join(config().FUXI_DATA_DIR, "other");
  const without = await restore(await createMigrated(), dataDir);
  expect(without.stdout).toContain("No people were erased since the backup");
  const all = { recipients: 3, links: 3, customers: 2 };
  expect(await countIn(without.databaseUrl, ada)).toMatchObject(all);
  const folder = join(config().FUXI_DATA_DIR, "erasures");
  const given = await restore(await createMigrated(), dataDir, "--erasures", folder);
  expect(await countIn(given.databaseUrl, ada)).toMatchObject({ recipients: 2, links: 2 });
  const kept = await restore(await createMigrated(), dataDir);
  expect(await countIn(kept.databaseUrl, ada)).toMatchObject({ recipients: 2, links: 2 });
  const wrong = await restore(kept.databaseUrl, dataDir, "--erasures", join(dataDir, "none"));
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("is not a folder")]);
});

test("an erasure before the backup is not repeated: the person may have been added again", async () => {
  const folder = join(config().FUXI_DATA_DIR, "erasures");
  const [name = ""] = await readdir(folder);
  const text = await readFile(join(folder, name), "utf8");
  expect(text).not.toContain(String(person?.phone).slice(4));
  const dataDir = join(config().FUXI_DATA_DIR, "later");
  const late = new Date(Date.now() - 86_400_000).toISOString();
  await mkdir(join(dataDir, "erasures"), { recursive: true });
  const line = JSON.stringify({ ...JSON.parse(text.trim().split("\n")[0] ?? ""), at: late });
  await writeFile(join(dataDir, "erasures", `${late.slice(0, 7)}.jsonl`), `\n${line}\n{"cut`);
  const { databaseUrl } = await restore(await createMigrated(), dataDir);
  expect(await countIn(databaseUrl, ada)).toMatchObject({ recipients: 3, links: 3 });
  await rm(dataDir, { recursive: true });
});

const noKeys = { FUXI_CODE_KEY: "", FUXI_CODE_TWEAK: "", FUXI_SESSION_SECRET: "" };

test("without the keys of the original instance nothing is restored, and no secrets are created", async () => {
  const dataDir = join(config().FUXI_DATA_DIR, "new");
  const env = { DATABASE_URL: await createMigrated(), FUXI_DATA_DIR: dataDir };
  const { code, stderr } = await runScript("restore", { ...env, ...noKeys }, backup);
  expect([code, stderr]).toEqual([1, expect.stringContaining("has no secrets.json")]);
  expect(stderr).toContain("FUXI_CODE_KEY, FUXI_CODE_TWEAK, FUXI_SESSION_SECRET");
  expect(existsSync(join(dataDir, "secrets.json"))).toBe(false);

  const other = await runScript("restore", { ...env, FUXI_CODE_KEY: "1".repeat(64) }, backup);
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("Nothing was restored")]);
  expect(await countIn(env.DATABASE_URL, bob)).toMatchObject({ links: 0, customers: 0 });

  await rm(dataDir, { recursive: true });
  const given = await runScript("restore", env, backup);
  expect([given.stderr, given.code]).toEqual(["", 0]);
  // The keys are kept, so the folder alone is enough from now on.
  const secrets = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  expect(secrets).toMatchObject({ codeKey: "0".repeat(64), codeTweak: "0".repeat(14) });
  const again = { ...env, ...noKeys, DATABASE_URL: await createMigrated() };
  expect((await runScript("restore", again, backup)).code).toBe(0);
});

test("backups beyond the number to keep are deleted once a new one is whole, which notes its time", async () => {
  const dataDir = join(config().FUXI_DATA_DIR, "kept");
  const folder = join(dataDir, "backups");
  await mkdir(folder, { recursive: true });
  const days = ["01", "02", "03"].map((day) => `fuxi-2026-01-${day}T03-00-00.sql.gz`);
  for (const name of [...days, "mine.sql.gz"]) await writeFile(join(folder, name), "");
  const env = { FUXI_DATA_DIR: dataDir };
  const { code, stderr } = await runScript("backup", env, "--keep", "2");
  expect([stderr, code]).toEqual(["", 0]);
  const [kept, made, own, ...more] = (await readdir(folder)).sort();
  expect([kept, own, more]).toEqual([days[2], "mine.sql.gz", []]);
  expect(made).toMatch(/^fuxi-\d{4}-/);
  const [row] = await query<{ age: number }>(
    sql`SELECT extract(epoch FROM now() - backed_up_at)::float AS age FROM installation`,
  );
  expect(row?.age).toBeLessThan(60);
  const refused = await runScript("backup", env, "x.sql.gz", "--keep", "2");
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining("Leave out the file"),
  ]);
});
