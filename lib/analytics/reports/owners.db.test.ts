import fc from "fast-check";
import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  applyMoves,
  findDifferences,
  maintainRollups,
  rollDays,
  rollSlots,
  rollupJobs,
} from "#lib/analytics/rollups";
import { newId, presentId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { createLinks, openLinks } from "#lib/links/creating";
import { deleteDomain, domainJobs, transferDomain } from "#lib/links/domains";
import {
  changeGroup,
  deleteLink,
  deleteLinksInBulk,
  deleteLinksWithUndo,
  editLink,
  editLinksInBulk,
  restoreLinks,
} from "#lib/links/editing";
import { createLinkBody, editLinkBody } from "#lib/links/fields/schema";
import { deleteFolder } from "#lib/links/folders";
import { deleteTag } from "#lib/links/tags";
import { AppError } from "#lib/platform/errors";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { createWorkspace } from "#lib/tenancy/workspaces";
import { clearStatistics, putClicks } from "../../../test/clicks.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { type CountedRow, countClicks } from "./counts.ts";
import type { ClickSelection } from "./source.ts";

openTestStores();

const today = Math.floor(Date.now() / dayMs) * dayMs;
const period = { from: today - 75 * dayMs, until: today };
const links = { first: 8_100, count: 9 };
const owners = ["tag", "folder"] as const;
let scope: WorkspaceScope;

const pkOf = (link: number) => links.first + (link % links.count);
const idOf = (link: number) => presentId("link", pkOf(link).toString(16).padStart(32, "0"));
const allIds = () => Array.from({ length: links.count }, (_, link) => idOf(link));
const tagIds = [0, 1, 2].map(() => newId("tag"));
const folderIds = [0, 1, 2].map(() => newId("fold"));
const tagIdOf = (owner: number) => String(tagIds[owner]);
const folderIdOf = (owner: number) => String(folderIds[owner]);

beforeAll(async () => {
  scope = await makeTestScope("owners");
  await openLinks();
  await maintainRollups();
});

beforeEach(async () => {
  await clearStatistics();
  const { workspacePk } = scope;
  await query(
    sql`DELETE FROM link WHERE pk BETWEEN ${links.first} AND ${links.first + links.count}`,
  );
  await query(sql`DELETE FROM deleted_link`);
  await query(sql`DELETE FROM domain WHERE slug = 'owners.example'`);
  await query(sql`DELETE FROM tag WHERE workspace_pk = ${workspacePk}`);
  await query(sql`DELETE FROM folder WHERE workspace_pk = ${workspacePk}`);
  await clearStatistics();
  await putLinks(links.first, links.count);
});

/** Old links, which may have clicks in rolled days. */
async function putLinks(first: number, count: number): Promise<void> {
  await query(sql`
    INSERT INTO domain (id, slug, workspace_pk, verified_at)
    VALUES ('dom_owners', 'owners.example', ${scope.workspacePk}, now())
    ON CONFLICT DO NOTHING`);
  await query(sql`
    INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url, alias, created_at)
    SELECT n, lpad(to_hex(n), 32, '0')::uuid, ${scope.workspacePk}::int, domain.pk, 'o' || n, 'https://a.example/', true, '2025-01-01'
    FROM generate_series(${first}::bigint, ${first + count - 1}::bigint) AS n, domain
    WHERE domain.id = 'dom_owners'
    ON CONFLICT (pk) DO NOTHING`);
}

/** Creates a tag and a folder with a number. */
async function putOwners(number: number): Promise<void> {
  const { workspacePk } = scope;
  await query(sql`
    INSERT INTO tag (id, workspace_pk, name, color)
    VALUES (${tagIdOf(number)}, ${workspacePk}, ${`Own ${number}`}, 'blue')
    ON CONFLICT DO NOTHING`);
  await query(sql`
    INSERT INTO folder (id, workspace_pk, name)
    VALUES (${folderIdOf(number)}, ${workspacePk}, ${`Own ${number}`})
    ON CONFLICT DO NOTHING`);
}

/** A tag or folder that an earlier step deleted. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== "not_found") throw error;
}

/** Actions of people and workers on links, their tags and folders. */
const actions = {
  tag: (link: number, owner: number) =>
    changeGroup(scope, [{ linkIds: [idOf(link)], addTagIds: [tagIdOf(owner)] }]),
  untag: (link: number) =>
    changeGroup(scope, [{ linkIds: [idOf(link)], removeTagIds: [0, 1, 2].map(tagIdOf) }]),
  tagAll: (_link: number, owner: number) =>
    changeGroup(scope, [{ linkIds: allIds(), addTagIds: [tagIdOf(owner)] }]),
  move: (link: number, owner: number) =>
    changeGroup(scope, [{ linkIds: [idOf(link)], folderId: folderIdOf(owner) }]),
  moveOut: (link: number) => changeGroup(scope, [{ linkIds: [idOf(link)], folderId: null }]),
  dropTag: (_link: number, owner: number) => deleteTag(scope, tagIdOf(owner)).catch(ignoreMissing),
  dropFolder: (_link: number, owner: number) =>
    deleteFolder(scope, folderIdOf(owner)).catch(ignoreMissing),
  addOwners: (_link: number, owner: number) => putOwners(owner),
  discard: (link: number) => deleteLinksWithUndo(scope, [idOf(link)]),
  restore: (link: number) => restoreLinks(scope, [idOf(link)]),
  dropLink: (link: number) => deleteLinksInBulk(scope, [idOf(link)], []),
  // Undoing a deletion also cancels its erasure.
  addLinks: async () => {
    await query(sql`DELETE FROM analytics.erasure WHERE workspace_pk = ${scope.workspacePk}`);
    await query(sql`DELETE FROM deleted_link WHERE workspace_pk = ${scope.workspacePk}`);
    await putLinks(links.first, links.count);
  },
  erase: async () => {
    await rollupJobs.find(({ name }) => name === "statistics.erase")?.handle({});
  },
  clickLate: async (link: number, owner: number) => {
    const at = new Date(today - (1 + ((link * 7 + owner * 13) % 70)) * dayMs);
    const late = { first: pkOf(link), count: 1 };
    await putClicks({ workspacePk: scope.workspacePk, count: 3, from: at, until: at, links: late });
  },
  roll: async () => {
    await rollSlots(new Date(today));
    await rollDays(new Date(today));
  },
  carry: () => applyMoves(),
} as const;
const names = Object.keys(actions).filter((name): name is keyof typeof actions => name in actions);

async function answersOf(by: (typeof owners)[number]): Promise<CountedRow[]> {
  const { workspacePk } = scope;
  const selection: ClickSelection = {
    workspacePk,
    ownZone: "UTC",
    key: { by },
    values: [],
    links: [],
  };
  return (await countClicks(selection, period, { bots: true, limit: null })).rows;
}

/** The same from raw clicks. */
function rawAnswersOf(by: (typeof owners)[number]): Promise<CountedRow[]> {
  const owned =
    by === "tag"
      ? "link_tag ON link_tag.link_pk = click.link_pk JOIN tag AS owner ON owner.pk = link_tag.tag_pk"
      : "link ON link.pk = click.link_pk JOIN folder AS owner ON owner.pk = link.folder_pk";
  return query<CountedRow>({
    text: `
      SELECT owner.pk AS key,
        count(*) FILTER (WHERE NOT bot) AS clicks,
        count(*) FILTER (WHERE first_of_workspace) AS visitors,
        count(*) FILTER (WHERE bot) AS bots
      FROM analytics.click
      JOIN ${owned}
      WHERE click.workspace_pk = $1 AND at >= $2 AND at < $3 AND owner.workspace_pk = $1
      GROUP BY owner.pk
      ORDER BY clicks DESC, key`,
    values: [scope.workspacePk, new Date(period.from), new Date(period.until)],
  });
}

async function assertRight(): Promise<void> {
  for (const by of owners) expect(await answersOf(by)).toEqual(await rawAnswersOf(by));
}

async function putYear(): Promise<void> {
  for (const number of [0, 1, 2]) await putOwners(number);
  const { workspacePk } = scope;
  for (let day = period.from; day < today; day += 9 * dayMs) {
    const at = new Date(day);
    await putClicks({ workspacePk, count: 60, from: at, until: at, links });
  }
  while ((await rollSlots(new Date(today))) > 0);
  await rollDays(new Date(today));
}

test("tags and folders have the clicks of their current links, whatever moved and whenever it was rolled up", async () => {
  await putYear();
  const action = fc.tuple(fc.constantFrom(...names), fc.nat(8), fc.nat(2));
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 12 }), async (steps) => {
      for (const number of [0, 1, 2]) await putOwners(number);
      await actions.addLinks();
      for (const [name, link, owner] of steps) await actions[name](link, owner);
      await assertRight();
    }),
    { numRuns: process.env["TEST_LONG"] ? 300 : 8, endOnFailure: true },
  );
  expect(await findDifferences()).toEqual([]);
});

test("links that move while workers roll up and carry over are counted once", async () => {
  await putYear();
  const people = [0, 1, 2].map(async (person) => {
    for (let round = 0; round < 25; round++) {
      await actions.tag(person * 3 + round, round % 3);
      await actions.move(person * 3 + round, (round + 1) % 3);
      if (round % 4 === 0) await actions.untag(person * 3 + round);
    }
  });
  const late = async () => {
    for (let round = 0; round < 4; round++) await actions.clickLate(round, round);
  };
  const worker = async () => {
    for (let round = 0; round < 12; round++) {
      await applyMoves();
      await actions.roll();
    }
  };
  await Promise.all([...people, late(), worker(), worker()]);
  await assertRight();
  while ((await applyMoves()) > 0);
  await assertRight();
  const [left] = await query<{ n: number }>(sql`
    SELECT count(*)::int AS n FROM analytics.moved_link WHERE workspace_pk = ${scope.workspacePk}`);
  expect(left?.n).toBe(0);
  expect(await findDifferences()).toEqual([]);
});

test("what a deleted link had counted for its tag is removed, also of days without raw clicks", async () => {
  await putYear();
  await actions.tagAll(0, 1);
  await applyMoves();
  for (const link of [0, 1, 3, 4, 5, 6, 7, 8]) await actions.untag(link);
  await applyMoves();
  expect(await answersOf("tag")).toHaveLength(1);
  await query(sql`TRUNCATE analytics.click`);
  // Only links with a counter have something to erase.
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks)
    VALUES (${pkOf(2)}, ${scope.workspacePk}, 1)`);
  await actions.dropLink(2);
  await actions.erase();
  await applyMoves();
  expect(await answersOf("tag")).toEqual([]);
});

test("nothing is carried over while a rollup of the workspace runs", async () => {
  await putOwners(0);
  await actions.tag(0, 0);
  await transaction(async (tx) => {
    const name = `rollups of ${scope.workspacePk}`;
    await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`, tx);
    expect(await applyMoves()).toBe(0);
  });
  expect(await applyMoves()).toBe(1);
});

test("a year of tags is read from their sums, not from links", async () => {
  await putYear();
  await actions.tagAll(0, 1);
  await applyMoves();
  await query(sql`TRUNCATE analytics.link_day, analytics.link_month`);
  const [row] = await answersOf("tag");
  expect(row).toEqual((await rawAnswersOf("tag"))[0]);
});

async function countNotes(): Promise<number> {
  const [row] = await query<{ n: number }>(sql`
    SELECT count(*)::int AS n FROM analytics.moved_link WHERE workspace_pk = ${scope.workspacePk}`);
  return row?.n ?? 0;
}

test("a new link leaves no ownership change, however many tags it has", async () => {
  await putOwners(0);
  const body = { url: "https://a.example/", tagIds: [tagIdOf(0)], folderId: folderIdOf(0) };
  const [outcome] = await createLinks(scope, [createLinkBody.parse(body)]);
  expect(outcome?.ok).toBe(true);
  expect(await countNotes()).toBe(0);
});

const tagged = { tagIds: [tagIdOf(0)], folderId: folderIdOf(0) };
const untagged = { tagIds: [], folderId: null };

/** Every way in which links lose their tags and folder, and how many rows of moved_link a link leaves. */
const ways: [name: string, notes: number, lose: () => Promise<unknown>][] = [
  ["an edit", 2, () => editLink(scope, idOf(0), editLinkBody.parse(untagged))],
  ["an edit of many", 2, () => editLinksInBulk(scope, [idOf(0)], [], untagged)],
  ["a deletion", 2, () => deleteLink(scope, idOf(0))],
  ["a deletion of many", 2, () => deleteLinksInBulk(scope, [idOf(0)], [])],
  ["a deletion that can be taken back", 2, () => deleteLinksWithUndo(scope, [idOf(0)])],
  ["the end of its tag", 1, () => deleteTag(scope, tagIdOf(0))],
  ["the end of its folder", 0, () => deleteFolder(scope, folderIdOf(0))],
  ["the end of its domain", 2, deleteDomainOfLinks],
  ["another workspace", 2, moveDomainOfLinks],
];

async function deleteDomainOfLinks(): Promise<void> {
  await deleteDomain(scope, "owners.example", "delete");
  await query(sql`UPDATE domain_clearing SET due_at = now() - interval '1 minute'`);
  await domainJobs.find(({ name }) => name === "domains.clear")?.handle({});
}

async function moveDomainOfLinks(): Promise<void> {
  const outcome = await createWorkspace(String(scope.userId), {
    name: "Next",
    slug: "owners-next",
  });
  if (!outcome.ok) throw new Error(outcome.code);
  await transferDomain(scope, "owners.example", outcome.workspace.id);
}

test.each(ways)(
  "%s removes the clicks of a link from its tag and folder",
  async (_name, notes, lose) => {
    await putYear();
    await editLink(scope, idOf(0), editLinkBody.parse(tagged));
    await applyMoves();
    expect(await countNotes()).toBe(0);
    await lose();
    expect(await countNotes()).toBe(notes);
    await assertRight();
    await applyMoves();
    await assertRight();
  },
);

test("a link that returns to a tag and a folder brings its clicks", async () => {
  await putYear();
  await editLink(scope, idOf(0), editLinkBody.parse(tagged));
  await deleteLinksWithUndo(scope, [idOf(0)]);
  await applyMoves();
  await restoreLinks(scope, [idOf(0)]);
  expect(await countNotes()).toBe(2);
  await assertRight();
  expect((await answersOf("tag")).length).toBe(1);
});
