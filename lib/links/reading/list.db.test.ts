import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { newId, newUuid, presentId } from "#lib/basics/ids";
import { openLinks } from "#lib/links/creating";
import type { Link } from "#lib/links/fields/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { count, keysOf, list, make, pageThrough } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { findLink, getLink } from "./index.ts";

openTestStores();

const long = Boolean(process.env["TEST_LONG"]);

beforeAll(openLinks);

const folders = new Map<number, string>();

/** The id of a workspace's folder. */
function folderOf(workspacePk: number): string {
  const id = folders.get(workspacePk) ?? newId("fold");
  folders.set(workspacePk, id);
  return id;
}

describe("pages", () => {
  let scope: WorkspaceScope;
  let links: Link[];

  beforeAll(async () => {
    scope = await makeTestScope("pages");
    links = await make(
      scope,
      Array.from({ length: 24 }, (_, at) => ({ url: `https://example.com/${at}` })),
      { source: "api", prefill: false },
    );
  });

  /** Gives the links counters: undefined stands for no row, as for an unvisited link. */
  async function putStats(clicks: (number | undefined)[]): Promise<void> {
    await query(sql`DELETE FROM link_stat`);
    const pks = await query<{ pk: number; id: string }>(
      sql`SELECT pk, id FROM link WHERE workspace_pk = ${scope.workspacePk}`,
    );
    const pkOf = new Map(pks.map(({ pk, id }) => [presentId("link", id), pk]));
    const rows = clicks.flatMap((count, at) => {
      const pk = pkOf.get(links[at]?.id ?? "");
      // Ties in the last click differ from those in clicks.
      const last = count ? new Date(Date.UTC(2026, 0, 1 + ((count * 7 + at) % 4))) : null;
      return count === undefined ? [] : [{ pk, count, last }];
    });
    await query(sql`
      INSERT INTO link_stat (link_pk, workspace_pk, clicks, last_click_at)
      SELECT pk, ${scope.workspacePk}, clicks, last
      FROM unnest(
        ${rows.map(({ pk }) => pk)}::bigint[],
        ${rows.map((row) => row.count)}::bigint[],
        ${rows.map(({ last }) => last)}::timestamptz[]
      ) AS new (pk, clicks, last)`);
  }

  const anySort = fc.constantFrom("createdAt", "clicks", "lastClicked", "saleAmount");
  // Many small numbers, which are often equal, and some above those with a level of their own.
  const someClicks = fc.oneof({ weight: 4, arbitrary: fc.nat(3) }, fc.nat(40));
  const anyClicks = fc.array(fc.option(someClicks, { nil: undefined }), {
    minLength: 24,
    maxLength: 24,
  });

  test("the pages of any order are together the whole list: forwards, backwards and by number", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyClicks,
        anySort,
        fc.constantFrom("asc", "desc"),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom({}, { clicked: "true" }, { clicked: "false" }),
        async (clicks, sortBy, sortOrder, pageSize, filter) => {
          await putStats(clicks);
          const filters = { sortBy, sortOrder, pageSize, ...filter };
          const listed = await list(scope, { sortBy, sortOrder, ...filter });
          const whole = listed.map(({ id }) => id);
          const expected = links.filter(
            (_, at) =>
              filter.clicked === undefined || String((clicks[at] ?? 0) > 0) === filter.clicked,
          );
          expect(new Set(whole)).toEqual(new Set(expected.map(({ id }) => id)));
          expect(await count(scope, filter)).toBe(expected.length);
          if (sortBy === "clicks") {
            const counts = listed.map((link) => link.clicks).sort((a, b) => a - b);
            const upwards = sortOrder === "asc" ? counts : counts.reverse();
            expect(listed.map((link) => link.clicks)).toEqual(upwards);
          }
          const pagesCount = Math.max(1, Math.ceil(whole.length / pageSize));
          const numbers = Array.from({ length: pagesCount }, (_, at) => at + 1);
          const pages = await Promise.all(numbers.map((page) => list(scope, { ...filters, page })));
          const numbered = pages.flat().map(({ id }) => id);
          const forwards = await pageThrough(scope, filters, "startingAfter");
          const backwards = await pageThrough(scope, filters, "endingBefore");
          expect(forwards).toEqual(whole);
          expect(backwards).toEqual(whole.slice(0, -1));
          expect(numbered).toEqual(whole);
        },
      ),
      { numRuns: long ? 200 : 12 },
    );
  });

  test("the order is by clicks, then by creation; links without clicks are the fewest", async () => {
    await putStats([5, 3, 3, undefined, 0, 9, ...Array(18).fill(undefined)]);
    const clicks = (await list(scope, { sortBy: "clicks" })).map((link) => link.clicks);
    expect(clicks.slice(0, 5)).toEqual([9, 5, 3, 3, 0]);
    const up = await list(scope, { sortBy: "clicks", sortOrder: "asc" });
    expect(up.map((link) => link.clicks).slice(-4)).toEqual([3, 3, 5, 9]);
    const rest = (await list(scope, { sortBy: "clicks" })).slice(4).map(({ id }) => id);
    expect(rest).toEqual([...rest].sort().reverse());
  });

  test("links without visits are the last in the order by last click, both ways", async () => {
    await putStats([5, 3, undefined, 0, ...Array(20).fill(undefined)]);
    for (const sortOrder of ["asc", "desc"]) {
      const last = (await list(scope, { sort: "lastClicked", sortOrder })).map(
        ({ lastClicked }) => lastClicked,
      );
      expect(last.slice(0, 2).every((moment) => moment !== null)).toBe(true);
      expect(last.slice(2).every((moment) => moment === null)).toBe(true);
    }
  });

  test("a list continues behind a deleted link, and not behind an invalid cursor", async () => {
    const missing = presentId("link", newUuid());
    expect(await list(scope, { startingAfter: missing })).toHaveLength(24);
    for (const filters of [
      { startingAfter: "nonsense" },
      { endingBefore: "link_1" },
      { sortBy: "clicks", startingAfter: missing },
      { sortBy: "lastClicked", endingBefore: missing },
    ]) {
      await expect(list(scope, filters)).rejects.toMatchObject({ code: "unprocessable_entity" });
    }
  });

  test("a cursor of another workspace is invalid where its link is looked up", async () => {
    const other = await makeTestScope("cursors");
    await expect(
      list(other, { sortBy: "clicks", startingAfter: links[0]?.id }),
    ).rejects.toMatchObject({ code: "unprocessable_entity" });
  });
});

describe("filters", () => {
  let scope: WorkspaceScope;
  let other: WorkspaceScope;

  beforeAll(async () => {
    scope = await makeTestScope("filters");
    other = await makeTestScope("others");
    for (const { workspacePk } of [scope, other]) {
      await query(sql`
        INSERT INTO tag (id, workspace_pk, name, color)
        SELECT name || ${workspacePk}::text, ${workspacePk}, name, 'red'
        FROM unnest(ARRAY['Red', 'Blue']) AS name`);
      await query(sql`
        INSERT INTO folder (id, workspace_pk, name)
        VALUES (${folderOf(workspacePk)}, ${workspacePk}, 'Shelf')`);
    }
    const url = "https://example.com/x";
    await make(scope, [
      { url, key: "plain" },
      { url, key: "red", tagNames: ["Red"], externalId: "order-1" },
      { url, key: "both", tagNames: ["Red", "Blue"], tenantId: "t1" },
      { url: "https://example.com/y", key: "shelf", folderId: folderOf(scope.workspacePk) },
      { url, key: "old", archived: true, tenantId: "t1" },
      { url, key: "looks", externalId: "ext_order-2" },
    ]);
    await make(other, [{ url, key: "foreign", tagNames: ["Red"], tenantId: "t1" }]);
  });

  const sorted = async (filters: Record<string, unknown>) => (await keysOf(scope, filters)).sort();

  test("each filter keeps the matching links, and count counts the same", async () => {
    const tagOf = (name: string) => `${name}${scope.workspacePk}`;
    const cases: [Record<string, unknown>, string[]][] = [
      [{}, ["both", "looks", "plain", "red", "shelf"]],
      [{ showArchived: "true" }, ["both", "looks", "old", "plain", "red", "shelf"]],
      [{ withTags: "true" }, ["both", "red"]],
      [{ tagId: tagOf("Blue") }, ["both"]],
      [{ tagIds: `${tagOf("Blue")},${tagOf("Red")}` }, ["both", "red"]],
      [{ tagIds: [tagOf("Blue"), "tag_unknown"] }, ["both"]],
      [{ tagNames: "bLUE" }, ["both"]],
      [{ tagNames: ["red", "blue"] }, ["both", "red"]],
      [{ folderId: folderOf(scope.workspacePk) }, ["shelf"]],
      [{ folderId: "none" }, ["both", "looks", "plain", "red"]],
      [{ tenantId: "t1" }, ["both"]],
      [{ tenantId: "t1", showArchived: "true" }, ["both", "old"]],
      [{ userId: String(scope.userId) }, ["both", "looks", "plain", "red", "shelf"]],
      [{ url: "https://example.com/y" }, ["shelf"]],
      [{ key: "red" }, ["red"]],
      [{ externalId: "order-1" }, ["red"]],
      [{ externalId: "ext_order-1" }, ["red"]],
      [{ externalId: "ext_order-2" }, ["looks"]],
      [{ key: "red", externalId: "order-1" }, ["red"]],
      [{ key: "red", externalId: "ext_order-2" }, []],
      [{ domain: "localhost", tagNames: "red" }, ["both", "red"]],
      [
        { domain: "", tagId: "", search: "", externalId: "", folderId: "" },
        ["both", "looks", "plain", "red", "shelf"],
      ],
    ];
    for (const [filters, keys] of cases) {
      expect([filters, await sorted(filters)]).toEqual([filters, keys]);
      expect([filters, await count(scope, filters)]).toEqual([filters, keys.length]);
      expect([filters, await sorted({ ...filters, sortBy: "clicks" })]).toEqual([filters, keys]);
    }
  });

  test("objects of another workspace are answered like missing ones", async () => {
    for (const filters of [
      { tagId: `Red${other.workspacePk}` },
      { folderId: folderOf(other.workspacePk) },
      { userId: String(other.userId) },
      { userId: "user_unknown" },
      { domain: "unknown.example" },
      { key: "foreign" },
      { tagNames: "green" },
      { search: "foreign" },
    ]) {
      expect(await list(scope, filters)).toEqual([]);
      expect(await count(scope, filters)).toBe(0);
      expect(await count(scope, { ...filters, groupBy: "domain" })).toEqual([]);
    }
  });

  test("groups are counted by value, the largest first", async () => {
    const shown = { showArchived: "false" };
    expect(await count(scope, { ...shown, groupBy: "domain" })).toEqual([
      { domain: "localhost", _count: 5 },
    ]);
    expect(await count(scope, { groupBy: "tagId" })).toEqual([
      { tagId: `Red${scope.workspacePk}`, _count: 2 },
      { tagId: `Blue${scope.workspacePk}`, _count: 1 },
    ]);
    expect(await count(scope, { groupBy: "folderId" })).toEqual([
      { folderId: null, _count: 4 },
      { folderId: folderOf(scope.workspacePk), _count: 1 },
    ]);
    expect(await count(scope, { groupBy: "userId", tagNames: "red" })).toEqual([
      { userId: scope.userId, _count: 2 },
    ]);
  });

  test("a link is named by its id, by its externalId, or by domain and key", async () => {
    const [red] = await list(scope, { key: "red" });
    if (!red) throw new Error("no link");
    expect((await getLink(scope, red.id)).link).toEqual(red);
    expect((await getLink(scope, "ext_order-1")).link).toEqual(red);
    for (const filters of [
      { linkId: red.id },
      { linkId: "ext_order-1" },
      { externalId: "order-1" },
      { externalId: "ext_order-1" },
      { domain: "localhost", key: "red" },
      { domain: "localhost", key: "/red" },
    ]) {
      expect(await findLink(scope, filters)).toEqual(red);
      await expect(findLink(other, filters)).rejects.toMatchObject({ code: "not_found" });
    }
    const [code] = await make(scope, [{ url: "https://example.com/z" }], {
      source: "api",
      prefill: false,
    });
    const named = { domain: "localhost", key: code?.key };
    expect((await findLink(scope, named)).id).toBe(code?.id);
    await expect(findLink(other, named)).rejects.toMatchObject({ code: "not_found" });
  });

  test("links in a folder that an actor may not see do not exist for them", async () => {
    const member = await joinTestScope(scope, "outsider", "member");
    const [shelved] = await list(scope, { key: "shelf" });
    if (!shelved) throw new Error("no link");
    const filters = { domain: "localhost", key: "shelf" };
    expect(await findLink(scope, filters)).toEqual(shelved);
    for (const attempt of [
      () => getLink(member, shelved.id),
      () => findLink(member, filters),
      () => findLink(member, { linkId: shelved.id }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "not_found" });
    }
    const folderId = folderOf(scope.workspacePk);
    for (const filter of [
      { key: "shelf" },
      { folderId },
      { search: "shelf" },
      { search: shelved.id },
    ]) {
      expect(await list(member, filter)).toEqual([]);
      expect(await count(member, filter)).toBe(0);
    }
    expect(await count(member, {})).toBe(Number(await count(scope, {})) - 1);
    expect(JSON.stringify(await count(member, { groupBy: "folderId" }))).not.toContain(folderId);
    await query(sql`UPDATE folder SET access_level = 'read' WHERE id = ${folderId}`);
    expect((await getLink(member, shelved.id)).link).toEqual(shelved);
    expect(await count(member, {})).toBe(await count(scope, {}));
  });
});
