import { beforeAll, expect, test } from "vitest";
import { newId, newUuid } from "#lib/basics/ids";
import { createLinks, openLinks } from "#lib/links/creating";
import { deleteLink } from "#lib/links/editing";
import { createCampaign } from "#lib/outreach/campaigns";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { campaignBody } from "../../../test/campaigns.ts";
import { runIndexing, settleIndexing } from "../../../test/indexing.ts";
import { keysOf, list, make } from "../../../test/links.ts";
import { keyTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { readBacklog, readSearchBounds } from "./index.ts";

openTestStores();

beforeAll(async () => {
  await openLinks();
  // The first run of an installation only makes a mark, which waits for the open transactions of other tests.
  await settleIndexing();
});

const api = { source: "api", prefill: false } as const;
const first = "00000000-0000-0000-0000-000000000000";

interface Space {
  person: WorkspaceScope;
  key: WorkspaceScope;
}

async function makeSpace(name: string): Promise<Space> {
  const person = await makeTestScope(name);
  return { person, key: await keyTestScope(person) };
}

const bodiesOf = (count: number, path = "part") =>
  Array.from({ length: count }, (_, at) => ({
    url: `https://example.com/${path}/${at}`,
    key: `${path}${at}`,
  }));

async function progressOf({ workspacePk }: WorkspaceScope) {
  const [row] = await query<{ floor_id: string; settled_id: string; links: number }>(sql`
    SELECT floor_id, settled_id, links FROM search_progress WHERE workspace_pk = ${workspacePk}`);
  if (!row) throw new Error("The workspace has no progress");
  return row;
}

async function countTexts({ workspacePk }: WorkspaceScope): Promise<number> {
  return (await query(sql`SELECT FROM link_search WHERE workspace_pk = ${workspacePk}`)).length;
}

test("a link of a key is found by parts of slug, destination, title and comments after a run", async () => {
  const { person, key } = await makeSpace("parts");
  const body = {
    url: "https://shop.example.com/summer?order=4711",
    title: "春节活动",
    comments: "Walrus",
  };
  await make(key, [{ ...body, key: "sommeraktion" }], api);
  expect(await keysOf(person, { search: "order=47" })).toEqual([]);
  await runIndexing();
  for (const search of ["order=47", "merakt", "春节", "walr", "4"]) {
    expect(await keysOf(person, { search })).toEqual(["sommeraktion"]);
  }
});

test("links of recipients are found by exact values only, and the list can say so", async () => {
  const { person, key } = await makeSpace("recipients");
  const bodies = [{ url: "https://example.com/hello-you", key: "you", externalId: newId("rcp") }];
  await make(key, bodies, { source: "campaign", prefill: false });
  await make(
    person,
    [{ url: "https://example.com/hello-me", key: "me", externalId: newId("rcp") }],
    {
      source: "campaign",
      prefill: false,
    },
  );
  await settleIndexing();
  expect(await keysOf(person, { search: "hello-" })).toEqual([]);
  expect(await keysOf(person, { search: "you" })).toEqual(["you"]);
  expect(await readSearchBounds(person)).toEqual({ apiLinks: null, recipients: false });
  await createCampaign(person, campaignBody());
  expect(await readSearchBounds(person)).toEqual({ apiLinks: null, recipients: true });
});

test("a link of a transaction that stays open while newer links are indexed is found afterwards", async () => {
  const { person, key } = await makeSpace("late");
  await make(key, [{ url: "https://example.com/before", key: "before" }], api);
  await settleIndexing();
  let commit: () => void = () => undefined;
  const committing = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const pk = 2_000_000_001;
  let isWritten = false;
  const late = transaction(async (tx) => {
    await tx.query(sql`SELECT pg_current_xact_id()`);
    await tx.query(sql`
      INSERT INTO link (pk, id, workspace_pk, domain_pk, user_pk, api_key_pk, key, url)
      SELECT ${pk}, ${newUuid()}, workspace_pk, domain_pk, user_pk, api_key_pk, 'late', 'https://example.com/late'
      FROM link
      WHERE workspace_pk = ${person.workspacePk}
        AND key = 'before'`);
    isWritten = true;
    await committing;
  });
  await expect.poll(() => isWritten).toBe(true);
  await make(key, [{ url: "https://example.com/after", key: "after" }], api);
  for (let round = 0; round < 5; round++) await runIndexing({ overlapMs: 0 });
  expect(await keysOf(person, { search: "example" })).toEqual(["after", "before"]);
  commit();
  await late;
  await settleIndexing({ overlapMs: 0 });
  expect(await keysOf(person, { search: "example" })).toEqual(["after", "late", "before"]);
  expect((await progressOf(person)).links).toBe(3);
});

test("a dump that is restored on another server, whose transactions have smaller ids, gets a new mark", async () => {
  await query(sql`UPDATE search_horizon SET marked_xid = 9000000000000000`);
  await settleIndexing();
});

test("the newest links up to the maximum have texts: one more drops the oldest, a deletion brings it back", async () => {
  const { person, key } = await makeSpace("maximum");
  await make(person, [{ url: "https://example.com/part/own", key: "own" }]);
  const links = await make(key, bodiesOf(3), api);
  const most = { linksMax: 3 };
  await settleIndexing(most);
  expect(await keysOf(person, { search: "part/" })).toEqual(["part2", "part1", "part0", "own"]);
  await make(key, [{ url: "https://example.com/part/3", key: "part3" }], api);
  await settleIndexing(most);
  expect(await keysOf(person, { search: "part/" })).toEqual(["part3", "part2", "part1", "own"]);
  expect(await keysOf(person, { search: "part0" })).toEqual(["part0"]);
  expect(await progressOf(person)).toMatchObject({ links: 3 });
  await deleteLink(person, links[1]?.id ?? "");
  expect(await progressOf(person)).toMatchObject({ links: 2 });
  await settleIndexing(most);
  expect(await keysOf(person, { search: "part/" })).toEqual(["part3", "part2", "part0", "own"]);
});

test("the list says that older links are found by exact values once the maximum is reached", async () => {
  const { person } = await makeSpace("bounds");
  await runIndexing();
  const older = newUuid();
  const setLinks = (links: number, floorId: string) =>
    query(sql`
    UPDATE search_progress
    SET links = ${links}, floor_id = ${floorId}
    WHERE workspace_pk = ${person.workspacePk}`);
  await setLinks(1_000_000, older);
  expect(await readSearchBounds(person)).toEqual({ apiLinks: 1_000_000, recipients: false });
  await setLinks(999_999, older);
  expect(await readSearchBounds(person)).toEqual({ apiLinks: null, recipients: false });
  await setLinks(1_000_000, first);
  expect(await readSearchBounds(person)).toEqual({ apiLinks: null, recipients: false });
});

test("links from before an upgrade get texts from the newest to the oldest, slice by slice", async () => {
  const { person, key } = await makeSpace("upgrade");
  await make(key, bodiesOf(3, "old"), api);
  await make(person, bodiesOf(4, "own"));
  await make(key, bodiesOf(4, "recent"), api);
  const all = (await list(person, {})).map(({ key: slug }) => slug);
  // Behind the horizon, but never read.
  await settleIndexing();
  await query(sql`DELETE FROM search_progress WHERE workspace_pk = ${person.workspacePk}`);
  await query(
    sql`DELETE FROM link_search WHERE workspace_pk = ${person.workspacePk} AND text NOT LIKE 'own%'`,
  );
  expect(await keysOf(person, { search: "example" })).toHaveLength(4);
  await runIndexing({ sliceLinks: 2, linksMax: 5 });
  expect(await keysOf(person, { search: "example" })).toEqual(all.slice(0, 9));
  await runIndexing({ sliceLinks: 2 });
  expect(await keysOf(person, { search: "example" })).toEqual(all);
  expect(await progressOf(person)).toMatchObject({ floor_id: first, links: 7 });
});

test("a slice that ends after its texts and before its progress leaves neither", async () => {
  const { person, key } = await makeSpace("killed");
  await make(key, bodiesOf(5, "killed"), api);
  await runIndexing({ linksMax: 1 });
  await query(sql`
    UPDATE search_progress SET seen_id = ${first}, settled_id = ${first}, floor_id = ${first}, links = 0
    WHERE workspace_pk = ${person.workspacePk}`);
  await query(sql`DELETE FROM link_search WHERE workspace_pk = ${person.workspacePk}`);
  await query({
    text: `
      CREATE FUNCTION killed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$;
      CREATE TRIGGER killed BEFORE UPDATE ON search_progress FOR EACH ROW EXECUTE FUNCTION killed()`,
    values: [],
  });
  expect(await runIndexing({ sliceLinks: 2 })).toBe(0);
  expect(await countTexts(person)).toBe(0);
  await query(sql`DROP TRIGGER killed ON search_progress`);
  await settleIndexing({ sliceLinks: 2 });
  expect(await countTexts(person)).toBe(5);
  expect(await progressOf(person)).toMatchObject({ links: 5 });
});

test("several workers and concurrent creates: each link has one text and is counted once", async () => {
  const { person, key } = await makeSpace("workers");
  let isCreating = true;
  const creating = (async () => {
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        createLinks(key, [{ url: `https://example.com/key/${round}` }], api),
        createLinks(person, [{ url: `https://example.com/person/${round}` }], {
          source: "dashboard",
          prefill: false,
        }),
      ]);
    }
    isCreating = false;
  })();
  const working = Array.from({ length: 3 }, async () => {
    while (isCreating) await runIndexing({ sliceLinks: 3, overlapMs: 50 });
  });
  await Promise.all([creating, ...working]);
  await settleIndexing({ sliceLinks: 3 });
  expect(await countTexts(person)).toBe(40);
  expect(await progressOf(person)).toMatchObject({ links: 20 });
  const whole = (await list(person, {})).map(({ id }) => id);
  expect((await list(person, { search: "example" })).map(({ id }) => id)).toEqual(whole);
});

test("the backlog counts new links that have not been read, and how long the first has waited", async () => {
  const { key } = await makeSpace("backlog");
  await settleIndexing();
  expect(await readBacklog()).toMatchObject({ links: 0, seconds: 0 });
  await make(key, bodiesOf(3, "backlog"), api);
  expect(await readBacklog(Date.now() + 90_000)).toMatchObject({
    links: 3,
    seconds: expect.closeTo(90, -1),
  });
  await runIndexing();
  expect(await readBacklog()).toMatchObject({ links: 0, seconds: 0, workspaces: 0 });
});
