import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { deleteLink } from "#lib/links/editing";
import { groupLinksMax } from "#lib/links/fields/schema";
import { createFolder } from "#lib/links/folders";
import type { SentFile } from "#lib/platform/downloads";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { readCsv } from "../../../test/csv.ts";
import { make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { exportLinks } from "./exports.ts";
import { listLinks } from "./index.ts";
import { exportLinksQuery, listLinksQuery } from "./schema.ts";

openTestStores();

const count = 2_203;
let owner: WorkspaceScope;
let member: WorkspaceScope;
let stranger: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  owner = await makeTestScope("owner");
  member = await joinTestScope(owner, "member", "member");
  stranger = await makeTestScope("stranger");
  await make(
    owner,
    Array.from({ length: count }, (_, at) => ({
      url: `https://example.com/${at}`,
      title: at === 7 ? '=HYPERLINK("https://evil.example")' : `Number ${at}`,
      archived: at % 100 === 0,
    })),
  );
});

const open = (scope: WorkspaceScope, filters: Record<string, string> = {}) =>
  exportLinks(scope, exportLinksQuery.parse(filters));

async function textOf(file: SentFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  await file.send(async (bytes) => void chunks.push(bytes));
  return Buffer.concat(chunks).toString();
}

async function rowsOf(scope: WorkspaceScope, filters: Record<string, string> = {}) {
  return readCsv(await textOf(await open(scope, filters)));
}

test("a file has every link of the list with the same filters, once and in its order", async () => {
  const archived = Math.ceil(count / 100);
  const rows = await rowsOf(owner);
  expect(rows).toHaveLength(count - archived);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(count - archived);
  expect(await rowsOf(owner, { showArchived: "true" })).toHaveLength(count);
  const filters = { search: "Number 12" };
  const found = (await rowsOf(owner, filters)).map(({ id }) => id);
  const listed = await listLinks(owner, listLinksQuery.parse({ ...filters, pageSize: "100" }));
  expect(found.slice(0, 100)).toEqual(listed.map(({ id }) => id));
  expect(found.length).toBeGreaterThan(100);
  expect(await rowsOf(owner, { tagNames: "no such tag" })).toEqual([]);
});

test("lines of JSON are links as in the list", async () => {
  const text = await textOf(await open(owner, { format: "jsonl", search: "Number 2001" }));
  const [first] = await listLinks(owner, listLinksQuery.parse({ search: "Number 2001" }));
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(first)));
});

test("no cell is a formula", async () => {
  const [row] = await rowsOf(owner, { search: "HYPERLINK" });
  expect(row?.["title"]).toBe(`'=HYPERLINK("https://evil.example")`);
});

test("links of another workspace and of hidden folders are in no file, named or not", async () => {
  const folder = await createFolder(owner, { name: "Secret", accessLevel: null });
  const [hidden] = await make(owner, [{ url: "https://secret.example/", folderId: folder.id }]);
  const id = hidden?.id ?? "";
  expect(await rowsOf(owner, { linkIds: id })).toHaveLength(1);
  expect(await rowsOf(member, { linkIds: id })).toEqual([]);
  expect(await rowsOf(stranger, { linkIds: id })).toEqual([]);
  expect(await rowsOf(stranger)).toEqual([]);
  expect(await textOf(await open(member))).not.toContain("secret.example");
});

test(`at most ${groupLinksMax} links are named`, async () => {
  const ids = (length: number) => Array.from({ length }, () => "a").join(",");
  expect(await rowsOf(owner, { linkIds: ids(groupLinksMax) })).toEqual([]);
  await expect(open(owner, { linkIds: ids(groupLinksMax + 1) })).rejects.toMatchObject({
    code: "unprocessable_entity",
  });
});

test("links that are deleted while a file is sent do not displace others, and a thousand are read at a time", async () => {
  const file = await open(owner, { showArchived: "true" });
  const texts: string[] = [];
  await file.send(async (bytes) => {
    texts.push(Buffer.from(bytes).toString());
    if (texts.length !== 2) return;
    const last = texts[1]?.trim().split("\r\n").at(-1)?.split(",")[0] ?? "";
    await deleteLink(owner, last);
  });
  const lines = texts.map((text) => text.trim().split("\r\n").length);
  expect(lines[1]).toBe(1_000);
  expect(lines.reduce((sum, one) => sum + one, 0)).toBe(1 + count + 1);
});
