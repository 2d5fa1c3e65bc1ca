/**
 * Five years of two workspaces in steps of ten or thirty days: links are made, visited, announced, retired, deleted, and their
 * codes issued again. Visits and clicks are real; what they leave is moved to the simulated time.
 */
import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { ingestAll, openIngest } from "#lib/analytics/ingest";
import { eraseDue } from "#lib/analytics/rollups";
import { parseId, uuidSource } from "#lib/basics/ids";
import { createLinks } from "#lib/links/creating";
import { sweepRecycledCodes } from "#lib/links/keys";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { updateWorkspace } from "#lib/tenancy/workspaces";
import { browser, openTestVisits } from "../../../test/redirect-server.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { runRounds } from "./index.ts";

openTestStores({ FUXI_REUSE_CODES: "on" });
const { scope: firstScope, ask } = openTestVisits("fiveyears");
beforeAll(openIngest);

const dayMs = 86_400_000;
const stepDays = process.env["TEST_LONG"] ? 10 : 30;
const steps = (5 * 365) / stepDays;
const specialEvery = 200 / stepDays;
const ownHost = "own.example";

/** A link in one life of its code. */
interface Life {
  pk: number;
  host: string;
  key: string;
  url: string;
  /** Made by a person: never retires. */
  person: boolean;
  clicks: number;
}

let at = Date.now();
const simulatedUuid = uuidSource(
  () => at,
  (bytes) => randomBytes(bytes),
);
/** By host and key. */
const living = new Map<string, Life>();
const finished = new Set<string>();
let issuedAgain = 0;
let made = 0;
let asked = 0;
const closedVisits = 15;

const nameOf = ({ host, key }: Pick<Life, "host" | "key">) => `${host}/${key}`;

async function makeLink(
  scope: WorkspaceScope,
  host: string,
  { person = false, body = {} }: { person?: boolean; body?: object } = {},
): Promise<Life> {
  made += 1;
  const url = `https://example.com/life/${made}`;
  const [outcome] = await createLinks(scope, [{ url, domain: host, ...body }]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  const { id, key } = outcome.link;
  const [row] = await query<{ pk: number; aged: boolean }>(sql`
    UPDATE link
    SET id = ${simulatedUuid()}::uuid,
      created_at = ${new Date(at)},
      api_key_pk = CASE WHEN ${person}::boolean THEN NULL ELSE 1 END
    WHERE id = ${parseId("link", id)}::uuid
    RETURNING pk, EXISTS (SELECT FROM link_stat WHERE link_stat.link_pk = link.pk) AS aged`);
  if (!row) throw new Error("The link is missing");
  const life = { pk: row.pk, host, key, url, person, clicks: 0 };
  expect(row.aged, `${key} starts without stats`).toBe(false);
  expect(living.has(nameOf(life)), `${key} is alive once`).toBe(false);
  if (finished.has(nameOf(life))) issuedAgain += 1;
  living.set(nameOf(life), life);
  return life;
}

/** A visit, which reaches the link of this life and no other. */
async function visit(life: Life, query = ""): Promise<void> {
  const answer = await ask(`/${life.key}${query}`, {
    headers: { host: life.host, "user-agent": browser },
  });
  expect(answer.status).toBe(302);
  expect(answer.headers.location).toBe(life.url);
  life.clicks += 1;
}

/** Clicks are counted now; their time is moved to the simulated one. */
async function countClicks(visited: readonly Life[]): Promise<void> {
  await ingestAll();
  await query(sql`
    UPDATE link_stat SET last_click_at = ${new Date(at)}
    WHERE link_pk = ANY(${visited.map(({ pk }) => pk)}::bigint[])`);
  const stats = await query<{ pk: number; clicks: number }>(
    sql`SELECT link_pk AS pk, clicks + bots AS clicks FROM link_stat`,
  );
  const counted = new Map(stats.map(({ pk, clicks }) => [pk, clicks]));
  for (const { pk, clicks, key } of living.values()) {
    expect(counted.get(pk) ?? 0, `clicks of ${key}`).toBe(clicks);
  }
}

/** Both rounds of each erasure: a step is longer than their distance. */
async function erase(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await query(sql`UPDATE analytics.erasure SET due_at = now() - interval '1 minute'`);
    await eraseDue();
    await eraseDue();
  }
}

/** Every job twice. */
async function runJobs(): Promise<void> {
  const now = new Date(at);
  await runRounds(now, { pauseShare: 0, batch: 50 });
  await query(sql`UPDATE retirement_round SET next_at = ${now}`);
  for (let run = 0; run < 2; run++) await sweepRecycledCodes(now);
  await runRounds(now, { pauseShare: 0, batch: 50 });
  await compare();
}

/** Only some of them: repeated misses of one address are refused. */
async function visitClosed({ host, key }: Life, status: number): Promise<void> {
  if (asked >= closedVisits) return;
  expect((await ask(`/${key}`, { headers: { host } })).status).toBe(status);
  asked += status === 404 ? 1 : 0.1;
}

/** What lives with the rows, and what does not with visits. */
async function compare(): Promise<void> {
  const rows = await query<{ host: string; key: string; url: string; retired: boolean }>(sql`
    SELECT domain.slug AS host, link.key, link.url, link.retired_at IS NOT NULL AS retired
    FROM link JOIN domain ON domain.pk = link.domain_pk`);
  const names = rows.map(nameOf);
  expect(new Set(names).size, "no code is alive twice").toBe(names.length);
  const urls = new Map(rows.map((row) => [nameOf(row), row]));
  for (const [name, life] of living) {
    const row = urls.get(name);
    if (row) expect(row.url).toBe(life.url);
    if (row && !row.retired) continue;
    expect(life.person, "links of people stay").toBe(false);
    await visitClosed(life, row ? 410 : 404);
    if (row) continue;
    living.delete(name);
    finished.add(name);
  }
}

/** Codes on paper and chosen names are not issued again: their pks are in no pool. */
async function expectUnpooled(lives: readonly Life[]): Promise<void> {
  const gone = lives.filter((life) => living.get(nameOf(life)) !== life);
  expect(gone.length).toBeGreaterThan(5);
  const pool = await query(sql`
    SELECT pk FROM recycled_code WHERE pk = ANY(${gone.map(({ pk }) => pk)}::bigint[])`);
  expect(pool).toEqual([]);
  for (const life of gone) expect(living.has(nameOf(life))).toBe(false);
}

test("in five years no code is alive twice, and no visit or click reaches the wrong link", async () => {
  const scopes = [firstScope(), await makeTestScope("fiveyearsown")] as const;
  await query(sql`
    INSERT INTO domain (id, workspace_pk, slug, verified_at)
    VALUES ('dom_fiveyears', ${scopes[1].workspacePk}, ${ownHost}, now())`);
  await updateWorkspace(scopes[0], { retireApiDays: 90 });
  await updateWorkspace(scopes[1], { retireApiDays: 30, retireFromCreation: true });
  const people: Life[] = [];
  const printed: Life[] = [];
  const chosen: Life[] = [];
  for (let step = 0; step < steps; step++) {
    at += stepDays * dayMs;
    const fresh = await Promise.all([
      makeLink(scopes[0], "localhost"),
      makeLink(scopes[0], "localhost"),
      makeLink(scopes[0], "localhost"),
      makeLink(scopes[1], ownHost),
    ]);
    if (step % specialEvery < 1) {
      people.push(await makeLink(scopes[0], "localhost", { person: true }));
      const retiresAt = new Date(at + 60 * dayMs).toISOString();
      printed.push(await makeLink(scopes[0], "localhost", { body: { retiresAt } }));
      const body = { key: `Spel${String(Math.floor(step / specialEvery)).padStart(2, "0")}` };
      chosen.push(await makeLink(scopes[0], "localhost", { body }));
    }
    // A favourite of each year keeps being visited; the others once.
    const favourites = people.slice(-2);
    await Promise.all([...fresh, ...favourites].map((life) => visit(life)));
    const [lastPrinted] = printed.slice(-1);
    const scanned = step % specialEvery < 1 && lastPrinted ? [lastPrinted] : [];
    for (const life of scanned) await visit(life, "?qr=1");
    await countClicks([...fresh, ...favourites, ...scanned]);
    await runJobs();
    await erase();
  }
  expect(issuedAgain).toBeGreaterThan(50);
  expect(people.every((life) => living.get(nameOf(life)) === life)).toBe(true);
  await expectUnpooled(printed);
  await expectUnpooled(chosen);
});
