/** What is stored in files works in an S3-compatible store too, and an outage of the store loses nothing. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { createCampaign } from "#lib/outreach/campaigns";
import { getRecipientSource, runSource, startSource } from "#lib/outreach/sources";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { bytesOf, files } from "#lib/platform/files";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listErasures, noteErasure } from "#lib/tenancy/erasures";
import {
  changeImport,
  getImport,
  importJobs,
  runImport,
  startImport,
  uploadImport,
} from "#lib/transfer/imports";
import {
  listWorkspaceExports,
  openWorkspaceExport,
  runWorkspaceExport,
  startWorkspaceExport,
} from "#lib/transfer/workspace-export";
import { readArchive } from "./archive.ts";
import { campaignBody } from "./campaigns.ts";
import { type ObjectStore, startObjectStore } from "./object-store.ts";
import { makeTestScope } from "./scope.ts";
import { uploadText } from "./sources.ts";
import { openTestStores } from "./stores.ts";

openTestStores();

let store: ObjectStore;
let ada: WorkspaceScope;

beforeAll(async () => {
  store = await startObjectStore();
  Object.assign(config(), store.settings);
  await openLinks();
  ada = await makeTestScope("ada");
});
afterAll(() => store.stop());

function upload(scope: WorkspaceScope, text: string) {
  return uploadImport(scope, new Blob([text]).stream(), { name: "links.csv" });
}

async function contentOf(name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytesOf(await files().open(name))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function stateOf(id: string) {
  const [row] = await query<{ state: string; done: number; attempts: number }>(sql`
    SELECT state, done, attempts FROM import WHERE id = ${id}`);
  return row;
}

/** More than two blocks of the store, each row with a URL of its own. */
const rows = 16_000;
const padding = "x".repeat(1_200);

test("an import resumes after an outage of the store, with each row once", async () => {
  const scope = await makeTestScope("outage");
  const lines = Array.from({ length: rows }, (_, row) => `https://example.com/${row}?${padding}`);
  const { id, bytes } = await upload(scope, `${lines.join("\n")}\n`);
  expect(bytes).toBeGreaterThan(2 * 8_388_608);
  expect(await files().find(`imports/${id}.jsonl`)).toBeDefined();
  await startImport(scope, id);
  let running: Promise<unknown> = Promise.resolve();
  // While this is locked, the first rows are read but cannot be stored, so the rest is still to be read.
  await transaction(async (tx) => {
    await query(sql`LOCK TABLE import_chunk IN SHARE MODE`, tx);
    running = runImport(id).then(
      () => "ended",
      (error: unknown) => String(error),
    );
    const waiting = async () => {
      const found = await query(sql`
        SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`);
      return found.length;
    };
    await expect.poll(waiting).toBeGreaterThan(0);
    await store.kill();
  });
  expect(await running).toContain("The file store can’t be used");
  const interrupted = await stateOf(id);
  expect(interrupted).toMatchObject({ state: "waiting", attempts: 1 });
  expect(interrupted?.done).toBeGreaterThan(0);
  expect(interrupted?.done).toBeLessThan(rows);
  // However long the outage is: the worker does not even take it.
  await importJobs[0].handle({ id });
  expect(await stateOf(id)).toEqual(interrupted);
  await store.start();
  await runImport(id);
  expect(await getImport(scope, id)).toMatchObject({ state: "done", done: rows, made: rows });
  const [counted] = await query<{ links: number; urls: number }>(sql`
    SELECT count(*)::int AS links, count(DISTINCT url)::int AS urls
    FROM link
    WHERE workspace_pk = ${scope.workspacePk}`);
  expect(counted).toEqual({ links: rows, urls: rows });
});

test("an upload that cannot be stored is refused with a reason, and leaves nothing", async () => {
  const scope = await makeTestScope("uploader");
  await store.kill();
  const refused: unknown = await upload(scope, "url\nhttps://example.com/\n").catch(
    (error) => error,
  );
  await store.start();
  expect(refused).toBeInstanceOf(AppError);
  expect(refused).toMatchObject({ status: 503, retryAfterSeconds: 60 });
  expect(readdirSync(join(config().FUXI_DATA_DIR, "imports"))).toEqual([]);
  const found = await query(sql`
    SELECT 1 FROM import WHERE workspace_pk = ${scope.workspacePk}`);
  expect(found).toEqual([]);
  expect((await upload(scope, "url\nhttps://example.com/\n")).rows).toBe(1);
});

test("passwords are erased from the stored file when the import ends", async () => {
  const { id } = await upload(ada, "url,password\nhttps://example.com/locked,a-secret-word\n");
  expect((await contentOf(`imports/${id}.jsonl`)).toString()).toContain("a-secret-word");
  await changeImport(ada, id, {});
  await startImport(ada, id);
  await runImport(id);
  expect(await getImport(ada, id)).toMatchObject({ state: "done", made: 1 });
  const left = (await contentOf(`imports/${id}.jsonl`)).toString();
  expect(left).toContain("https://example.com/locked");
  expect(left).not.toContain("a-secret-word");
});

test("a file of recipients is in the store only encrypted, and is read from there", async () => {
  const campaign = (await createCampaign(ada, campaignBody())).id;
  const { id } = await uploadText(ada, campaign, "phone,coupon\n13812340001,A1\n13812340002,A2\n");
  const stored = await contentOf(`recipients/${id}.rows`);
  expect(stored.includes("13812340001")).toBe(false);
  await startSource(ada, id);
  await runSource(id);
  expect(await getRecipientSource(ada, id)).toMatchObject({ state: "done", added: 2 });
});

test("an export is written to the store, and downloaded through Fuxi or from a signed address", async () => {
  const started = await startWorkspaceExport(ada);
  const id = String(started?.id);
  await runWorkspaceExport(id);
  expect(await listWorkspaceExports(ada)).toMatchObject([{ id, state: "done" }]);
  const through = await openWorkspaceExport(ada, id);
  expect(through.url).toBeUndefined();
  const chunks: Buffer[] = [];
  for await (const chunk of await through.stream()) chunks.push(Buffer.from(chunk));
  const whole = Buffer.concat(chunks);
  expect(whole).toHaveLength(through.bytes);
  expect((await readArchive(whole)).map(({ name }) => name)).toContain("links.csv");
  Object.assign(config(), { FUXI_S3_PUBLIC_URL: config().FUXI_S3_URL });
  const { url, name } = await openWorkspaceExport(ada, id);
  const answer = await fetch(String(url));
  expect(answer.headers.get("content-disposition")).toContain(name);
  expect(Buffer.from(await answer.arrayBuffer()).equals(whole)).toBe(true);
  expect(existsSync(join(config().FUXI_DATA_DIR, "takeouts"))).toBe(false);
});

test("erasures of several processes are in the store, where a restore finds all of them", async () => {
  const at = "2026-11-23T16:00:00.000Z";
  const erasures = ["ab", "cd"].map((phone) => ({ workspaceId: "ws_1", phone, at }));
  await Promise.all(erasures.map(noteErasure));
  const found = await listErasures(new Date(at));
  expect(found).toHaveLength(2);
  expect(found).toEqual(expect.arrayContaining(erasures));
});
