import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { runListJob } from "#lib/links/list-jobs";
import { openCoherence } from "#lib/platform/cache-sync";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { keysOf, make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  changeImport,
  getImport,
  listRefusedRows,
  startImport,
  undoImport,
  uploadImport,
} from "./index.ts";
import { runImport } from "./jobs.ts";
import { listRefusedQuery } from "./schema.ts";

openTestStores();

let created = 0;

beforeAll(async () => {
  openCoherence();
  await openLinks();
});

function newScope(): Promise<WorkspaceScope> {
  created += 1;
  return makeTestScope(`undoing${created}`);
}

async function run(scope: WorkspaceScope, text: string) {
  const { id } = await uploadImport(scope, new Blob([text]).stream(), { name: "links.csv" });
  await changeImport(scope, id, {});
  await startImport(scope, id);
  await runImport(id);
  return id;
}

const refused = (scope: WorkspaceScope, id: string, page: object = {}) =>
  listRefusedRows(scope, id, listRefusedQuery.parse(page));

test("an undo deletes exactly the links that the import created, not those it reused", async () => {
  const scope = await newScope();
  await make(scope, [
    { url: "https://example.com/before", reuse: true, title: "before" },
    { url: "https://example.com/other", key: "other" },
  ]);
  const text = [
    "url,key,archived,reuse",
    "https://example.com/a,undone-a,,",
    "https://example.com/b,undone-b,yes,",
    "https://example.com/before,,,yes",
  ].join("\n");
  const id = await run(scope, text);
  expect(await getImport(scope, id)).toMatchObject({ made: 3, undoneAt: null });
  expect((await keysOf(scope, { importId: id, showArchived: "true" })).sort()).toEqual([
    "undone-a",
    "undone-b",
  ]);
  const job = await undoImport(scope, id);
  await runListJob(job.id);
  const left = await keysOf(scope, { showArchived: "true" });
  expect(left).toHaveLength(2);
  expect(left).toContain("other");
  expect(await getImport(scope, id)).toMatchObject({ undoUntil: null });
  await expect(undoImport(scope, id)).rejects.toMatchObject({ code: "conflict" });
  const audit = await query(sql`
    SELECT 1 FROM audit WHERE action = 'import.undo' AND workspace_pk = ${scope.workspacePk}`);
  expect(audit).toHaveLength(1);
});

test("an import can be undone for a day, and not by a viewer or another member", async () => {
  const scope = await newScope();
  const id = await run(scope, "url\nhttps://example.com/late");
  const member = await joinTestScope(scope, `undoing-member${created}`, "member");
  const viewer = await joinTestScope(scope, `undoing-viewer${created}`, "viewer");
  await expect(undoImport(member, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(undoImport(viewer, id)).rejects.toMatchObject({ code: "forbidden" });
  await query(sql`UPDATE import SET finished_at = now() - interval '25 hours' WHERE id = ${id}`);
  await expect(undoImport(scope, id)).rejects.toMatchObject({ code: "conflict" });
  expect(await keysOf(scope, {})).toHaveLength(1);
});

test("refused rows are listed with their line, their content and a translatable reason, without passwords", async () => {
  const scope = await newScope();
  const text = [
    "url,key,password",
    "https://example.com/ok,refused-a,",
    "nowhere,refused-b,s3cret",
    "https://example.com/twice,refused-a,",
  ].join("\n");
  const id = await run(scope, text);
  const rows = await refused(scope, id);
  expect(rows).toMatchObject([
    { line: 3, code: "row_invalid", params: { field: "url", issue: "address" } },
    { line: 4, code: "key_taken", params: { key: "refused-a" } },
  ]);
  expect(rows.map(({ cells }) => cells)).toEqual([
    ["nowhere", "refused-b", "********"],
    ["https://example.com/twice", "refused-a"],
  ]);
  expect(JSON.stringify(rows)).not.toContain("s3cret");
  const stranger = await newScope();
  await expect(refused(stranger, id)).rejects.toMatchObject({ code: "not_found" });
});

test("pages of refused rows have each row once, over all parts of the import", async () => {
  const scope = await newScope();
  const lines = Array.from({ length: 4_500 }, (_, at) =>
    at % 500 === 7 ? "nowhere" : `https://example.com/${at}`,
  );
  const id = await run(scope, `url\n${lines.join("\n")}`);
  const expected = Array.from({ length: 9 }, (_, at) => at * 500 + 9);
  const found: number[] = [];
  for (let page = 1; page <= 4; page++) {
    found.push(...(await refused(scope, id, { page, pageSize: 4 })).map(({ line }) => line));
  }
  expect(found).toEqual(expected);
});
