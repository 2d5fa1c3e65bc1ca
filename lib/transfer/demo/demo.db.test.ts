import { expect, test } from "vitest";
import { hasOwner, setUpOwner, signUp } from "#lib/identity/auth";
import { listLinks } from "#lib/links/reading";
import { listLinksQuery } from "#lib/links/reading/schema";
import { query, sql } from "#lib/platform/postgres";
import { findSteps } from "#lib/tenancy/onboarding";
import {
  deleteWorkspace,
  listWorkspaces,
  openWorkspace,
  restoreWorkspace,
  updateWorkspace,
} from "#lib/tenancy/workspaces";
import { openTestStores } from "../../../test/stores.ts";
import { demoLinks } from "./catalogue.ts";
import { seedDemo } from "./index.ts";

openTestStores();

const dayMs = 86_400_000;
const now = Date.now();

test("the demo is created once, and belongs to the installation's first owner", async () => {
  expect([await seedDemo(now), await seedDemo(now)]).toEqual([true, false]);
  const body = { name: "Ada", email: "ada@example.com", password: "correct horse" };
  const ada = await signUp(body, "203.0.113.7");
  const eve = await signUp({ ...body, email: "eve@example.com" }, "203.0.113.7");
  if (!ada.ok || !eve.ok) throw new Error("Signing up failed");
  expect(await listWorkspaces(ada.user.id)).toMatchObject([
    { slug: "demo", role: "owner", demo: true },
  ]);
  expect(await listWorkspaces(eve.user.id)).toEqual([]);
  const again = { email: "ada@example.com", password: "correct horse", apiKey: undefined };
  expect(await setUpOwner(again)).toBe(true);
  // The owner has nothing of their own yet, so that they get a workspace, which comes first.
  const workspaces = await listWorkspaces(ada.user.id);
  expect(workspaces.map(({ slug, demo }) => [slug, demo])).toEqual([
    ["my-workspace", false],
    ["demo", true],
  ]);
});

test("the demo has no first steps, and the workspace of its owner starts empty", async () => {
  const [owner] = await query<{ id: string }>(sql`SELECT id FROM app_user WHERE operator`);
  const [own, demo] = await Promise.all(
    ["my-workspace", "demo"].map((slug) => openWorkspace(owner?.id ?? "", slug)),
  );
  if (!own || !demo) throw new Error("The owner has no workspaces");
  expect(await findSteps(demo)).toBeUndefined();
  expect(await findSteps(own)).toEqual({ link: false, click: false, share: false });
  expect(await listLinks(own, listLinksQuery.parse({}))).toEqual([]);
});

test("its links are as old as their ids, tagged, and the newest comes first", async () => {
  const [owner] = await query<{ id: string }>(sql`SELECT id FROM app_user WHERE operator`);
  const scope = await openWorkspace(owner?.id ?? "", "demo");
  if (!scope) throw new Error("The demo has no owner");
  const links = await listLinks(scope, listLinksQuery.parse({}));
  expect(links).toHaveLength(demoLinks.length);
  const created = links.map(({ createdAt }) => createdAt);
  expect(created).toEqual([...created].sort().reverse());
  const ages = links.map(({ createdAt }) => Math.round((now - Date.parse(createdAt)) / dayMs));
  expect(ages.sort()).toEqual(demoLinks.map(({ ageDays }) => ageDays).sort());
  expect(links.every(({ tags }) => tags.length > 0)).toBe(true);
  expect(links.every(({ userId }) => userId === null)).toBe(true);
});

test("totals, rollups and raw clicks of the demo agree", async () => {
  const [counts] = await query<Record<string, number>>(sql`
    SELECT
      (SELECT count(*) FROM analytics.click WHERE NOT bot) AS raw,
      (SELECT sum(clicks)::bigint FROM link_stat) AS stats,
      (SELECT sum(clicks)::bigint FROM analytics.link_slot) AS links,
      (SELECT sum(clicks)::bigint FROM analytics.value_slot WHERE dimension = 'total')
        AS workspaces`);
  const { raw = 0, ...others } = counts ?? {};
  expect(raw).toBeGreaterThan(10_000);
  expect(others).toEqual({ stats: raw, links: raw, workspaces: raw });
  const [period] = await query<{ oldest: Date; newest: Date }>(
    sql`SELECT min(at) AS oldest, max(at) AS newest FROM analytics.click`,
  );
  expect(now - Number(period?.oldest)).toBeGreaterThan(85 * dayMs);
  expect(Number(period?.newest)).toBeLessThan(now);
});

test("a visitor of the demo is first on a link, and in the workspace, once a day", async () => {
  const [row] = await query<{ links: number; workspaces: number }>(sql`
    SELECT
      count(DISTINCT (visitor, link_pk, utc::date)) - count(*) FILTER (WHERE first_of_link) AS links,
      count(DISTINCT (visitor, utc::date)) - count(*) FILTER (WHERE first_of_workspace) AS workspaces
    FROM (SELECT *, at AT TIME ZONE 'UTC' AS utc FROM analytics.click) AS click
    WHERE NOT bot`);
  expect(row).toEqual({ links: 0, workspaces: 0 });
});

test("its owner removes the demo, by whatever name, without touching their own; no start brings it back", async () => {
  const [owner] = await query<{ id: string }>(sql`SELECT id FROM app_user WHERE operator`);
  const id = owner?.id ?? "";
  const slugs = async () => (await listWorkspaces(id)).map(({ slug }) => slug);
  const scope = await openWorkspace(id, "demo");
  if (!scope) throw new Error("The demo has no owner");
  await updateWorkspace(scope, { name: "Examples", slug: "examples" });
  const renamed = await openWorkspace(id, "examples");
  if (!renamed) throw new Error("The demo has no owner");
  expect(await findSteps(renamed)).toBeUndefined();
  await deleteWorkspace(renamed);
  expect(await slugs()).toEqual(["my-workspace"]);
  expect(await hasOwner()).toBe(true);
  await restoreWorkspace(id, renamed.workspaceId);
  expect(await slugs()).toEqual(["my-workspace", "examples"]);
});
