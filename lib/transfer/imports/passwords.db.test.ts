/** What an import shows and keeps of the passwords in its file, and to whom it shows anything. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { config } from "#lib/platform/config";
import { verifyPassword } from "#lib/platform/passwords";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { resultsOf } from "../../../test/import-results.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { fileOf } from "./file.ts";
import {
  cancelImport,
  changeImport,
  deleteImport,
  getImport,
  listImports,
  previewImport,
  startImport,
  uploadImport,
} from "./index.ts";
import { runImport, sweepImports } from "./jobs.ts";
import type { Import } from "./schema.ts";

openTestStores();

const pathOf = (id: string) => join(config().FUXI_DATA_DIR, fileOf(id));

let owner: WorkspaceScope;
let member: WorkspaceScope;
let other: WorkspaceScope;
const page = { page: 1, pageSize: 50 };

beforeAll(async () => {
  await openLinks();
  owner = await makeTestScope("owner");
  member = await joinTestScope(owner, "member", "member");
  other = await joinTestScope(owner, "other", "member");
});

const secrets = ["hunter2-é", 'quo"ted', "x", "hunter2-é"];

function upload(scope: WorkspaceScope, text: string): Promise<Import> {
  return uploadImport(scope, new Blob([text]).stream(), { name: "links.csv" });
}

function csvWith(rows: readonly string[]): string {
  return ["url,password,title", ...rows].join("\n");
}

const rows = secrets.map(
  (secret, at) => `https://example.com/secret/${at},"${secret.replace('"', '""')}",Title ${at}`,
);

/** Everything that is stored of an import. */
async function storedText(id: string): Promise<string> {
  const [row] = await query<{ text: string }>(
    sql`SELECT to_jsonb(import)::text AS text FROM import WHERE id = ${id}`,
  );
  return `${row?.text}${readFileSync(pathOf(id), "utf8")}`;
}

function expectNoSecret(text: string): void {
  for (const secret of ["hunter2", "quo", '"x"']) expect(text).not.toContain(secret);
}

test("an import is shown to its uploader and to admins; others get the answer for a missing one", async () => {
  const { id } = await upload(member, csvWith(rows));
  const admin = await joinTestScope(owner, "admin", "admin");
  for (const scope of [member, admin, owner]) {
    expect(await getImport(scope, id)).toMatchObject({ id });
    expect((await listImports(scope, page)).map((one) => one.id)).toContain(id);
  }
  expect(await listImports(other, page)).toEqual([]);
  const refused = `Import "${id}" not found in this workspace.`;
  for (const work of [getImport, previewImport, startImport, cancelImport, deleteImport]) {
    await expect(work(other, id)).rejects.toThrow(refused);
  }
  await expect(changeImport(other, id, {})).rejects.toThrow(refused);
  await expect(resultsOf(other, id)).rejects.toThrow(refused);
});

test("samples, first rows and results show a mask, in every column that a heading or a mapping makes a password", async () => {
  const uploaded = await upload(member, csvWith(rows));
  expectNoSecret(JSON.stringify(uploaded));
  expect(uploaded.columns[1]?.samples).toEqual(secrets.map(() => "********"));
  // The heading is enough, also where the column is skipped.
  const twice = await upload(member, "url,password,passcode\nhttps://example.com/,,hunter2");
  expect(twice.mapping).toEqual(["url", "password", null]);
  expectNoSecret(JSON.stringify(twice));
  // An import that was uploaded before its first rows were stored without passwords.
  const head = JSON.stringify([["url", "password"], ...secrets.map((one) => ["", one])]);
  await query(sql`UPDATE import SET head = ${head}::jsonb WHERE id = ${uploaded.id}`);
  expectNoSecret(JSON.stringify(await getImport(member, uploaded.id)));
  const bare = await upload(member, rows.join("\n"));
  const mapped = await changeImport(member, bare.id, { mapping: ["url", "password", "title"] });
  expectNoSecret(JSON.stringify(mapped));
  const [kept] = await query<{ head: string }>(
    sql`SELECT head::text AS head FROM import WHERE id = ${bare.id}`,
  );
  expectNoSecret(String(kept?.head));
});

test("once read, passwords are gone from the stored file, and the links have them", async () => {
  const { id } = await upload(member, csvWith([...rows, "https://example.com/open,,Open"]));
  expect(await storedText(id)).toContain("hunter2");
  await startImport(member, id);
  await runImport(id);
  expect(await getImport(member, id)).toMatchObject({ state: "done", made: 5 });
  expectNoSecret(await storedText(id));
  const results = await resultsOf(member, id);
  expectNoSecret(results);
  expect(results.match(/\*{8},Title/g)).toHaveLength(4);
  expect(results).toContain("https://example.com/open,,Open");
  const links = await query<{ url: string; password_hash: string | null }>(sql`
    SELECT url, password_hash
    FROM link
    WHERE workspace_pk = ${owner.workspacePk} AND url LIKE 'https://example.com/secret/%'
    ORDER BY url`);
  expect(links).toHaveLength(secrets.length);
  for (const [at, secret] of secrets.entries()) {
    expect(await verifyPassword(secret, links[at]?.password_hash ?? "")).toBe(true);
  }
});

test("passwords are erased chunk by chunk, as soon as their links are committed", async () => {
  // A chunk has at most 20 different passwords.
  const many = Array.from(
    { length: 30 },
    (_, at) => `https://example.com/many/${at},secret-${at}-`,
  );
  const { id } = await upload(member, ["url,password", ...many].join("\n"));
  await startImport(member, id);
  await query(sql`
    CREATE FUNCTION refuse_chunk() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'no second chunk'; END $$`);
  await query(sql`
    CREATE TRIGGER refuse_chunk BEFORE INSERT ON import_chunk
    FOR EACH ROW WHEN (NEW.first_row > 0) EXECUTE FUNCTION refuse_chunk()`);
  await expect(runImport(id)).rejects.toThrow("no second chunk");
  const { done } = await getImport(member, id);
  expect(done).toBeGreaterThan(0);
  const text = readFileSync(pathOf(id), "utf8");
  expect(many.map((_, at) => text.includes(`secret-${at}-`))).toEqual(
    many.map((_, at) => at >= done),
  );
  await query(sql`DROP TRIGGER refuse_chunk ON import_chunk`);
  await runImport(id);
  expect(await getImport(member, id)).toMatchObject({ state: "done", made: 30 });
});

test("a canceled import, and one whose end was cut short, are erased by the sweep", async () => {
  const { id } = await upload(member, csvWith(rows));
  await startImport(member, id);
  await cancelImport(member, id);
  const results = await resultsOf(member, id);
  expect(results).toContain("********,Title 0");
  expectNoSecret(results);
  await sweepImports();
  expectNoSecret(await storedText(id));
});

test("a row whose password was erased, or is a mask, becomes no link", async () => {
  const text = csvWith(["https://example.com/masked,********,Masked", rows[0] ?? ""]);
  const { id } = await upload(member, text);
  const preview = await previewImport(member, id);
  expect(preview.problems).toMatchObject([
    { line: 2, code: "row_invalid", params: { field: "password", issue: "masked" } },
  ]);
  await startImport(member, id);
  await runImport(id);
  expect(await resultsOf(member, id, "failed")).toContain("Replace ******** with the password");
  expect(await getImport(member, id)).toMatchObject({ made: 1, refused: 1 });
  // A worker that was presumed dead reads rows that another one has finished.
  await query(sql`
    UPDATE import SET state = 'waiting', position = 0, done = 0, made = 0, refused = 0
    WHERE id = ${id}`);
  await query(sql`DELETE FROM import_chunk WHERE import_id = ${id}`);
  await runImport(id);
  expect(await getImport(member, id)).toMatchObject({ made: 0, refused: 2 });
});
