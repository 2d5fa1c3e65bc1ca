import { beforeAll, describe, expect, test } from "vitest";
import { newId, parseId } from "#lib/basics/ids";
import { createApiKey } from "#lib/identity/api-keys";
import { openLinks } from "#lib/links/creating";
import { createTag } from "#lib/links/tags";
import { query, sql } from "#lib/platform/postgres";
import { reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import { count, keysOf, make } from "../../../test/links.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { countShown } from "./index.ts";
import { countLinksQuery, exactTotalMax, listLinksQuery } from "./schema.ts";

openTestStores();

let scope: WorkspaceScope;
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

beforeAll(async () => {
  await openLinks();
  scope = await makeTestScope("filters");
  const url = "https://example.com/";
  const variants = [
    { url: "https://example.com/a", percentage: 50 },
    { url: "https://example.com/b", percentage: 50 },
  ];
  await make(scope, [
    { url, key: "plain" },
    { url, key: "ended", startsAt: inDays(-9), expiresAt: inDays(-1) },
    { url, key: "later", expiresAt: inDays(9) },
    { url, key: "soon", startsAt: inDays(9) },
    { url, key: "off", disabled: true },
    { url, key: "stored", archived: true },
    { url, key: "full", maxClicks: 3 },
    { url, key: "room", maxClicks: 4 },
    { url, key: "secret", password: "x1y2z3" },
    { url, key: "tested", testVariants: variants },
    {
      url,
      key: "tested-once",
      testVariants: variants,
      testStartedAt: inDays(-9),
      testCompletedAt: inDays(-1),
    },
    { url, key: "ruled", rules: [{ device: ["mobile"], url: "https://example.com/m" }] },
    { url, key: "by-country", geo: { DE: "https://example.de/" } },
  ]);
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks, last_click_at)
    SELECT pk, workspace_pk, 3, now()
    FROM link
    WHERE workspace_pk = ${scope.workspacePk}
      AND key IN ('full', 'room')`);
});

const found = async (filters: Record<string, unknown>) => (await keysOf(scope, filters)).sort();

describe("links are found by", () => {
  test.each([
    ["scheduled", ["soon"]],
    ["expired", ["ended", "full"]],
    ["disabled", ["off"]],
    ["archived", ["stored"]],
    [
      "active",
      ["by-country", "later", "plain", "room", "ruled", "secret", "tested", "tested-once"],
    ],
  ])("their status %s, in every order", async (status, keys) => {
    for (const sortBy of ["createdAt", "clicks", "lastClicked"]) {
      expect([sortBy, await found({ status, sortBy })]).toEqual([sortBy, keys]);
    }
    expect(await count(scope, { status })).toBe(keys.length);
  });

  test.each([
    ["password", ["secret"]],
    ["test", ["tested"]],
    ["rules", ["by-country", "ruled"]],
  ])("the feature %s, together with other filters", async (feature, keys) => {
    expect(await found({ feature })).toEqual(keys);
    expect(await found({ feature, status: "active" })).toEqual(keys);
    expect(await found({ feature, status: "disabled" })).toEqual([]);
  });

  test("their day of creation in the time zone of the workspace, both days included", async () => {
    const own = await makeTestScope("filter-days");
    const [link] = await make(own, [{ url: "https://example.com/day", key: "dated" }]);
    const at = new Date(link?.createdAt ?? "");
    const dayIn = (zone: string, moment: Date) =>
      new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(moment);
    for (const zone of ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      const inZone = { ...own, zone };
      const day = dayIn(zone, at);
      const dayAfter = dayIn(zone, new Date(at.getTime() + dayMs));
      const dayBefore = dayIn(zone, new Date(at.getTime() - dayMs));
      const keys = (filters: object) => keysOf(inZone, { ...filters });
      expect(await keys({ createdAfter: day, createdBefore: day })).toEqual(["dated"]);
      expect(await keys({ createdAfter: dayAfter })).toEqual([]);
      expect(await keys({ createdBefore: dayBefore })).toEqual([]);
    }
    const ms = at.getTime();
    const moment = (add: number) => new Date(ms + add).toISOString();
    expect(await keysOf(own, { createdAfter: moment(0), createdBefore: moment(1) })).toEqual([
      "dated",
    ]);
    expect(await keysOf(own, { createdAfter: moment(1) })).toEqual([]);
    expect(await keysOf(own, { createdBefore: moment(0) })).toEqual([]);
  });

  test("one of several tags", async () => {
    const own = await makeTestScope("filter-tags");
    const tags = await Promise.all(
      ["one", "two", "three"].map((name) => createTag(own, { name, color: "red" })),
    );
    await make(own, [
      { url: "https://example.com/", key: "a", tagNames: ["one"] },
      { url: "https://example.com/", key: "b", tagNames: ["two"] },
      { url: "https://example.com/", key: "c", tagNames: ["three"] },
    ]);
    const tagIds = [tags[0]?.id, tags[2]?.id].join(",");
    expect((await keysOf(own, { tagIds })).sort()).toEqual(["a", "c"]);
  });

  test("the API key that created them, and a key of another workspace finds none", async () => {
    const own = await makeTestScope("filter-keys");
    const { apiKey } = await createApiKey(own, { name: "Shop" });
    const { id } = apiKey;
    const [row] = await query<{ pk: number }>(sql`SELECT pk FROM api_key WHERE id = ${id}`);
    const byKey = await reopenScope({
      workspacePk: own.workspacePk,
      userPk: own.userPk ?? 0,
      apiKeyPk: row?.pk ?? 0,
    });
    if (!byKey) throw new Error("The key opens no scope");
    await make(byKey, [{ url: "https://example.com/", key: "by-key" }]);
    await make(own, [{ url: "https://example.com/", key: "by-hand" }]);
    expect(await keysOf(own, { apiKeyId: id })).toEqual(["by-key"]);
    expect(await keysOf(scope, { apiKeyId: id })).toEqual([]);
  });

  test("an import, which nobody else in the workspace may look into", async () => {
    const own = await makeTestScope("filter-imports");
    const [made] = await make(own, [
      { url: "https://example.com/", key: "imported" },
      { url: "https://example.com/", key: "other" },
    ]);
    const id = newId("imp");
    const [link] = await query<{ pk: number }>(
      sql`SELECT pk FROM link WHERE id = ${parseId("link", made?.id ?? "")}`,
    );
    await query(sql`
      INSERT INTO import (
        id, workspace_pk, user_pk, name, bytes, encoding, delimiter, records, width, head, mapping, options
      )
      VALUES (
        ${id}, ${own.workspacePk}, ${own.userPk}, 'a.csv', 1, 'utf-8', ',', 1, 1, '[]', '[]', '{}'
      )`);
    await query(sql`
      INSERT INTO import_chunk (import_id, first_row, rows, refused, outcomes, made_pks)
      VALUES (${id}, 0, 1, 0, '', ARRAY[${link?.pk}]::bigint[])`);
    expect(await keysOf(own, { importId: id })).toEqual(["imported"]);
    expect(await keysOf(own, { importId: newId("imp") })).toEqual([]);
    expect(await keysOf(scope, { importId: id })).toEqual([]);
    const member = await joinTestScope(own, "filter-member", "member");
    expect(await keysOf(member, { importId: id })).toEqual([]);
  });
});

test("a total is exact up to its limit, and one more stands for all larger ones", async () => {
  const own = await makeTestScope("totals");
  const add = (links: number, from: number) =>
    query(sql`
      INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url)
      SELECT 910000000 + n, gen_random_uuid(), ${own.workspacePk}, domain.pk, 'total-' || n, 'https://example.com'
      FROM generate_series(${from}::int, ${from + links - 1}::int) AS n
      CROSS JOIN domain
      WHERE domain.workspace_pk IS NULL`);
  const shown = () => countShown(own, countLinksQuery.parse({}));
  await add(exactTotalMax, 1);
  expect(await shown()).toBe(exactTotalMax);
  await add(2, exactTotalMax + 1);
  expect(await shown()).toBe(exactTotalMax + 1);
});

test("an invalid filter is refused with the valid values", () => {
  for (const filters of [
    { status: "gone" },
    { feature: "fast" },
    { createdAfter: "yesterday" },
    { createdBefore: "2026-02-30" },
  ]) {
    expect(listLinksQuery.safeParse(filters).success).toBe(false);
  }
});
