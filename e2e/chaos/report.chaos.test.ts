/**
 * The report on faults: each strikes while visits and creates go on. `npm run chaos:report` is the form of an hour, and
 * prints the page that this file writes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { faults as allFaults, type Fault } from "./report/faults.ts";
import { type FaultResult, renderReport } from "./report/page.ts";
import { type Creates, startCreates, startVisits, type Visits } from "./report/traffic.ts";
import { listEnded, openWorld, type World } from "./report/world.ts";
import { makeLink, pause, readMetrics } from "./stage.ts";

const isLong = Boolean(process.env["TEST_LONG"]);
const faults = allFaults.filter(({ slow }) => isLong || !slow);
const faultMs = isLong ? 40_000 : 700;
const beforeMs = isLong ? 5_000 : 150;
const linksPerFault = 3;
/** A process that waits for a store gives up after a while, and is started again. */
const recoverMs = 200_000;
const catchUpMs = 400_000;
/** A click that counts twice does so later. */
const settleMs = 2_500;
const reportFile = ".fuxi-test/chaos-report.md";

let world: World;
const visited = new Map<Fault, Map<string, string>>();
const traffics = new Map<Fault, { visits: Visits; creates: Creates }>();
const forbidden = new Map<Fault, string>();
const lost = new Map<Fault, number>();

beforeAll(async () => {
  world = await openWorld();
  const api = world.members.api.process.current;
  for (const [at, fault] of faults.entries()) {
    const links = new Map<string, string>();
    for (let number = 0; number < linksPerFault; number++) {
      const url = `https://example.com/fault/${at}/${number}`;
      links.set((await makeLink(api, { url })).key, url);
    }
    visited.set(fault, links);
  }
});

afterAll(() => world.close());

test.each(faults)("$name: every redirect is right", async (fault) => {
  const links = visited.get(fault) ?? new Map<string, string>();
  const name = `made/${faults.indexOf(fault)}`;
  const visits = startVisits(world.urls.redirect, links);
  const creates = startCreates(world.urls.api, name);
  const recovered = () => Promise.all([visits.recovered(), creates.recovered()]);
  traffics.set(fault, { visits, creates });
  const lostBefore = await countLost();
  try {
    await recovered();
    await pause(beforeMs);
    const heal = await fault.strike(world);
    if (typeof heal === "string") {
      forbidden.set(fault, heal);
      return;
    }
    await pause(faultMs);
    await heal();
    await vi.waitFor(() => expect(listEnded(world)).toEqual([]), recoverMs);
    await recovered();
  } finally {
    await Promise.all([visits.stop(), creates.stop()]);
    // A killed process begins at 0 again.
    lost.set(fault, Math.max(0, (await countLost()) - lostBefore));
  }
  expect(visits.counts.wrong).toBe(0);
  expect(visits.counts.answered).toBeGreaterThan(0);
});

test("no click is lost or counted twice, and no acknowledged link is missing", async () => {
  await vi.waitFor(async () => {
    for (const { answered, lost: known, counted } of await summarize()) {
      expect(counted).toBeGreaterThanOrEqual(answered - known);
    }
  }, catchUpMs);
  await pause(settleMs);
  const results = await summarize();
  mkdirSync(".fuxi-test", { recursive: true });
  writeFileSync(reportFile, renderReport(results, faultMs));
  for (const result of results) {
    expect(result).toMatchObject({ wrong: 0, found: result.acknowledged });
    expect(result.counted).toBeGreaterThanOrEqual(result.answered - result.lost);
    expect(result.counted).toBeLessThanOrEqual(result.answered + result.unanswered);
  }
});

/** What the running redirect process says. */
async function countLost(): Promise<number> {
  const text = await readMetrics(world.members.redirect.process.current);
  return Number(/^fuxi_clicks_total\{what="lost"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

async function summarize(): Promise<FaultResult[]> {
  const clicks = await countClicks();
  const results: FaultResult[] = [];
  for (const [fault, { visits, creates }] of traffics) {
    const { sent, answered, wrong, later, unanswered } = visits.counts;
    const keys = [...(visited.get(fault)?.keys() ?? [])];
    results.push({
      name: fault.name,
      forbidden: forbidden.get(fault),
      sent,
      answered,
      wrong,
      later,
      unanswered,
      lost: lost.get(fault) ?? 0,
      counted: keys.reduce((sum, key) => sum + (clicks.get(key) ?? 0), 0),
      acknowledged: creates.links.size,
      found: await countFound(creates.links),
      longestVisitPauseMs: visits.longestPauseMs,
      longestCreatePauseMs: creates.longestPauseMs,
    });
  }
  return results;
}

async function countClicks(): Promise<Map<string, number>> {
  const { rows } = await world.stage.db.query(
    `SELECT link.key, link_stat.clicks::int AS clicks
     FROM link JOIN link_stat ON link_stat.link_pk = link.pk`,
  );
  return new Map(rows.map(({ key, clicks }) => [key, clicks]));
}

/** The links that exist once, with the acknowledged destination. */
async function countFound(links: ReadonlyMap<string, string>): Promise<number> {
  const { rows } = await world.stage.db.query(
    `SELECT count(*)::int AS found
     FROM unnest($1::text[], $2::text[]) AS made (key, url)
     JOIN link ON link.key = made.key AND link.url = made.url`,
    [[...links.keys()], [...links.values()]],
  );
  return rows[0].found;
}
