/** add_in_zone and starts_in_zone, against what PostgreSQL has from version 16 on. */
import { beforeEach, describe, expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import { openTestStores } from "../test/stores.ts";

openTestStores();

const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"];
const steps = [
  "1 hour",
  "30 hours",
  "-2 hours",
  "1 day",
  "-7 days",
  "1 month",
  "-1 year",
  "1 day 3 hours",
];

describe("as PostgreSQL does it", () => {
  beforeEach(async ({ skip }) => {
    const [server] = await query<{ version: number }>(
      sql`SELECT current_setting('server_version_num')::int AS version`,
    );
    skip((server?.version ?? 0) < 160_000, "before version 16 there is nothing to compare with");
  });

  test("a step in a zone is that of PostgreSQL, also where clocks change", async () => {
    const [compared] = await query<{ all: number; different: string[] }>(sql`
      SELECT count(*)::int AS all,
        coalesce(
          array_agg(concat_ws(' ', at, step, zone)) FILTER (
            WHERE add_in_zone(at, step, zone) <> date_add(at, step, zone)
          ),
          '{}'
        ) AS different
      FROM generate_series('2026-01-01 00:30Z'::timestamptz, '2027-01-01Z', interval '7 hours') AS at
      CROSS JOIN unnest(${zones}::text[]) AS zone
      CROSS JOIN unnest(${steps}::interval[]) AS step`);
    expect(compared).toEqual({ all: 1_252 * zones.length * steps.length, different: [] });
  });

  test.each(["hour", "day", "week", "month", "year"])(
    "each %s starts as in PostgreSQL",
    async (unit) => {
      for (const zone of zones) {
        const [compared] = await query<{ ours: Date[]; theirs: Date[] }>(sql`
        WITH bound AS (
          SELECT '2026-03-05 11:20Z'::timestamptz AS first, '2026-11-20 23:59:59.999Z'::timestamptz AS last
        )
        SELECT
          ARRAY(SELECT starts_in_zone(${unit}, first, last, ${zone})) AS ours,
          ARRAY(
            SELECT generate_series(
              date_trunc(${unit}, first, ${zone}), last, ${`1 ${unit}`}::interval, ${zone}
            )
          ) AS theirs
        FROM bound`);
        expect(compared?.ours.length, zone).toBeGreaterThan(0);
        expect(compared?.ours, zone).toEqual(compared?.theirs);
      }
    },
  );
});

test("where clocks change at midnight, the days after it start at midnight again", async () => {
  const zone = "Africa/Cairo";
  const rows = await query<{ day: string; hour: string }>(sql`
    SELECT
      to_char(start AT TIME ZONE ${zone}, 'YYYY-MM-DD') AS day,
      to_char(start AT TIME ZONE ${zone}, 'HH24:MI') AS hour
    FROM starts_in_zone('day', '2026-04-23T12:00Z', '2026-04-26T12:00Z', ${zone}) AS start`);
  expect(rows).toEqual([
    { day: "2026-04-23", hour: "00:00" },
    { day: "2026-04-24", hour: "01:00" },
    { day: "2026-04-25", hour: "00:00" },
    { day: "2026-04-26", hour: "00:00" },
  ]);
});
