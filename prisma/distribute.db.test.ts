import { beforeAll, expect, test } from "vitest";
import { clickTables } from "#lib/analytics/time-slots";
import { query, sql } from "#lib/platform/postgres";
import { withClient } from "../scripts/databases.ts";
import { withUnmigrated } from "../test/citus.ts";
import { openTestStores } from "../test/stores.ts";
import { distribute } from "./distribute.ts";
import { migrate } from "./migrate.ts";

const databaseUrl = () => process.env["DATABASE_URL"] ?? "";
let isCitus = false;

openTestStores();

beforeAll(async () => {
  const found = await query(sql`SELECT FROM pg_extension WHERE extname = 'citus'`);
  isCitus = found.length > 0;
});

test("without Citus, the command says what to set up; with it, nothing is distributed twice", async () => {
  const distributed = distribute(databaseUrl(), true);
  if (isCitus) expect(await distributed).toEqual([]);
  else await expect(distributed).rejects.toThrow(/CREATE EXTENSION citus.*citus_add_node/);
});

const citusUrl = process.env["TEST_CITUS_URL"];

test.runIf(citusUrl)(
  "a database is distributed with what it has, and takes the migrations of later versions",
  async () => {
    await withUnmigrated(citusUrl ?? "", async (url) => {
      await migrate(url);
      expect(await distribute(url, false)).toEqual([...clickTables]);
      await runOn(
        url,
        "CREATE TABLE analytics.click_20260101 PARTITION OF analytics.click FOR VALUES FROM ('2026-01-01') TO ('2026-01-02')",
      );
      expect(await distribute(url, false)).toEqual([]);
      await runOn(
        url,
        "INSERT INTO link (pk, workspace_pk, external_id) SELECT pk, 1, CASE WHEN pk % 2 = 0 THEN 'own-' || pk END FROM generate_series(1, 1000) AS pk",
      );
      await runOn(url, "INSERT INTO link_stat (link_pk, workspace_pk) SELECT pk, 1 FROM link");
      expect(await distribute(url, true)).toEqual([
        "link_external_id",
        "link",
        "link_tag",
        "link_stat",
        "link_allowance",
      ]);
      expect(await distribute(url, true)).toEqual([]);
      const ofOne = "FROM link JOIN link_stat ON link_stat.link_pk = link.pk WHERE link.pk = 7";
      expect(await runOn(url, `SELECT pk ${ofOne}`)).toEqual([{ pk: 7 }]);
      expect(await runOn(url, "SELECT count(*)::int FROM link")).toEqual([{ count: 1_000 }]);
      expect(
        await runOn(
          url,
          "SELECT count(*)::int FROM link_external_id WHERE workspace_pk = 1 AND external_id = 'own-' || link_pk",
        ),
      ).toEqual([{ count: 500 }]);
      // As the migrations of a later version: they expand, and reach the shards.
      await runOn(url, "ALTER TABLE analytics.click ADD COLUMN later TEXT");
      await runOn(url, "CREATE INDEX later ON analytics.click (workspace_pk, later)");
      await runOn(
        url,
        "INSERT INTO analytics.click (at, link_pk, workspace_pk, domain_pk, bot, qr, first_of_link, first_of_workspace, id, later) VALUES ('2026-01-01 12:00', 1, 1, 1, false, false, true, true, gen_random_uuid(), 'x')",
      );
      expect(await runOn(url, "SELECT later FROM analytics.click WHERE workspace_pk = 1")).toEqual([
        { later: "x" },
      ]);
      expect(
        await runOn(
          url,
          "SELECT relreplident AS identity FROM pg_class WHERE oid = 'analytics.click_20260101'::regclass",
        ),
      ).toEqual([{ identity: "f" }]);
    });
  },
);

async function runOn(url: string, text: string): Promise<object[]> {
  return await withClient(url, async (client) => (await client.query<object>(text)).rows);
}
