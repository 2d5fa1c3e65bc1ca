import { beforeAll, beforeEach, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { deleteLink } from "#lib/links/editing";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { clearStatistics, putClicks } from "../../../test/clicks.ts";
import { make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { rollDays } from "./days.ts";
import { eraseDue } from "./erasure.ts";
import { maintainRollups } from "./index.ts";
import { findDifferences } from "./rebuild.ts";
import { rollSlots } from "./roll.ts";

openTestStores();

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const at = (days: number) => new Date(today + days * dayMs);
let scope: WorkspaceScope;
let other: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  await maintainRollups();
  scope = await makeTestScope("eraser");
  other = await makeTestScope("bystander");
});

beforeEach(async () => {
  await clearStatistics();
});

interface ClickedLinks {
  id: string;
  pk: number;
}

async function makeClicked(owner: WorkspaceScope, days = 2): Promise<ClickedLinks> {
  const [link] = await make(owner, [{ url: "https://a.example/" }]);
  const [row] = await query<{ pk: number }>(sql`
    SELECT pk FROM link WHERE key = ${link?.key}`);
  const pk = row?.pk ?? 0;
  const links = { first: pk, count: 1 };
  const { workspacePk } = owner;
  await putClicks({ workspacePk, count: 100, from: at(-days), until: at(0), links });
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks, visitors, scans, bots)
    SELECT link_pk, workspace_pk, count(*) FILTER (WHERE NOT bot),
      count(*) FILTER (WHERE first_of_link), count(*) FILTER (WHERE qr AND NOT bot),
      count(*) FILTER (WHERE bot)
    FROM analytics.click
    WHERE link_pk = ${pk}
    GROUP BY link_pk, workspace_pk`);
  return { id: link?.id ?? "", pk };
}

async function rollAll(): Promise<void> {
  while ((await rollSlots(at(2))) > 0);
  await rollDays(at(2));
}

/** Rows of this link, or this workspace, in every table. */
async function count(column: "link_pk" | "workspace_pk", pk: number): Promise<number> {
  const ofBoth = ["link_slot", "value_slot", "link_day", "value_day", "link_month", "value_month"];
  const kept = [...ofBoth, ...(column === "workspace_pk" ? ["owner_day", "owner_month"] : [])];
  const tables = ["analytics.click", "link_stat", "analytics.busy_link"].concat(
    kept.map((table) => `analytics.${table}`),
  );
  let rows = 0;
  for (const table of tables) {
    const [row] = await query<{ n: number }>({
      text: `SELECT count(*) AS n FROM ${table} WHERE ${column} = $1`,
      values: [pk],
    });
    rows += row?.n ?? 0;
  }
  return rows;
}

/** The days of a workspace: the total number of clicks. */
async function totalOf(workspacePk: number): Promise<number> {
  const [row] = await query<{ n: number }>(sql`
    SELECT coalesce(sum(clicks + bots), 0)::int AS n
    FROM analytics.value_day
    WHERE workspace_pk = ${workspacePk} AND link_pk = -1 AND dimension = 'total'`);
  return row?.n ?? 0;
}

test("everything of a deleted link is erased, its workspace subtracts it, and others keep theirs", async () => {
  const deleted = await makeClicked(scope);
  const stays = await makeClicked(scope);
  const foreign = await makeClicked(other);
  await rollAll();
  await query(sql`
    INSERT INTO analytics.busy_link (link_pk, workspace_pk, since, slots_since)
    VALUES (${deleted.pk}, ${scope.workspacePk}, ${at(-9)}, ${at(-9)})
    ON CONFLICT (link_pk) DO UPDATE
    SET since = EXCLUDED.since, slots_since = EXCLUDED.slots_since`);
  await query(sql`
    INSERT INTO analytics.touched_slot (workspace_pk, slot)
    SELECT DISTINCT workspace_pk, start FROM analytics.link_slot`);
  await rollAll();
  const [kept, theirs] = [await count("link_pk", stays.pk), await count("link_pk", foreign.pk)];
  expect(await totalOf(scope.workspacePk)).toBe(200);
  await deleteLink(scope, deleted.id);
  expect(await eraseDue()).toBe(1);
  expect(await eraseDue()).toBe(0);
  await rollAll();
  expect(await count("link_pk", deleted.pk)).toBe(0);
  expect(await totalOf(scope.workspacePk)).toBe(100);
  expect([await count("link_pk", stays.pk), await count("link_pk", foreign.pk)]).toEqual([
    kept,
    theirs,
  ]);
  expect(await findDifferences()).toEqual([]);
});

test("clicks that arrive after the deletion of their link are erased in a second, last round", async () => {
  const deleted = await makeClicked(scope);
  await deleteLink(scope, deleted.id);
  await eraseDue();
  const { workspacePk } = scope;
  const links = { first: deleted.pk, count: 1 };
  await putClicks({ workspacePk, count: 5, from: at(-1), until: at(0), links });
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks) VALUES (${deleted.pk}, ${workspacePk}, 5)`);
  expect(await eraseDue()).toBe(0);
  await query(sql`UPDATE analytics.erasure SET due_at = now() - interval '1 second'`);
  expect(await eraseDue()).toBe(1);
  expect(await count("link_pk", deleted.pk)).toBe(0);
  expect(await query(sql`SELECT 1 FROM analytics.erasure`)).toHaveLength(0);
});

test("clicks older than the slots of their workspace are subtracted from its days", async () => {
  const deleted = await makeClicked(scope, 120);
  await makeClicked(scope, 120);
  await rollAll();
  await maintainRollups();
  expect(await totalOf(scope.workspacePk)).toBe(200);
  await deleteLink(scope, deleted.id);
  await eraseDue();
  await rollAll();
  expect(await totalOf(scope.workspacePk)).toBe(100);
  expect(await findDifferences()).toEqual([]);
});

test("everything of a deleted workspace is erased, and others keep theirs", async () => {
  const deletedScope = await makeTestScope("doomed");
  await makeClicked(deletedScope);
  const foreign = await makeClicked(other);
  await rollAll();
  const theirs = await count("link_pk", foreign.pk);
  expect(await count("workspace_pk", deletedScope.workspacePk)).toBeGreaterThan(0);
  await query(sql`DELETE FROM link WHERE workspace_pk = ${deletedScope.workspacePk}`);
  await query(sql`DELETE FROM workspace WHERE pk = ${deletedScope.workspacePk}`);
  await Promise.all([eraseDue(), eraseDue()]);
  await rollAll();
  expect(await count("workspace_pk", deletedScope.workspacePk)).toBe(0);
  expect(await count("link_pk", foreign.pk)).toBe(theirs);
  const left = await query(sql`
    SELECT 1 FROM analytics.rolled_day WHERE workspace_pk = ${deletedScope.workspacePk}`);
  expect(left).toHaveLength(0);
});
