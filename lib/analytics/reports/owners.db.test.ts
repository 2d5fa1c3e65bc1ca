import fc from "fast-check";
import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  carryMoves,
  findDifferences,
  keepRollups,
  rollDays,
  rollSlots,
  rollupJobs,
} from "#lib/analytics/rollups";
import { dayMs } from "#lib/analytics/time-slots";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { clearStatistics, putClicks } from "../../../test/clicks.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { type Counted, countClicks } from "./counts.ts";
import type { Question } from "./source.ts";

openTestStores();

const today = Math.floor(Date.now() / dayMs) * dayMs;
const period = { from: today - 75 * dayMs, until: today };
const links = { first: 8_100, count: 9 };
const owners = ["tag", "folder"] as const;
let scope: WorkspaceScope;

beforeAll(async () => {
  scope = await makeTestScope("owners");
  await keepRollups();
});

beforeEach(async () => {
  await clearStatistics();
  const { workspacePk } = scope;
  await query(sql`DELETE FROM link WHERE workspace_pk = ${workspacePk}`);
  await query(sql`DELETE FROM tag WHERE workspace_pk = ${workspacePk}`);
  await query(sql`DELETE FROM folder WHERE workspace_pk = ${workspacePk}`);
  await clearStatistics();
  await putLinks(links.first, links.count);
});

/** Links of long ago, which may have clicks in days that are rolled. */
async function putLinks(first: number, count: number): Promise<void> {
  await query(sql`
    INSERT INTO domain (id, slug, workspace_pk)
    VALUES ('dom_owners', 'owners.example', ${scope.workspacePk})
    ON CONFLICT DO NOTHING`);
  await query(sql`
    INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url, created_at)
    SELECT n, gen_random_uuid(), ${scope.workspacePk}::int, domain.pk, 'o' || n, 'https://a.example/', '2025-01-01'
    FROM generate_series(${first}::bigint, ${first + count - 1}::bigint) AS n, domain
    WHERE domain.id = 'dom_owners'
    ON CONFLICT (pk) DO NOTHING`);
}

/** A tag and a folder of a number are there. */
async function putOwners(number: number): Promise<void> {
  const { workspacePk } = scope;
  await query(sql`
    INSERT INTO tag (id, workspace_pk, name, color)
    VALUES (${`tag_own${number}`}, ${workspacePk}, ${`Own ${number}`}, 'blue')
    ON CONFLICT DO NOTHING`);
  await query(sql`
    INSERT INTO folder (id, workspace_pk, name)
    VALUES (${`fold_own${number}`}, ${workspacePk}, ${`Own ${number}`})
    ON CONFLICT DO NOTHING`);
}

const pkOf = (link: number) => links.first + (link % links.count);

/** What somebody, or a worker, does to links, their tags and folders. */
const deeds = {
  tag: (link: number, owner: number) =>
    query(sql`
      INSERT INTO link_tag (link_pk, tag_pk)
      SELECT link.pk, tag.pk
      FROM link, tag
      WHERE link.pk = ${pkOf(link)} AND tag.id = ${`tag_own${owner}`}
      ON CONFLICT DO NOTHING`),
  untag: (link: number) => query(sql`DELETE FROM link_tag WHERE link_pk = ${pkOf(link)}`),
  tagAll: (_link: number, owner: number) =>
    query(sql`
      INSERT INTO link_tag (link_pk, tag_pk)
      SELECT link.pk, tag.pk
      FROM link, tag
      WHERE link.workspace_pk = ${scope.workspacePk} AND tag.id = ${`tag_own${owner}`}
      ON CONFLICT DO NOTHING`),
  move: (link: number, owner: number) =>
    query(sql`
      UPDATE link
      SET folder_pk = (SELECT pk FROM folder WHERE id = ${`fold_own${owner}`})
      WHERE pk = ${pkOf(link)}`),
  moveOut: (link: number) => query(sql`UPDATE link SET folder_pk = NULL WHERE pk = ${pkOf(link)}`),
  dropTag: (_link: number, owner: number) =>
    query(sql`DELETE FROM tag WHERE id = ${`tag_own${owner}`}`),
  dropFolder: (_link: number, owner: number) =>
    query(sql`DELETE FROM folder WHERE id = ${`fold_own${owner}`}`),
  addOwners: (_link: number, owner: number) => putOwners(owner),
  dropLink: (link: number) => query(sql`DELETE FROM link WHERE pk = ${pkOf(link)}`),
  // Who takes back a deletion takes back its erasure.
  addLinks: async () => {
    await query(sql`DELETE FROM analytics.erasure WHERE workspace_pk = ${scope.workspacePk}`);
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
  carry: () => carryMoves(),
} as const;
const names = Object.keys(deeds).filter((name): name is keyof typeof deeds => name in deeds);

async function answersOf(by: (typeof owners)[number]): Promise<Counted[]> {
  const { workspacePk } = scope;
  const question: Question = { workspacePk, ownZone: "UTC", key: { by }, values: [], links: [] };
  return (await countClicks(question, period, { bots: true, limit: null })).rows;
}

/** The same of raw clicks. */
function rawAnswersOf(by: (typeof owners)[number]): Promise<Counted[]> {
  const owned =
    by === "tag"
      ? "link_tag ON link_tag.link_pk = click.link_pk JOIN tag AS owner ON owner.pk = link_tag.tag_pk"
      : "link ON link.pk = click.link_pk JOIN folder AS owner ON owner.pk = link.folder_pk";
  return query<Counted>({
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

test("tags and folders have the clicks of the links that they have now, whatever moved and whenever it was rolled", async () => {
  await putYear();
  const deed = fc.tuple(fc.constantFrom(...names), fc.nat(8), fc.nat(2));
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 12 }), async (steps) => {
      for (const number of [0, 1, 2]) await putOwners(number);
      await deeds.addLinks();
      for (const [name, link, owner] of steps) await deeds[name](link, owner);
      await assertRight();
    }),
    { numRuns: process.env["TEST_LONG"] ? 300 : 20, endOnFailure: true },
  );
  expect(await findDifferences()).toEqual([]);
});

test("links that move while workers roll and carry over are counted once", async () => {
  await putYear();
  const people = [0, 1, 2].map(async (person) => {
    for (let round = 0; round < 25; round++) {
      await deeds.tag(person * 3 + round, round % 3);
      await deeds.move(person * 3 + round, (round + 1) % 3);
      if (round % 4 === 0) await deeds.untag(person * 3 + round);
    }
  });
  const late = async () => {
    for (let round = 0; round < 4; round++) await deeds.clickLate(round, round);
  };
  const worker = async () => {
    for (let round = 0; round < 12; round++) {
      await carryMoves();
      await deeds.roll();
    }
  };
  await Promise.all([...people, late(), worker(), worker()]);
  await assertRight();
  while ((await carryMoves()) > 0);
  await assertRight();
  const [left] = await query<{ n: number }>(sql`
    SELECT count(*)::int AS n FROM analytics.moved_link WHERE workspace_pk = ${scope.workspacePk}`);
  expect(left?.n).toBe(0);
  expect(await findDifferences()).toEqual([]);
});

test("what a deleted link had counted for its tag goes, also of days whose raw clicks are gone", async () => {
  await putYear();
  await deeds.tagAll(0, 1);
  await carryMoves();
  await query(sql`DELETE FROM link_tag WHERE link_pk <> ${pkOf(2)}`);
  await carryMoves();
  expect(await answersOf("tag")).toHaveLength(1);
  await query(sql`TRUNCATE analytics.click`);
  // Only links with a counter have anything to erase.
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks)
    VALUES (${pkOf(2)}, ${scope.workspacePk}, 1)`);
  await deeds.dropLink(2);
  await deeds.erase();
  await carryMoves();
  expect(await answersOf("tag")).toEqual([]);
});

test("nothing is carried over while somebody rolls the workspace", async () => {
  await putOwners(0);
  await deeds.tag(0, 0);
  await transaction(async (tx) => {
    const name = `rollups of ${scope.workspacePk}`;
    await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`, tx);
    expect(await carryMoves()).toBe(0);
  });
  expect(await carryMoves()).toBe(1);
});

test("a year of tags is read from their sums, not from links", async () => {
  await putYear();
  await deeds.tagAll(0, 1);
  await carryMoves();
  await query(sql`TRUNCATE analytics.link_day, analytics.link_month`);
  const [row] = await answersOf("tag");
  expect(row).toEqual((await rawAnswersOf("tag"))[0]);
});

test("a link that is seconds old is not noted as moved, an older one is", async () => {
  await putOwners(0);
  const { workspacePk } = scope;
  const count = async () =>
    (
      await query<{ n: number }>(sql`
        SELECT count(*)::int AS n FROM analytics.moved_link WHERE workspace_pk = ${workspacePk}`)
    )[0]?.n;
  await query(sql`UPDATE link SET created_at = now() WHERE pk = ${links.first}`);
  await deeds.tag(0, 0);
  expect(await count()).toBe(0);
  await query(
    sql`UPDATE link SET created_at = now() - interval '6 seconds' WHERE pk = ${links.first + 1}`,
  );
  await deeds.tag(1, 0);
  expect(await count()).toBe(1);
});
