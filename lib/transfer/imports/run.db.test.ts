import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, test, vi } from "vitest";
import { createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { createDomain, deleteDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { createFolder, listFolders } from "#lib/links/folders";
import { listFoldersQuery } from "#lib/links/folders/schema";
import { flushSearch } from "#lib/links/search";
import { createTag, listTags } from "#lib/links/tags";
import { listTagsQuery } from "#lib/links/tags/schema";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import { startWorkers, stopWorkers } from "#lib/platform/queue";
import { redis } from "#lib/platform/redis";
import { reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import { listNotifications } from "#lib/tenancy/notifications";
import { resultsOf } from "../../../test/import-results.ts";
import { keysOf, list, make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  cancelImport,
  changeImport,
  getImport,
  previewImport,
  startImport,
  uploadImport,
} from "./index.ts";
import { importJobs, runImport } from "./jobs.ts";
import type { ChangeImport, Import } from "./schema.ts";

openTestStores();

let created = 0;

beforeAll(async () => {
  openCoherence();
  await openLinks();
});

/** A workspace of one test only. */
function newScope(): Promise<WorkspaceScope> {
  created += 1;
  return makeTestScope(`runner${created}`);
}

async function begin(scope: WorkspaceScope, text: string, change: ChangeImport = {}) {
  const { id } = await uploadImport(scope, new Blob([text]).stream(), { name: "links.csv" });
  await changeImport(scope, id, change);
  await startImport(scope, id);
  return id;
}

async function run(scope: WorkspaceScope, text: string, change?: ChangeImport): Promise<Import> {
  const id = await begin(scope, text, change);
  await runImport(id);
  return await getImport(scope, id);
}

/** Line, outcome and reason of each row. */
async function outcomesOf(scope: WorkspaceScope, id: string, only: "all" | "failed" = "all") {
  const lines = (await resultsOf(scope, id, only)).trim().split("\r\n").slice(1);
  return lines.map((line) => {
    const [, number = "", outcome = "", reason = ""] =
      /,(\d+),(made|refused|not done),(.*)$/.exec(line) ?? [];
    return { line: Number(number), outcome, reason };
  });
}

/** How often an import loses its connections. */
const lossesMax = 6;

const urlOf = (row: number) => `https://example.com/row/${row}`;

function fileOf(rows: number, more = ""): string {
  const lines = Array.from({ length: rows }, (_, row) => `${urlOf(row)}${more}`);
  return `${lines.join("\n")}\n`;
}

/** Each row has exactly one link and one result. */
async function expectEachOnce(scope: WorkspaceScope, id: string, rows: number): Promise<void> {
  const found = await query<{ url: string }>(sql`
    SELECT url FROM link WHERE workspace_pk = ${scope.workspacePk}`);
  expect(new Set(found.map(({ url }) => url)).size).toBe(rows);
  expect(found).toHaveLength(rows);
  const outcomes = await outcomesOf(scope, id);
  expect(outcomes.map(({ line }) => line)).toEqual(Array.from({ length: rows }, (_, at) => at + 1));
  expect(outcomes.every(({ outcome }) => outcome === "made")).toBe(true);
  expect(await getImport(scope, id)).toMatchObject({ state: "done", done: rows, made: rows });
}

async function stateOf(id: string) {
  const [row] = await query<{ state: string; done: number; attempts: number }>(sql`
    SELECT state, done, attempts FROM import WHERE id = ${id}`);
  return row;
}

async function silence(id: string): Promise<void> {
  await query(sql`UPDATE import SET seen_at = now() - interval '11 seconds' WHERE id = ${id}`);
}

/** The test's own queries: the pool may not have detected yet which of its connections are closed. */
async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  return await vi.waitFor(work, { timeout: 300_000, interval: 20 });
}

test("connections lost at any moment leave no row out and create none twice", async () => {
  const scope = await newScope();
  const rows = 6_000;
  const id = await begin(scope, fileOf(rows));
  let losses = 0;
  while ((await untilAnswered(() => stateOf(id)))?.state !== "done") {
    let end: "ended" | "lost" | undefined;
    const running = runImport(id).then(
      () => {
        end = "ended";
      },
      () => {
        end = "lost";
      },
    );
    // At another moment each time, and until it had an effect: while rows are prepared no connection is used.
    await setTimeout(20 + 40 * losses);
    while (end === undefined && losses < lossesMax) {
      await untilAnswered(() =>
        query(sql`
          SELECT pg_terminate_backend(pid)
          FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`),
      );
      await setTimeout(5);
    }
    await running;
    if (end === "lost") losses += 1;
    await untilAnswered(() => silence(id));
  }
  // A connection cut by the last strike may be detected later.
  expect(losses).toBeGreaterThanOrEqual(lossesMax);
  await expectEachOnce(scope, id, rows);
});

test("a batch that fails during its commit leaves neither links nor a position behind", async () => {
  const scope = await newScope();
  const id = await begin(scope, fileOf(30));
  await query(sql`
    CREATE FUNCTION refuse_commit() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`);
  await query(sql`
    CREATE CONSTRAINT TRIGGER refuse_commit AFTER UPDATE ON import
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.done > OLD.done)
    EXECUTE FUNCTION refuse_commit()`);
  await expect(runImport(id)).rejects.toThrow("no");
  expect(await stateOf(id)).toMatchObject({ state: "waiting", done: 0 });
  await query(sql`DROP TRIGGER refuse_commit ON import`);
  await runImport(id);
  await expectEachOnce(scope, id, 30);
});

test("several workers at once, and one that was thought dead, create no row twice", async () => {
  const scope = await newScope();
  const rows = 4_000;
  const id = await begin(scope, fileOf(rows));
  const workers = [runImport(id), runImport(id)];
  for (let taken = 1; taken <= 6; taken++) {
    await expect.poll(async () => (await stateOf(id))?.attempts ?? 0).toBeGreaterThan(0);
    await setTimeout(30);
    await silence(id);
    workers.push(runImport(id));
  }
  await Promise.all(workers);
  expect((await stateOf(id))?.attempts).toBeGreaterThan(1);
  await expectEachOnce(scope, id, rows);
  expect(await listNotifications(scope)).toHaveLength(1);
});

test("an import that is cancelled stops, and its results name the rows not done", async () => {
  const scope = await newScope();
  const rows = 6_000;
  const id = await begin(scope, fileOf(rows));
  const running = runImport(id);
  const doneNow = async () => (await stateOf(id))?.done ?? 0;
  await expect.poll(doneNow, { interval: 5 }).toBeGreaterThan(0);
  const { state, done } = await cancelImport(scope, id);
  await running;
  expect([state, done < rows]).toEqual(["cancelled", true]);
  expect((await getImport(scope, id)).done).toBe(done);
  const [counted] = await query<{ links: number }>(sql`
    SELECT count(*)::int AS links FROM link WHERE workspace_pk = ${scope.workspacePk}`);
  expect(counted?.links).toBe(done);
  const outcomes = await outcomesOf(scope, id);
  expect(outcomes.filter(({ outcome }) => outcome === "made")).toHaveLength(done);
  expect(outcomes.filter(({ outcome }) => outcome === "not done")).toHaveLength(rows - done);
  expect(await outcomesOf(scope, id, "failed")).toHaveLength(rows - done);
});

test("when the plan has no more links, the remaining rows are not done and the reason is given", async () => {
  const scope = await newScope();
  await query(sql`UPDATE workspace SET plan = 'free' WHERE pk = ${scope.workspacePk}`);
  await query(sql`
    INSERT INTO quota_use (workspace_pk, name, month, used)
    SELECT ${scope.workspacePk}, 'links', date_trunc('month', now() AT TIME ZONE zone)::date, 0
    FROM workspace WHERE pk = ${scope.workspacePk}`);
  const limited = await reopenScope({
    workspacePk: scope.workspacePk,
    userPk: Number(scope.userPk),
    apiKeyPk: null,
  });
  const { readUsage } = await import("#lib/tenancy/quotas");
  const limit = (await readUsage(limited ?? scope)).links.limit ?? 0;
  await query(
    sql`UPDATE quota_use SET used = ${limit - 5} WHERE workspace_pk = ${scope.workspacePk}`,
  );
  const ended = await run(scope, fileOf(2_200));
  expect(ended).toMatchObject({ state: "failed", done: 2_000, made: 5, refused: 1_995 });
  expect(ended.error).toMatch(/new links per month/);
  const outcomes = await outcomesOf(scope, ended.id);
  expect(outcomes.filter(({ outcome }) => outcome === "not done")).toHaveLength(200);
});

test("a starter without permission, and a deleted domain, end the import with a reason", async () => {
  const scope = await newScope();
  const left = await begin(scope, fileOf(3));
  await query(sql`
    UPDATE membership SET role = 'viewer' WHERE workspace_pk = ${scope.workspacePk}`);
  await runImport(left);
  await query(sql`
    UPDATE membership SET role = 'owner' WHERE workspace_pk = ${scope.workspacePk}`);
  expect(await getImport(scope, left)).toMatchObject({ state: "failed", done: 0 });
  expect((await getImport(scope, left)).error).toMatch(/no longer/);
  const { apiKey } = await createApiKey(scope, { name: "Key" });
  const [key] = await query<{ pk: number }>(sql`SELECT pk FROM api_key WHERE id = ${apiKey.id}`);
  const ofKey = await reopenScope({
    workspacePk: scope.workspacePk,
    userPk: Number(scope.userPk),
    apiKeyPk: key?.pk ?? 0,
  });
  const revoked = await begin(ofKey ?? scope, fileOf(3));
  await query(sql`UPDATE api_key SET revoked_at = now() WHERE id = ${apiKey.id}`);
  await runImport(revoked);
  expect((await getImport(scope, revoked)).state).toBe("failed");
  const host = `gone${created}.example`;
  await createDomain(scope, createDomainBody.parse({ slug: host }));
  await query(sql`UPDATE domain SET verified_at = now() WHERE slug = ${host}`);
  const lost = await begin(scope, fileOf(3), { options: { domain: host } });
  await deleteDomain(scope, host, "delete");
  await runImport(lost);
  expect(await getImport(scope, lost)).toMatchObject({ state: "failed", done: 0 });
  expect((await getImport(scope, lost)).error).toMatch(new RegExp(host));
  expect(await outcomesOf(scope, lost)).toMatchObject(
    [1, 2, 3].map((line) => ({ line, outcome: "not done" })),
  );
});

test("rows with every kind of field become links that are found by their texts", async () => {
  const scope = await newScope();
  const folder = await createFolder(scope, { name: "Sale", accessLevel: null });
  const text = [
    "url;key;title;folder;expiresAt;password;maxClicks;utm_source;archived;geo",
    'https://a.example/;;"Große ""Aktion""";sale;2099-01-31;secret;5;mail;nein;"{""DE"":""https://a.example/de""}"',
    'https://b.example/;;Other;sale;2099-01-31;;5;mail;no;"{""DE"":""https://a.example/de""}"',
  ].join("\r\n");
  const { id, made: links, refused } = await run(scope, text);
  expect([links, refused]).toEqual([1, 1]);
  expect((await outcomesOf(scope, id))[0]?.reason).toMatch(/archived/);
  const [link] = await list(scope, { search: "other" });
  expect(link).toMatchObject({
    url: "https://b.example/?utm_source=mail",
    title: "Other",
    folderId: folder.id,
    maxClicks: 5,
    geo: { DE: "https://a.example/de" },
  });
});

test("a taken key is refused, or gets a generated code when that is requested", async () => {
  const scope = await newScope();
  await make(scope, [{ url: "https://a.example/", key: `taken-${created}` }]);
  const text = `url,key\nhttps://b.example/,taken-${created}\nhttps://c.example/,own-${created}\nhttps://d.example/,own-${created}\n`;
  expect(await run(scope, text)).toMatchObject({ made: 1, refused: 2 });
  expect(await run(scope, text, { options: { onTakenKey: "generate" } })).toMatchObject({
    made: 3,
  });
  const keys = await keysOf(scope, { url: "https://b.example/" });
  expect(keys).toEqual([expect.stringMatching(/^[0-9A-Za-z]{6}$/)]);
});

test("where the workspace reuses links of a url, an import does too", async () => {
  const scope = await newScope();
  await query(sql`
    UPDATE workspace SET reuse_seconds = 3600 WHERE pk = ${scope.workspacePk}`);
  const ended = await run(scope, `${fileOf(300)}${fileOf(300)}`);
  expect(ended).toMatchObject({ state: "done", made: 600, refused: 0 });
  const [counted] = await query<{ links: number }>(sql`
    SELECT count(*)::int AS links FROM link WHERE workspace_pk = ${scope.workspacePk}`);
  expect(counted?.links).toBe(300);
});

test("the index of texts has no pending list once an import is done", async () => {
  const scope = await newScope();
  await run(scope, `url,title\n${fileOf(50, ",Wintermärchen")}`);
  await flushSearch();
  const text = "SELECT gin_clean_pending_list('link_search_grams') AS pages";
  expect(await query({ text, values: [] })).toEqual([{ pages: 0 }]);
  expect(await list(scope, { search: "wintermärchen" })).toHaveLength(50);
});

test("tags and folders that rows name and that do not exist are created once, and previewed", async () => {
  const scope = await newScope();
  await createTag(scope, { name: "Old" });
  const text = [
    "url,tags,folder",
    `https://example.com/1,"old, New",Shop`,
    `https://example.com/2,"NEW, ${"x".repeat(51)}",`,
    "https://example.com/3,new,SHOP",
  ].join("\n");
  const { id } = await uploadImport(scope, new Blob([text]).stream(), { name: "links.csv" });
  const preview = await previewImport(scope, id);
  expect(preview.rows.map(({ link }) => link?.tags)).toEqual([["Old", "New"], undefined, ["new"]]);
  expect((await listTags(scope, listTagsQuery.parse({}))).map(({ name }) => name)).toEqual(["Old"]);
  await startImport(scope, id);
  await runImport(id);
  const [, first] = (await list(scope, {})).map(({ tags, folderId }) => ({
    tags: tags.map(({ name }) => name).sort(),
    folderId,
  }));
  expect(first?.tags).toEqual(["New", "Old"]);
  const [folder, ...others] = await listFolders(scope, listFoldersQuery.parse({}));
  expect([folder?.name, others]).toEqual(["Shop", []]);
  expect((await list(scope, {})).map(({ folderId }) => folderId)).toEqual([folder?.id, folder?.id]);
  const [refused] = await outcomesOf(scope, id, "failed");
  expect(refused).toMatchObject({ line: 3, outcome: "refused" });
  expect((await listTags(scope, listTagsQuery.parse({}))).map(({ name }) => name)).toEqual([
    "New",
    "Old",
  ]);
});

test("a starter without permission to create tags gets rows refused, and no tag", async () => {
  const owner = await newScope();
  const permissions = new Set([...owner.permissions].filter((one) => one !== "tags.write"));
  const scope: WorkspaceScope = { ...owner, permissions };
  const file = new Blob(["url,tags\nhttps://example.com/1,New\n"]).stream();
  const { id } = await uploadImport(scope, file, { name: "links.csv" });
  const { problems } = await previewImport(scope, id);
  expect(problems.map(({ line, code }) => [line, code])).toEqual([[2, "tag_unknown"]]);
});

test("an import whose queue entry was lost with Redis is found again", async () => {
  const scope = await newScope();
  const id = await begin(scope, fileOf(20));
  await redis().flushdb();
  await silence(id);
  await startWorkers([...importJobs]);
  await expect.poll(async () => (await stateOf(id))?.state).toBe("done");
  await stopWorkers();
  await expectEachOnce(scope, id, 20);
});
