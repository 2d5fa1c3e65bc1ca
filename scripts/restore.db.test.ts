/** People who are erased after a backup, and its restore. */
import { createWriteStream } from "node:fs";
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
  const { code, stdout, stderr } = await run(
    process.execPath,
    ["--import", "tsx", "scripts/restore.ts", backup, ...args],
    { env: { ...process.env, DATABASE_URL: databaseUrl, FUXI_DATA_DIR: dataDir } },
  );
  return { databaseUrl, code, stdout, stderr };
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
