import { readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { createTag } from "#lib/links/tags";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { listNotifications } from "#lib/tenancy/notifications";
import { memoryBound } from "../../../test/bounds.ts";
import { resultsOf } from "../../../test/import-results.ts";
import { list } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
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
import { openResults } from "./results.ts";
import { type Import, importsMax } from "./schema.ts";
import { receiveFile, sumReceivingBytes } from "./upload.ts";

openTestStores();

let ada: WorkspaceScope;
let eve: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
  await createTag(ada, { name: "Autumn" });
});

const pathOf = (id: string) => join(config().FUXI_DATA_DIR, fileOf(id));

function files(): string[] {
  return readdirSync(join(config().FUXI_DATA_DIR, "imports"));
}

function upload(content: BlobPart, scope = ada, name = "links.csv"): Promise<Import> {
  return uploadImport(scope, new Blob([content]).stream(), { name });
}

function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) =>
      error instanceof AppError ? `${error.code}: ${error.message}` : String(error),
  );
}

async function run(id: string, scope = ada): Promise<Import> {
  await startImport(scope, id);
  await runImport(id);
  return await getImport(scope, id);
}

test("a file is uploaded, previewed, processed, and its results have the outcome of each row", async () => {
  const text = [
    "Long URL,Back-half,Title,Tags,Notes",
    'https://example.com/1,imported-1,"Title, one",autumn,first',
    "https://example.com/2,,Two,,",
    "javascript:alert(1),,Three,,",
    "https://example.com/4,imported-1,Four,,",
    "https://example.com/5,,Five,winter,",
  ].join("\r\n");
  const uploaded = await upload(text);
  expect(uploaded).toMatchObject({
    state: "ready",
    encoding: "utf-8",
    delimiter: ",",
    rows: 5,
    mapping: ["url", "key", "title", "tagNames", "comments"],
    options: { heading: true },
  });
  expect(uploaded.columns[0]).toEqual({
    name: "Long URL",
    samples: [
      "https://example.com/1",
      "https://example.com/2",
      "javascript:alert(1)",
      "https://example.com/4",
      "https://example.com/5",
    ],
  });
  await changeImport(ada, uploaded.id, { options: { onMissingName: "refuse" } });
  const preview = await previewImport(ada, uploaded.id);
  expect(preview.obstacle).toBeNull();
  expect(preview.rows[0]?.link).toMatchObject({
    url: "https://example.com/1",
    key: "imported-1",
    title: "Title, one",
    tags: ["Autumn"],
  });
  expect(preview.problems.map(({ line, code, params }) => [line, code, params])).toEqual([
    [4, "row_invalid", { field: "url", issue: "address", max: "" }],
    [5, "key_taken", { key: "imported-1" }],
    [6, "tag_unknown", { tag: "winter" }],
  ]);
  expect(await list(ada, {})).toEqual([]);
  const done = await run(uploaded.id);
  expect(done).toMatchObject({ state: "done", rows: 5, done: 5, made: 2, refused: 3 });
  const links = await list(ada, {});
  expect(links.map(({ url }) => url)).toEqual(["https://example.com/2", "https://example.com/1"]);
  const [, first, second, third] = (await resultsOf(ada, uploaded.id)).split("\r\n");
  expect(first).toBe(
    `https://example.com/1,imported-1,"Title, one",autumn,first,${links[1]?.shortLink},${links[1]?.id},2,made,`,
  );
  expect(second).toContain(`${links[0]?.shortLink},${links[0]?.id},3,made,`);
  expect(third).toMatch(/^javascript:alert\(1\),,Three,,,,,4,refused,/);
  expect((await resultsOf(ada, uploaded.id, "failed")).trim().split("\r\n")).toHaveLength(4);
  expect(await listNotifications(ada)).toMatchObject([
    { kind: "import.done", subject: uploaded.id },
  ]);
  const entries = await listAudit(ada, { pageSize: 10 });
  expect(entries.slice(0, 2)).toMatchObject([
    { action: "import.done", details: { made: 2, refused: 3 } },
    { action: "import.start", details: { rows: 5 } },
  ]);
});

test("an import of another workspace answers exactly like a missing one", async () => {
  const { id } = await upload("https://example.com/\n");
  const missing = id.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  for (const verb of [getImport, previewImport, startImport, cancelImport, deleteImport]) {
    const answer = await failureOf(verb(eve, id));
    expect(answer).toBe((await failureOf(verb(eve, missing))).replace(missing, id));
    expect(answer).toMatch(/^not_found/);
  }
  expect(await failureOf(openResults(eve, id, { only: "all" }))).toMatch(/^not_found/);
  expect(await failureOf(changeImport(eve, id, {}))).toMatch(/^not_found/);
  expect(await listImports(eve, { page: 1, pageSize: 10 })).toEqual([]);
  expect((await getImport(ada, id)).state).toBe("ready");
});

test("a file that is no table of links is refused with the correction, and leaves no file", async () => {
  const before = files();
  const cases: [content: BlobPart, says: RegExp][] = [
    ["", /empty/],
    ["\n\n , \n", /empty/],
    ["url,title\r\n", /header but no rows/],
    [Buffer.from("PK\u0003\u0004rest of an xlsx"), /xlsx.*CSV UTF-8/],
    [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2]), /xls/],
    ["%PDF-1.7", /PDF/],
    [Buffer.from([0x89, 0x50, 0x4e, 0x47, 1]), /image/],
    ["<html><table>", /HTML/],
    ["url\nhttps://example.com/\0", /NUL/],
    [
      'url,title\nhttps://a.example/,"never closed\nhttps://b.example/,x\n',
      /line 2 starts with a quote .* never closed/,
    ],
    ["url\nhttps://a.example/\n".concat(`${"x".repeat(32_768)}\n`), /line 3, column 1.*32,767/],
    [`url${",x".repeat(512)}\n`, /512 columns/],
  ];
  for (const [content, says] of cases) {
    expect(await failureOf(upload(content))).toMatch(says);
  }
  expect(files()).toEqual(before);
});

test("invalid settings are refused, each with the correction", async () => {
  const { id } = await upload("url,title\nhttps://example.com/,T\n");
  const change = (body: Parameters<typeof changeImport>[2]) =>
    failureOf(changeImport(ada, id, body));
  expect(await change({ mapping: ["url"] })).toMatch(/2 columns/);
  expect(await change({ mapping: ["url", "url"] })).toMatch(/Two columns are mapped to "url"/);
  expect(await change({ mapping: [null, "title"] })).toBe("ok");
  expect(await previewImport(ada, id)).toMatchObject({
    obstacle: expect.stringMatching(/No column is mapped to the destination/),
    obstacleProblem: { code: "no_url_column", params: {} },
  });
  expect(await failureOf(startImport(ada, id))).toMatch(/No column is mapped to the destination/);
  expect(await change({ mapping: ["url", "title"], options: { domain: "unknown.example" } })).toBe(
    "ok",
  );
  expect(await failureOf(startImport(ada, id))).toMatch(/no verified domain "unknown.example"/);
  expect(await change({ options: { domain: null } })).toBe("ok");
  await startImport(ada, id);
  expect(await change({})).toMatch(/^conflict/);
  expect(await failureOf(deleteImport(ada, id))).toMatch(/^conflict.*Cancel it first/);
  expect((await cancelImport(ada, id)).state).toBe("cancelled");
  expect(await deleteImport(ada, id)).toEqual({ id });
  expect(files()).not.toContain(`${id}.jsonl`);
  expect(await query(sql`SELECT 1 FROM import WHERE id = ${id}`)).toEqual([]);
});

test("the files of other services become the intended links", async () => {
  const excel = Buffer.from(
    "\ufeffZieladresse;Titel;Link\r\nx;Größe;https://example.com/excel\r\n",
  );
  expect(await upload(excel)).toMatchObject({
    encoding: "utf-8",
    delimiter: ";",
    rows: 1,
    mapping: [null, null, "url"],
  });
  // "目标链接,标题" and "新年快乐", as written by a Chinese Excel.
  const heading = [0xc4, 0xbf, 0xb1, 0xea, 0xc1, 0xb4, 0xbd, 0xd3, 0x2c, 0xb1, 0xea, 0xcc, 0xe2];
  const title = [0xd0, 0xc2, 0xc4, 0xea, 0xbf, 0xec, 0xc0, 0xd6];
  const chinese = Buffer.concat([
    Buffer.from(heading),
    Buffer.from("\r\nhttps://example.com/gb,"),
    Buffer.from(title),
    Buffer.from("\r\n"),
  ]);
  const fromChina = await upload(chinese);
  expect(fromChina).toMatchObject({ encoding: "gb18030", mapping: ["url", "title"] });
  expect((await run(fromChina.id)).made).toBe(1);
  expect((await list(ada, { search: "新年快乐" }))[0]?.url).toBe("https://example.com/gb");
  const names = Array.from({ length: 300 }, (_, at) => (at === 250 ? "Website" : `Field ${at}`));
  const values = names.map((name) => (name === "Website" ? "www.example.com/crm" : "=1+1"));
  const crm = await upload(`${names.join("\t")}\n${values.join("\t")}`);
  expect(crm.columns).toHaveLength(300);
  expect(crm.mapping.indexOf("url")).toBe(250);
  expect((await run(crm.id)).made).toBe(1);
  const results = await resultsOf(ada, crm.id);
  expect(results).toContain("'=1+1,'=1+1");
  expect(results).not.toMatch(/(^|,)=1/);
});

test("hostile cells are refused with a reason or stored unchanged, and no row affects another", async () => {
  const cells = [
    "javascript:alert(1)",
    "data:text/html,x",
    "https://example.com/\u0001",
    '=HYPERLINK("https://evil.example")',
    "https://user:pass@example.com/",
    `https://example.com/${"x".repeat(32_000)}`,
    "__proto__",
    "",
    "http://[::1",
  ];
  const lines = cells.map((cell) => `"${cell.replaceAll('"', '""')}",@SUM(1)`);
  const { id } = await upload(`url,title\n${lines.join("\n")}\nhttps://example.com/good,T\n`);
  const { problems } = await previewImport(ada, id);
  const done = await run(id);
  expect(done.made + done.refused).toBe(10);
  expect(done.refused).toBe(problems.length);
  expect(done.refused).toBeGreaterThanOrEqual(7);
  const lost = await resultsOf(ada, id, "failed");
  expect(lost).toContain("'@SUM(1)");
  expect(lost).not.toMatch(/(^|,)[=@]/m);
  expect(await list(ada, { url: "https://example.com/good" })).toHaveLength(1);
});

test("the file of failures can be corrected and uploaded again", async () => {
  const { id } = await upload("url,key,title\nhttps://example.com/1,again,=A\nnowhere,,B\n");
  await run(id);
  const failed = await resultsOf(ada, id, "failed");
  const again = await upload(failed.replace("nowhere", "https://example.com/corrected"));
  expect(again.mapping).toEqual(["url", "key", "title", "shortLink", null, null, null, null]);
  expect(await run(again.id)).toMatchObject({ rows: 1, made: 1 });
});

test("an aborted upload leaves nothing, and neither does one that is too large", async () => {
  const before = files();
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from("url\nhttps://example.com/\n"));
    },
    pull(controller) {
      controller.error(new Error("gone"));
    },
  });
  expect(await failureOf(uploadImport(ada, broken, { name: "broken.csv" }))).toMatch(
    /bad_request: The upload was interrupted/,
  );
  const text = "url\nhttps://example.com/\n";
  const receive = (bytesAllowed: number) =>
    failureOf(
      receiveFile("imp_test", new Blob([text]).stream(), {
        delimiter: undefined,
        declaredBytes: 0,
        assertRoom: async () => undefined,
        sender: { workspaceId: ada.workspaceId },
        bytesAllowed,
      }),
    );
  expect(await receive(text.length - 1)).toMatch(/can have up to/);
  expect(files()).toEqual(before);
  expect(await receive(text.length)).toBe("ok");
  rmSync(pathOf("imp_test"));
});

test("a workspace keeps as many imports as the limit, and they are deleted after their days", async () => {
  const eves = await makeTestScope("keeper");
  const { id } = await upload("https://example.com/\n", eves);
  await query(sql`
    INSERT INTO import (
      id, workspace_pk, user_pk, name, bytes, encoding, delimiter, records, width, head, mapping,
      options)
    SELECT 'imp_' || n, workspace_pk, user_pk, name, bytes, encoding, delimiter, records, width, head,
      mapping, options
    FROM import, generate_series(1, ${importsMax - 2}) AS n
    WHERE id = ${id}`);
  expect(await failureOf(upload("https://example.com/\n", eves))).toBe("ok");
  expect(await failureOf(upload("https://example.com/\n", eves))).toMatch(
    /^conflict: A workspace can keep up to 100 imports/,
  );
  await query(sql`
    UPDATE import SET created_at = now() - interval '13 days 23 hours'
    WHERE workspace_pk = ${eves.workspacePk}`);
  await sweepImports();
  expect((await getImport(eves, id)).state).toBe("ready");
  await query(sql`
    UPDATE import SET created_at = now() - interval '14 days'
    WHERE workspace_pk = ${eves.workspacePk}`);
  await sweepImports();
  expect(await failureOf(getImport(eves, id))).toMatch(/^not_found/);
  // Its file has no row any more, and is deleted once it is older than any upload.
  const old = new Date(Date.now() - 7 * 3_600_000);
  utimesSync(pathOf(id), old, old);
  await sweepImports();
  expect(files()).not.toContain(`${id}.jsonl`);
});

/** A gigabyte in the long run. */
const largeRows = process.env["TEST_LONG"] ? 1_000_000 : 50_000;

test(`a file of ${largeRows / 1_000} MB is stored and returned in the memory of a small one`, {
  timeout: 900_000,
}, async () => {
  const rows = largeRows;
  const note = "x".repeat(1_000);
  let row = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      let text = "";
      for (const end = row + 100; row < end; row++) text += `https://example.com/${row},${note}\n`;
      controller.enqueue(Buffer.from(text));
      if (row === rows) controller.close();
    },
  });
  const before = process.memoryUsage().rss;
  let most = 0;
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 50);
  const { id, bytes, rows: found } = await uploadImport(ada, body, { name: "large.csv" });
  expect([bytes > 1_000 * rows, found]).toEqual([true, rows]);
  await query(sql`UPDATE import SET state = 'cancelled', finished_at = now() WHERE id = ${id}`);
  let sent = 0;
  await (await openResults(ada, id, { only: "all" })).send((chunk) => {
    sent += chunk.length;
    return Promise.resolve();
  });
  clearInterval(sampler);
  expect(sent).toBeGreaterThan(bytes);
  expect((most - before) / 1e6).toBeLessThan(memoryBound(process.env["TEST_LONG"] ? 300 : 200));
  await deleteImport(ada, id);
});

test("the files of all workspaces together have a limit, reached exactly and not exceeded", async () => {
  const text = "https://example.com/last\n";
  const most = config().FUXI_IMPORTS_GB_MAX * 1_073_741_824;
  const other = await makeTestScope("storage");
  const { id } = await upload(text, other);
  const fill = (bytes: number) =>
    query(sql`
    UPDATE import SET bytes = ${bytes} - (SELECT sum(bytes) FROM import WHERE id <> ${id})
    WHERE id = ${id}`);
  await fill(most - text.length + 1);
  const before = files().length;
  expect(await failureOf(upload(text))).toBe(
    "service_unavailable: This instance stores import files of up to 100 GB, and there is no room for this one. Contact your administrator and try again later.",
  );
  expect(files()).toHaveLength(before);
  await fill(most - text.length);
  expect(await failureOf(upload(text))).toBe("ok");
  await deleteImport(other, id);
});

/** A file that is being received until `finish`. */
async function beginUpload(scope: WorkspaceScope, text: string, declaredBytes: number) {
  let rest: ReadableStreamDefaultController<Uint8Array> | undefined;
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      rest = controller;
      controller.enqueue(bytes.subarray(0, -1));
    },
  });
  const before = files().length;
  const done = uploadImport(scope, body, { name: "slow.csv" }, { declaredBytes });
  // Announced, the length counts at once; otherwise what was received.
  const counted = declaredBytes || bytes.length - 1;
  await expect.poll(() => sumReceivingBytes()).toBe(counted);
  expect(files().length).toBeGreaterThan(before);
  const finish = () => {
    rest?.enqueue(bytes.subarray(-1));
    rest?.close();
    return done;
  };
  return { counted, finish };
}

test.each([true, false])(
  "a file that is being received counts towards the limit, its length announced: %j",
  async (announced) => {
    const text = "https://example.com/last\n";
    const most = config().FUXI_IMPORTS_GB_MAX * 1_073_741_824;
    const other = await makeTestScope(`full-${announced}`);
    const { id } = await upload(text, other);
    const fill = (bytes: number) =>
      query(sql`
        UPDATE import SET bytes = ${bytes} - (SELECT sum(bytes) FROM import WHERE id <> ${id})
        WHERE id = ${id}`);
    const slow = await beginUpload(ada, text, announced ? text.length : 0);
    await fill(most - slow.counted - text.length + 1);
    expect(await failureOf(upload(text, eve))).toMatch(
      /^service_unavailable: This instance stores/,
    );
    await fill(most - slow.counted - text.length);
    expect(await failureOf(upload(text, eve))).toBe("ok");
    // One byte was not counted before it was sent.
    expect(await failureOf(slow.finish())).toMatch(announced ? /^ok$/ : /^service_unavailable/);
    expect(await sumReceivingBytes()).toBe(0);
    await deleteImport(other, id);
  },
);
