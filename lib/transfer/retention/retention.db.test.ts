import { beforeAll, expect, test } from "vitest";
import { missedDaysMax } from "#lib/analytics/missed-links/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { sweep } from "./index.ts";
import { keptTables, sweptRows } from "./periods.ts";

openTestStores();

let scope: WorkspaceScope;
const dayMs = 86_400_000;

beforeAll(async () => {
  scope = await makeTestScope("retention");
});

test("every table with a date has a period, or is declared as kept", async () => {
  const rows = await query<{ name: string }>(sql`
    SELECT DISTINCT
      CASE WHEN space.nspname = 'public' THEN '' ELSE space.nspname || '.' END
        || class.relname AS name
    FROM pg_class AS class
    JOIN pg_namespace AS space ON space.oid = class.relnamespace
    JOIN pg_attribute AS part ON part.attrelid = class.oid
    JOIN pg_type AS type ON type.oid = part.atttypid
    WHERE space.nspname IN ('public', 'analytics')
      AND class.relkind IN ('r', 'p')
      AND NOT class.relispartition
      AND NOT part.attisdropped
      AND type.typname IN ('timestamptz', 'timestamp', 'date')
      AND class.relname <> '_prisma_migrations'
    ORDER BY name`);
  const declared = [
    ...sweptRows.map(({ table }) => table),
    "analytics.dead_click",
    ...Object.keys(keptTables),
  ];
  expect(rows.map(({ name }) => name).sort()).toEqual(declared.sort());
  expect(new Set(declared).size).toBe(declared.length);
});

/** Inserts one row per age, in days. */
const inserts: Readonly<Record<string, (at: Date, nth: number) => Promise<unknown>>> = {
  session: (at, nth) =>
    query(sql`
      INSERT INTO session (id, user_pk, created_at)
      VALUES (${`session${nth}`}, ${scope.userPk}, ${at})`),
  notice: (at) =>
    query(sql`
      INSERT INTO notice (workspace_pk, user_pk, kind, created_at)
      VALUES (${scope.workspacePk}, ${scope.userPk}, 'import.done', ${at})`),
  destination_check: (at, nth) =>
    query(sql`
      INSERT INTO destination_check (workspace_pk, url_hash, url, host, link_pk, visited_at)
      VALUES (${scope.workspacePk}, ${Buffer.from([nth])}, 'https://example.com/', 'example.com', 1, ${at})`),
  link_reuse: (at, nth) =>
    query(sql`
      INSERT INTO link_reuse (workspace_pk, domain_pk, digest, link_pk, used_at)
      VALUES (${scope.workspacePk}, ${nth}, gen_random_uuid(), 1, ${at})`),
  phone_code: (at) =>
    query(sql`
      WITH asked AS (
        INSERT INTO form (id, workspace_pk, revision, name, version, content, personal)
        VALUES (gen_random_uuid(), ${scope.workspacePk}, 0, gen_random_uuid(), 1, '{}', true)
        RETURNING pk
      )
      INSERT INTO phone_code (
        id, workspace_pk, form_pk, form_version, link_pk, phone_hash, key_version, sealed, language, due_at, asked_at,
        expires_at
      )
      SELECT gen_random_uuid(), ${scope.workspacePk}, pk, 1, 1, '', 1, '', 'en', ${at}, ${at}, ${at}
      FROM asked`),
  phone_code_hour: (at) =>
    query(sql`
      INSERT INTO phone_code_hour (workspace_pk, country, hour, asked)
      VALUES (${scope.workspacePk}, 'CN', ${at}, 1)`),
  wechat_code: (at) =>
    query(sql`
      WITH asked AS (
        INSERT INTO form (id, workspace_pk, revision, name, version, content, personal)
        VALUES (gen_random_uuid(), ${scope.workspacePk}, 0, gen_random_uuid(), 1, '{}', true)
        RETURNING pk
      ), account AS (
        INSERT INTO wechat_account (id, workspace_pk, kind, name, app_id, sealed)
        VALUES (gen_random_uuid(), ${scope.workspacePk}, 'officialAccount', 'A', gen_random_uuid(), '')
        RETURNING pk
      )
      INSERT INTO wechat_code (
        id, workspace_pk, account_pk, form_pk, form_version, link_pk, is_new, profile, stage, key_version, sealed,
        due_at, valid_until, expires_at
      )
      SELECT gen_random_uuid(), ${scope.workspacePk}, account.pk, asked.pk, 1, 1, false, true, 'done', 1, '', ${at},
        ${at}, ${at}
      FROM asked, account`),
  proof: (at, nth) =>
    query(sql`
      INSERT INTO proof (hash, purpose, user_pk, email, expires_at)
      VALUES (${Buffer.from(`proof${nth}`)}, 'reset', ${scope.userPk}, 'a@example.com', ${at})`),
};

test.each(Object.keys(inserts))(
  "%s rows are deleted after their period, and not a minute before",
  async (table) => {
    const rule = sweptRows.find((one) => one.table === table);
    if (!rule) throw new Error(`no rule for ${table}`);
    const now = new Date();
    const border = now.getTime() - rule.days * dayMs;
    await inserts[table]?.(new Date(border + 60_000), 1);
    await inserts[table]?.(new Date(border - 60_000), 2);
    expect(await sweep(now)).toBe(1);
    expect(await sweep(now)).toBe(0);
    expect(await query({ text: `SELECT 1 FROM ${table}`, values: [] })).toHaveLength(1);
  },
);

test("missed links are kept for the longest period that people can ask for, today included", async () => {
  const [domain] = await query<{ pk: number }>(sql`
    INSERT INTO domain (id, workspace_pk, slug)
    VALUES ('dom_missed', ${scope.workspacePk}, 'missed.example')
    RETURNING pk`);
  const now = new Date("2026-06-30T00:00:01Z");
  const dayBefore = (days: number) =>
    new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10);
  for (const day of [dayBefore(missedDaysMax - 1), dayBefore(missedDaysMax)]) {
    await query(sql`
      INSERT INTO missed_day (domain_pk, day, workspace_pk, visits, others, bots, keys)
      VALUES (${domain?.pk}, ${day}, ${scope.workspacePk}, 1, 0, 0, 1)`);
    await query(sql`
      INSERT INTO missed_link (domain_pk, day, workspace_pk, key, visits, last_at)
      VALUES (${domain?.pk}, ${day}, ${scope.workspacePk}, 'k', 1, ${now})`);
  }
  expect([await sweep(now), await sweep(now)]).toEqual([2, 0]);
  const kept = await query(sql`SELECT day::text FROM missed_link`);
  expect(kept).toEqual([{ day: dayBefore(missedDaysMax - 1) }]);
});
