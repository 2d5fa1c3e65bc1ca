import { beforeAll, expect, test } from "vitest";
import { clickFilter } from "#lib/analytics/reports/schema";
import { ensurePartitions } from "#lib/analytics/time-slots";
import { openLinks } from "#lib/links/creating";
import { createFolder } from "#lib/links/folders";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { timeBound } from "../../../test/bounds.ts";
import { make } from "../../../test/links.ts";
import { untilWaiting } from "../../../test/locks.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { watchClicks, watchersPerWorkspaceMax } from "./index.ts";
import type { LiveClick } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;
let eve: WorkspaceScope;
let adas: number;
let eves: number;

beforeAll(async () => {
  await openLinks();
  await ensurePartitions(["click"], [Date.now()]);
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
  adas = await makeLink(ada);
  eves = await makeLink(eve);
});

async function makeLink(scope: WorkspaceScope, folderId?: string): Promise<number> {
  await make(scope, [{ url: "https://example.com/", ...(folderId ? { folderId } : {}) }]);
  const [row] = await query<{ pk: number }>(sql`
    SELECT pk FROM link WHERE workspace_pk = ${scope.workspacePk} ORDER BY pk DESC LIMIT 1`);
  return Number(row?.pk);
}

async function click(
  scope: WorkspaceScope,
  linkPk: number,
  at = new Date(),
  country = "DE",
): Promise<void> {
  await query(sql`
    INSERT INTO analytics.click (at, link_pk, workspace_pk, domain_pk, bot, qr, first_of_link,
      first_of_workspace, id, country)
    VALUES (${at}, ${linkPk}, ${scope.workspacePk}, 1, false, false, true, true,
      gen_random_uuid(), ${country})`);
}

/** A watcher: the clicks received so far, and how to stop it. */
async function watch(scope: WorkspaceScope, lastId?: string) {
  const seen: LiveClick[] = [];
  const outcome = await watchClicks(scope, lastId, (clicks) => seen.push(...clicks));
  if (!outcome.ok) throw new Error(outcome.code);
  return { seen, ...outcome };
}

const ids = (clicks: LiveClick[]) => clicks.map(({ id }) => id);

test("a click is sent within a second, once to each watching client, and to no other", async () => {
  const [one, two, other] = [await watch(ada), await watch(ada), await watch(eve)];
  await click(ada, adas);
  await expect.poll(() => one.seen.length, { timeout: timeBound(1_000) }).toBe(1);
  await click(ada, adas);
  await expect.poll(() => two.seen.length, { timeout: timeBound(1_000) }).toBe(2);
  expect(ids(one.seen)).toEqual(ids(two.seen));
  expect(new Set(ids(one.seen)).size).toBe(2);
  expect(one.seen[0]).toMatchObject({ country: "DE", trigger: "link", bot: false });
  expect(other.seen).toEqual([]);
  for (const { stop } of [one, two, other]) stop();
});

test("a click that is committed after later ones is seen as well", async () => {
  const watching = await watch(eve);
  await click(eve, eves);
  await expect.poll(() => watching.seen.length).toBe(1);
  await click(eve, eves, new Date(Date.now() - 20_000));
  await expect.poll(() => watching.seen.length).toBe(2);
  watching.stop();
});

test("after a disconnect a stream resumes behind the last click that arrived, and misses none", async () => {
  const scope = await makeTestScope("reader");
  const link = await makeLink(scope);
  const now = Date.now();
  const times = Array.from({ length: 60 }, (_, at) => new Date(now - 60_000 + at * 900));
  for (const at of times) await click(scope, link, at);
  const all = await watch(scope);
  const next = new Date();
  await click(scope, link, next);
  // Polls find the older ones too.
  await expect.poll(() => all.seen.length).toBeGreaterThan(30);
  all.stop();
  expect(all.seen.map(({ timestamp }) => timestamp)).toEqual(
    [...times.slice(-30), next].map((at) => at.toISOString()),
  );
  const [last] = all.seen;
  const resumed = await watch(scope, last?.id);
  resumed.stop();
  expect(ids(resumed.seen)).toEqual(expect.arrayContaining(ids(all.seen)));
  const hostile = await watch(scope, "9999999999999-' OR true --");
  hostile.stop();
  expect(ids(hostile.seen)).toEqual(ids(all.seen).slice(1));
});

test("clicks on links in folders that a member may not see are not shown to them", async () => {
  const folder = await createFolder(ada, { name: "Closed", accessLevel: null });
  const hidden = await makeLink(ada, folder.id);
  const member = await watch(await joinTestScope(ada, "mel", "member"));
  const owner = await watch(ada);
  const before = { member: member.seen.length, owner: owner.seen.length };
  await click(ada, hidden);
  await click(ada, adas);
  await expect.poll(() => owner.seen.length).toBe(before.owner + 2);
  await expect.poll(() => member.seen.length).toBe(before.member + 1);
  member.stop();
  owner.stop();
});

test("the address of a link that moved to another workspace is not shown to the one it left", async () => {
  const scope = await makeTestScope("mover");
  const link = await makeLink(scope);
  await click(scope, link);
  await query(sql`UPDATE link SET workspace_pk = ${eve.workspacePk} WHERE pk = ${link}`);
  const watching = await watch(scope);
  watching.stop();
  expect(watching.seen).toEqual([]);
});

test("with filters only the clicks that fit them are sent, those before and those after the start", async () => {
  const scope = await makeTestScope("filtering");
  const [one, two] = [await makeLink(scope), await makeLink(scope)];
  // Clicks of one millisecond have no order.
  await click(scope, one, new Date(Date.now() - 1_000));
  await click(scope, two, new Date(), "FR");
  const outcomeOf = async (filter: object) => {
    const seen: LiveClick[] = [];
    const outcome = await watchClicks(
      scope,
      undefined,
      (clicks) => seen.push(...clicks),
      clickFilter.parse(filter),
    );
    if (!outcome.ok) throw new Error(outcome.code);
    return { seen, ...outcome };
  };
  const all = await outcomeOf({});
  const french = await outcomeOf({ country: "FR" });
  const others = await outcomeOf({ country: "-FR" });
  const linkId = String(all.seen.find(({ country }) => country === "DE")?.linkId);
  const ofLink = await outcomeOf({ linkId });
  const countries = () =>
    [all, french, others, ofLink].map(({ seen }) => seen.map(({ country }) => country));
  expect(countries()).toEqual([["DE", "FR"], ["FR"], ["DE"], ["DE"]]);
  await click(scope, one, new Date(), "FR");
  await expect.poll(() => [french.seen.length, ofLink.seen.length]).toEqual([2, 2]);
  await click(scope, two);
  await expect.poll(() => [all.seen.length, others.seen.length]).toEqual([4, 2]);
  expect([french.seen.length, ofLink.seen.length]).toEqual([2, 2]);
  for (const { stop } of [all, french, others, ofLink]) stop();
});

test("a click that arrives while the first ones are still loading is sent once", async () => {
  const scope = await makeTestScope("loading");
  const link = await makeLink(scope);
  const member = await joinTestScope(scope, "lin", "member");
  const owner = await watch(scope);
  const loading = await transaction(async (tx) => {
    // The member waits for the folders, and meanwhile both see the click in the feed.
    await query(sql`LOCK TABLE folder IN ACCESS EXCLUSIVE MODE`, tx);
    const waiting = watch(member);
    await untilWaiting();
    await click(scope, link);
    await expect.poll(() => owner.seen.length).toBe(1);
    return { waiting };
  });
  const { seen, stop } = await loading.waiting;
  expect(ids(seen)).toEqual(ids(owner.seen));
  stop();
  owner.stop();
});

test("a filter by a link of another workspace is refused like a missing one", async () => {
  const own = await watch(ada);
  own.stop();
  const linkId = String(own.seen[0]?.linkId);
  for (const id of [linkId, "link_00000000000000000000000000"]) {
    const filter = clickFilter.parse({ linkId: id });
    await expect(watchClicks(eve, undefined, () => undefined, filter)).rejects.toMatchObject({
      code: "not_found",
    });
  }
});

test("a workspace has as many watching clients as the limit, and one more only after another leaves", async () => {
  const many = await Promise.all(
    Array.from({ length: watchersPerWorkspaceMax }, async () => await watch(ada)),
  );
  const refused = await watchClicks(ada, undefined, () => undefined);
  expect(refused).toEqual({ ok: false, code: "workspace_full" });
  const otherWatcher = await watch(eve);
  otherWatcher.stop();
  many[0]?.stop();
  many[0]?.stop();
  const late = await watch(ada);
  expect(await watchClicks(ada, undefined, () => undefined)).toMatchObject({ ok: false });
  for (const { stop } of [...many, late]) stop();
});
