import { beforeAll, expect, test } from "vitest";
import { parseId } from "#lib/basics/ids";
import { openLinks } from "#lib/links/creating";
import { query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { keysOf, list, make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores();

let scope: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  scope = await makeTestScope("ranks");
});

test("a level is never smaller for more clicks", async () => {
  const rows = await query<{ clicks: number; level: number }>(sql`
    SELECT clicks, click_level(clicks) AS level
    FROM (
      SELECT generate_series(0, 20000) AS clicks
      UNION
      SELECT unnest(ARRAY[around - 1, around, around + 1])
      FROM generate_series(15, 62) AS power
      CROSS JOIN LATERAL (SELECT 1::bigint << power AS around) AS at
    ) AS numbers
    ORDER BY clicks`);
  expect([rows[0]?.level, rows[1]?.level, rows.at(-1)?.level]).toEqual([0, 1, 32]);
  expect(rows.every(({ level }, at) => level >= (rows[at - 1]?.level ?? 0))).toBe(true);
});

// On Citus, another server writes them.
test.skipIf(process.env["TEST_CITUS_URL"])(
  "a click within the day and the level writes no index",
  async () => {
    // Between 256 and 1,024, so that the level stays the same.
    const [link] = await make(scope, [{ url: "https://example.com/busy", key: "busy" }]);
    const [pk] = await pksOf([link?.id ?? ""]);
    await putStat(pk, 500);
    const [before] = await query<{ at: Date }>(
      sql`SELECT last_click_at AS at FROM link_stat WHERE link_pk = ${pk}`,
    );
    const at = before?.at ?? new Date();
    const [writes] = await transaction(async (tx) => {
      for (let click = 0; click < 5; click++) {
        await query(
          sql`
          UPDATE link_stat
          SET clicks = clicks + 1, last_click_at = ${new Date(at.getTime() + click * 60_000)}
          WHERE link_pk = ${pk}`,
          tx,
        );
      }
      return await query<{ all: number; without: number }>(
        sql`
        SELECT n_tup_upd AS all, n_tup_hot_upd AS without
        FROM pg_stat_xact_user_tables
        WHERE relname = 'link_stat'`,
        tx,
      );
    });
    expect(writes).toEqual({ all: 5, without: 5 });
  },
);

test("the most clicked links of a filter are found behind thousands with more clicks", async () => {
  const other = await makeTestScope("behind");
  const [matching, rare] = await make(other, [
    { url: "https://example.com/meant", key: "meant", title: "A seldom term" },
    { url: "https://example.com/rare", key: "rare", title: "A seldom term" },
  ]);
  const pks = await pksOf([matching?.id ?? "", rare?.id ?? ""]);
  await putStat(pks[0], 5);
  await putStat(pks[1], 3);
  await query(sql`
    WITH link AS (
      INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url)
      SELECT 900000000 + n, gen_random_uuid(), ${other.workspacePk}, domain.pk, 'filler-' || n, 'https://example.com'
      FROM generate_series(1, 3000) AS n
      CROSS JOIN domain
      WHERE domain.workspace_pk IS NULL
      RETURNING pk, workspace_pk)
    INSERT INTO link_stat (link_pk, workspace_pk, clicks, last_click_at)
    SELECT pk, workspace_pk, 100, now()
    FROM link`);
  for (const sortBy of ["clicks", "lastClicked", "createdAt"]) {
    const keys = await keysOf(other, { search: "seldom", sortBy });
    expect([sortBy, keys.sort()]).toEqual([sortBy, ["meant", "rare"]]);
  }
  expect(await keysOf(other, { search: "seldom", sortBy: "clicks" })).toEqual(["meant", "rare"]);
  const userId = String(other.userId);
  expect(await keysOf(other, { userId, sortBy: "clicks" })).toEqual(["meant", "rare"]);
  expect((await list(other, { search: "seldom", clicked: "false" })).length).toBe(0);
});

async function pksOf(ids: string[]): Promise<number[]> {
  const uuids = ids.map((id) => parseId("link", id));
  const rows = await query<{ pk: number; id: string }>(
    sql`SELECT pk, id FROM link WHERE id = ANY(${uuids}::uuid[])`,
  );
  return uuids.flatMap((uuid) => rows.find(({ id }) => id === uuid)?.pk ?? []);
}

async function putStat(pk: number | undefined, clicks: number): Promise<void> {
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks, last_click_at)
    SELECT pk, workspace_pk, ${clicks}, '2026-11-20T12:00:00Z'
    FROM link
    WHERE pk = ${pk}`);
}
