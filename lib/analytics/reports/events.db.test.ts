/** Single clicks and their exports: pages, hostile texts, retention of plans, and limits. */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { ensurePartitions } from "#lib/analytics/time-slots";
import { deleteLink } from "#lib/links/editing";
import { filesAtOnceMax, type SentFile } from "#lib/platform/downloads";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { plans } from "#lib/tenancy/plans";
import { type Caller, keyCaller } from "../../../test/api-callers.ts";
import { readArchive } from "../../../test/archive.ts";
import { type ClickedWorkspace, fillWorkspace } from "../../../test/clicked-workspace.ts";
import { compactOldClicks } from "../../../test/clicks.ts";
import { readCsv } from "../../../test/csv.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { askAnalytics, exportAnalytics, exportEvents, listEvents } from "./index.ts";
import {
  analyticsQuery,
  eventsQuery,
  exportEventsQuery,
  exportQuery,
  groupings,
} from "./schema.ts";

openTestStores();

const clickCount = 5_000;
const rowsAtOnce = 1_000;
let filled: ClickedWorkspace;
let call: Caller;
/** Before any hostile ones. */
let oldest: Date;

beforeAll(async () => {
  filled = await fillWorkspace(await makeTestScope("reader"), clickCount);
  call = await keyCaller(filled.scope);
  oldest = filled.from;
});

function get(path: string, request: Record<string, string> = {}) {
  return call({
    method: "GET",
    path: `/api${path}`,
    query: { start: oldest.toISOString(), ...request },
  });
}

interface EventFields {
  click: { id: string };
  timestamp: string;
}

async function pages(request: Record<string, string>): Promise<EventFields[]> {
  const all: EventFields[] = [];
  for (let cursor: string | undefined; ; ) {
    const { status, text } = await get("/events", { ...request, ...(cursor ? { cursor } : {}) });
    expect(status, text).toBe(200);
    const page: EventFields[] = JSON.parse(text);
    all.push(...page);
    cursor = page.at(-1)?.click.id;
    if (!cursor || page.length < Number(request["limit"])) return all;
  }
}

async function countOf(request: Record<string, string> = {}): Promise<number> {
  return JSON.parse((await get("/analytics", request)).text).clicks;
}

test.each(["desc", "asc"])("cursors lead through all clicks once, %s", async (sortOrder) => {
  // Many clicks of one millisecond, as in a campaign: their ids distinguish them.
  await query(sql`
    UPDATE analytics.click
    SET at = date_bin('1 hour', at, 'epoch')
    WHERE workspace_pk = ${filled.scope.workspacePk}`);
  const end = new Date(Date.now() - 3_600_000).toISOString();
  const seen = await pages({ sortOrder, limit: "333", end });
  const at = seen.map(({ timestamp }) => timestamp);
  expect(at).toEqual(at.toSorted((a, b) => (sortOrder === "asc" ? 1 : -1) * a.localeCompare(b)));
  expect(new Set(seen.map(({ click }) => click.id)).size).toBe(seen.length);
  expect(seen).toHaveLength(await countOf({ end }));
  expect(seen.length).toBeGreaterThan(clickCount * 0.8);
});

test("pages by number equal those of the cursor, and filters apply to both", async () => {
  const request = { device: "Mobile", linkId: `-${filled.links[0]?.id}`, limit: "100" };
  const seen = await pages(request);
  const { text } = await get("/events", { ...request, page: "3" });
  expect(JSON.parse(text)).toEqual(seen.slice(200, 300));
  expect(seen).toHaveLength(await countOf(request));
});

test.each([
  { trigger: "qr" },
  { trigger: "link" },
  { url: "https://example.com/" },
  { country: "DE" },
  { city: "Berlin" },
  { referer: "(direct)" },
  { utm_source: "news" },
  { language: "de" },
])("clicks by %j are as many as their count", async (filter) => {
  const clicks = await pages({ ...filter, limit: "1000" });
  expect(clicks).toHaveLength(await countOf(filter));
});

test("with old days in blocks, pages are the same, and so are files", async () => {
  const requests: Record<string, string>[] = [
    { limit: "333" },
    { limit: "250", sortOrder: "asc" },
    { limit: "100", device: "Mobile", linkId: String(filled.links[1]?.id) },
    { limit: "1000", city: "Berlin", sortOrder: "asc" },
  ];
  const end = new Date().toISOString();
  const read = async () => [
    ...(await Promise.all(requests.map((request) => pages({ ...request, end })))),
    (await get("/events/export", { end })).text,
    (await get("/events", { limit: "50", page: "40", end })).text,
  ];
  const before = await read();
  await compactOldClicks();
  const [held] = await query<{ clicks: number }>(
    sql`SELECT sum(clicks) AS clicks FROM analytics.click_block`,
  );
  expect(held?.clicks).toBeGreaterThan(clickCount / 2);
  expect(await read()).toEqual(before);
});

test("a page holds 1,000 clicks and no more, and pages reach 100,000 clicks back", async () => {
  expect(JSON.parse((await get("/events", { limit: "1000" })).text)).toHaveLength(1_000);
  expect((await get("/events", { limit: "1001" })).status).toBe(422);
  expect((await get("/events", { limit: "1000", page: "101" })).status).toBe(200);
  const { status, text } = await get("/events", { limit: "1000", page: "102" });
  expect([status, text]).toEqual([422, expect.stringContaining("Use cursor to go further")]);
});

test.each(["x", "1-2", `999999999999999-${randomUUID()}`, `-1-${randomUUID()}`, "1e3-x"])(
  "the cursor %s is a 422",
  async (cursor) => {
    expect((await get("/events", { cursor })).status).toBe(422);
  },
);

test("files have every click of the period", async () => {
  const csv = readCsv((await get("/events/export")).text);
  const lines = (await get("/events/export", { format: "jsonl" })).text.trim().split("\n");
  const count = await countOf();
  expect(csv).toHaveLength(count);
  expect(lines.map((line) => JSON.parse(line).click.id)).toEqual(csv.map(({ id }) => id));
});

const hostile = [
  '=HYPERLINK("http://evil.example","Click")',
  "+1+1",
  "-2+3",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "<script>alert(1)</script>",
  'quo"te, comma\r\nand line',
  "\u202egnp.exe",
  "x".repeat(65_536),
  "🙂",
];

/** Clicks with a text in every field, as stored by ingest: without U+0000, which the database does not accept. */
async function putTexts(texts: readonly string[], at: Date): Promise<void> {
  await ensurePartitions(["click"], [at.getTime()]);
  const { workspacePk } = filled.scope;
  await query(sql`
    WITH new AS (
      INSERT INTO analytics.click (at, link_pk, workspace_pk, domain_pk, bot, qr, first_of_link, first_of_workspace,
        id, city, browser, referer, referer_url, utm_source, utm_campaign, url, ua)
      SELECT ${at}::timestamptz, link.pk, link.workspace_pk, link.domain_pk, false, false, false, false,
        gen_random_uuid(), text, text, text, text, text, text, text, text
      FROM unnest(${texts}::text[]) AS text
      JOIN link ON link.workspace_pk = ${workspacePk} AND link.external_id = 'external-1'
    )
    INSERT INTO analytics.touched_slot (workspace_pk, slot)
    VALUES (${workspacePk}, date_bin('15 minutes', ${at}::timestamptz, 'epoch'))
    ON CONFLICT (workspace_pk, slot) DO NOTHING`);
}

test("hostile texts are returned unchanged by the API, and in no file as a formula", async () => {
  await putTexts(hostile, new Date(Date.now() - 60_000));
  const start = new Date(Date.now() - 600_000).toISOString();
  const ask = async (path: string, more: Record<string, string> = {}) =>
    (await get(path, { start, ...more })).text;
  const fields = JSON.parse(await ask("/analytics", { groupBy: "referers" }));
  expect(fields.map((row: { referer: string }) => row.referer)).toEqual(
    expect.arrayContaining(hostile),
  );
  const files = [
    await ask("/events/export"),
    await ask("/analytics/export", { groupBy: "referers" }),
    await ask("/analytics/export", { groupBy: "cities" }),
    await ask("/analytics/export", { groupBy: "utm_campaigns" }),
  ];
  for (const file of files) {
    const cells = readCsv(file).flatMap((row) => Object.values(row));
    expect(cells.filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([]);
    expect(cells).toContain('\'=HYPERLINK("http://evil.example","Click")');
    expect(cells).toContain('quo"te, comma\r\nand line');
    expect(cells).toContain("x".repeat(65_536));
  }
  const lines = (await ask("/events/export", { format: "jsonl" })).trim().split("\n");
  const agents = lines.map((line) => JSON.parse(line).click.ua);
  expect(agents).toEqual(expect.arrayContaining(hostile));
  const filtered = await ask("/analytics", { referer: "\\-2+3" });
  expect(JSON.parse(filtered).clicks).toBe(1);
});

async function bytesOf(file: SentFile): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  await file.send(async (bytes) => void chunks.push(bytes));
  return Buffer.concat(chunks);
}

async function textOf(file: SentFile): Promise<string> {
  return (await bytesOf(file)).toString();
}

const everything = () => ({ start: oldest.toISOString() });

test("the archive has a file of every grouping, which equals the single file", async () => {
  const request = exportQuery.parse({
    ...everything(),
    groupBy: "all",
    unique: "true",
    bots: "true",
  });
  const file = await exportAnalytics(filled.scope, request);
  const entries = await readArchive(await bytesOf(file));
  expect(entries.map(({ name }) => name)).toEqual(groupings.map((one) => `${one}.csv`));
  const links = entries.find(({ name }) => name === "top_links.csv");
  const alone = await get("/analytics/export", {
    groupBy: "top_links",
    unique: "true",
    bots: "true",
  });
  expect(readCsv(links?.bytes.toString() ?? "")).toEqual(readCsv(alone.text));
});

test("a file is written no faster than it is read, a thousand rows at a time", async () => {
  const file = await exportEvents(filled.scope, exportEventsQuery.parse(everything()));
  let [taking, lines] = [false, 0];
  const sizes: number[] = [];
  await file.send(async (bytes) => {
    expect(taking).toBe(false);
    taking = true;
    await new Promise((taken) => setTimeout(taken, 5));
    taking = false;
    const rows = Buffer.from(bytes).toString().split("https://").length;
    sizes.push(rows);
    lines += rows;
  });
  expect(lines).toBeGreaterThan(clickCount * 0.9);
  expect(sizes.length).toBeGreaterThan(clickCount / rowsAtOnce - 1);
});

test(`${filesAtOnceMax} files are sent at once, and the next is a 429 until one is done`, async () => {
  const request = exportQuery.parse({ ...everything(), groupBy: "referers" });
  const open = () => exportAnalytics(filled.scope, request);
  const files = await Promise.all(Array.from({ length: filesAtOnceMax }, open));
  const refused = { code: "rate_limit_exceeded" };
  await expect(open()).rejects.toMatchObject(refused);
  await expect(
    exportEvents(filled.scope, exportEventsQuery.parse(everything())),
  ).rejects.toMatchObject(refused);
  const [first, ...others] = files;
  // A reader who aborts releases the slot too.
  await expect(first?.send(() => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  others.push(await open());
  await Promise.all(others.map((file) => file.send(() => Promise.resolve())));
});

test("clicks beyond the plan's retention are in no response and no file", async () => {
  const keptDays = plans.free.limits.clicksKeptDays ?? 0;
  const ago = (minutes: number) => new Date(Date.now() - (keptDays * 1_440 + minutes) * 60_000);
  await putTexts(["kept"], ago(-2));
  // The period starts with a quarter hour.
  await putTexts(["gone"], ago(17));
  const request = { interval: "90d", referer: "kept,gone" };
  const seenOn = async (plan: WorkspaceScope["plan"]) => {
    const scope: WorkspaceScope = { ...filled.scope, plan };
    const grouped = analyticsQuery.parse({ ...request, groupBy: "referers" });
    const counted = await askAnalytics(scope, analyticsQuery.parse(request));
    const events = await listEvents(scope, eventsQuery.parse(request));
    const files = [
      await exportAnalytics(scope, exportQuery.parse({ ...request, groupBy: "referers" })),
      await exportEvents(scope, exportEventsQuery.parse(request)),
    ];
    return {
      count: counted.answer,
      rows: (await askAnalytics(scope, grouped)).answer,
      events: events.map(({ click }) => click.referer),
      files: (await Promise.all(files.map(textOf))).map((text) => readCsv(text).length),
    };
  };
  const free = await seenOn("free");
  expect(free).toMatchObject({ count: { clicks: 1 }, rows: [{ referer: "kept" }] });
  expect([free.events, free.files]).toEqual([["kept"], [1, 1]]);
  const whole = await seenOn("enterprise");
  expect([whole.count, whole.events, whole.files]).toEqual([
    expect.objectContaining({ clicks: 2 }),
    ["kept", "gone"],
    [2, 2],
  ]);
});

test("clicks of a deleted link are in no page, and pages stay full", async () => {
  const deletedLink = filled.links[3];
  const before = await pages({ limit: "1000" });
  if (deletedLink) await deleteLink(filled.scope, deletedLink.id);
  const after = await pages({ limit: "1000" });
  expect(after.length).toBeLessThan(before.length);
  expect(JSON.parse((await get("/events", { limit: "1000" })).text)).toHaveLength(1_000);
});
