import { beforeAll, expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { OperatorScope } from "#lib/tenancy/operators";
import { makeTestOperator } from "../../../test/operators.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  countedMax,
  countOf,
  countPeople,
  countWorkspaces,
  listPeople,
  listWorkspaces,
} from "./index.ts";
import { directoryMax, peopleQuery, workspacesQuery } from "./schema.ts";

openTestStores();

let operator: OperatorScope;
let ada: WorkspaceScope;

beforeAll(async () => {
  ada = await makeTestScope("ada");
  await makeTestScope("eve");
  ({ operator } = await makeTestOperator("root"));
  // As many as fit on a page, and one more.
  await query(sql`
    INSERT INTO workspace (id, name, slug, plan, demo, banned_at, deleted_at, created_at)
    SELECT
      'ws_' || n, 'Many 100%', 'many-' || n, 'free', n = 1, CASE WHEN n = 2 THEN now() END,
      CASE WHEN n = 3 THEN now() END, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 day'
    FROM generate_series(1, ${directoryMax + 2}::int) AS n`);
  await query(sql`
    INSERT INTO app_user (id, name, email, email_proven_at, banned_at)
    SELECT
      'user_' || n, 'Many', 'many-' || n || '@mail.example', CASE WHEN n > 1 THEN now() END,
      CASE WHEN n = 2 THEN now() END
    FROM generate_series(1, ${directoryMax + 1}::int) AS n`);
});

const slugsOf = async (filter: Record<string, string>) => {
  const { workspaces } = await listWorkspaces(operator, workspacesQuery.parse(filter));
  return workspaces.map(({ slug }) => slug);
};
const emailsOf = async (filter: Record<string, string>) => {
  const { people } = await listPeople(operator, peopleQuery.parse(filter));
  return people.map(({ email }) => email);
};

test("workspaces are paged newest first, with their total on every page", async () => {
  const first = await listWorkspaces(operator, { search: "many" });
  expect(first.workspaces).toHaveLength(directoryMax);
  expect(first.workspaces[0]).toMatchObject({ slug: `many-${directoryMax + 2}`, members: 0 });
  const total = { count: directoryMax + 1, about: false };
  expect(first).toMatchObject({ total, next: "ws_3" });
  const rest = await listWorkspaces(operator, { search: "many", startingAfter: "ws_3" });
  expect(rest).toMatchObject({ workspaces: [{ slug: "many-2" }], total, next: null });
  expect(await slugsOf({ startingAfter: "ws_none" })).toEqual([]);
});

test("a page that is exactly full is the last", async () => {
  const page = await listWorkspaces(operator, { plan: "free", from: "2026-01-04" });
  expect(page.workspaces).toHaveLength(directoryMax);
  expect(page.next).toBeNull();
});

test("workspaces are found by a part of their name or slug, their state and their age", async () => {
  expect(await slugsOf({ search: "DA-SPA" })).toEqual(["ada-space"]);
  expect(await slugsOf({ search: "100%" })).toHaveLength(directoryMax);
  expect(await slugsOf({ search: "1_0%" })).toEqual([]);
  expect(await slugsOf({ state: "demo" })).toEqual(["many-1"]);
  expect(await slugsOf({ search: "many-1", plan: "free" })).not.toContain("many-1");
  expect(await slugsOf({ state: "banned" })).toEqual(["many-2"]);
  expect(await slugsOf({ state: "deleted" })).toEqual(["many-3"]);
  expect(await slugsOf({ state: "active", from: "2026-02-20" })).toEqual([
    `many-${directoryMax + 2}`,
    `many-${directoryMax + 1}`,
    `many-${directoryMax}`,
    "eve-space",
    "ada-space",
  ]);
});

test("people are found by a part of their name or email address, and by their state", async () => {
  const page = await listPeople(operator, { search: "mail.ex" });
  expect(page.people).toHaveLength(directoryMax);
  expect(page).toMatchObject({ total: { count: directoryMax + 1 }, next: "user_2" });
  expect(await emailsOf({ search: "MANY-51" })).toEqual(["many-51@mail.example"]);
  expect(await emailsOf({ state: "administrator" })).toEqual(["root@example.com"]);
  expect(await emailsOf({ state: "banned" })).toEqual(["many-2@mail.example"]);
  expect(await emailsOf({ state: "unconfirmed", search: "many" })).toEqual(["many-1@mail.example"]);
  const { people } = await listPeople(operator, { search: "ada@" });
  expect(people).toMatchObject([{ name: "ada", workspaces: 1 }]);
});

test("totals count the same rows as the lists", async () => {
  const all = await listWorkspaces(operator);
  expect(await countWorkspaces()).toEqual(all.total);
  expect(all.total).toEqual({ count: directoryMax + 3, about: false });
  expect(await countPeople()).toEqual({ count: directoryMax + 4, about: false });
});

test("every listed workspace has an entry in its audit log, and a search of people is recorded", async () => {
  const looks = () =>
    query(sql`
      SELECT id FROM audit
      WHERE workspace_pk = ${ada.workspacePk} AND action = 'operator.view'`);
  const before = (await looks()).length;
  await listWorkspaces(operator, { search: "ada" });
  await listWorkspaces(operator, { search: "eve" });
  expect(await looks()).toHaveLength(before + 1);
  await listPeople(operator, { search: "someone@" });
  const [entry] = await query(sql`
    SELECT details FROM audit WHERE workspace_pk IS NULL ORDER BY pk DESC LIMIT 1`);
  expect(entry).toEqual({ details: { viewed: "people", name: "someone@" } });
});

test("up to the limit a count is exact, beyond it an estimate that is never below what was counted", () => {
  expect(countOf(countedMax, 5)).toEqual({ count: countedMax, about: false });
  expect(countOf(countedMax + 1, 7_000_000)).toEqual({ count: 7_000_000, about: true });
  expect(countOf(countedMax + 1, -1)).toEqual({ count: countedMax + 1, about: true });
});
