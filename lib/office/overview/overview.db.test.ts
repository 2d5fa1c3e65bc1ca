import { expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { codePools } from "#lib/platform/codes";
import { query, sql } from "#lib/platform/postgres";
import { make } from "../../../test/links.ts";
import { makeTestOperator } from "../../../test/operators.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { readOverview } from "./index.ts";

openTestStores();

test("the overview counts workspaces, people, links and issued slugs, and records no look", async () => {
  await openLinks();
  const ada = await makeTestScope("ada");
  await make(ada, [{ url: "https://example.com/one" }]);
  const { operator } = await makeTestOperator("root");
  const figures = await readOverview(operator);
  expect(figures).toMatchObject({
    workspaces: { count: 1, about: false },
    people: { count: 2, about: false },
    links: { about: false },
    reports: 0,
    bans: 0,
    clicksToday: 0,
    jobsFailed: 0,
  });
  const [short] = figures.codes;
  expect(short?.length).toBe(6);
  expect(short?.leased).toBeGreaterThanOrEqual(65_536);
  expect((short?.leased ?? 0) + (short?.left ?? 0)).toBe(codePools[0]?.size);
  expect(await query(sql`SELECT id FROM audit WHERE action LIKE 'operator.%'`)).toEqual([]);
});

test("the demo is not counted", async () => {
  const { operator } = await makeTestOperator("visitor");
  const before = await readOverview(operator);
  const demo = await makeTestScope("demo");
  await make(demo, [{ url: "https://example.com/demo" }]);
  await query(sql`UPDATE workspace SET demo = true WHERE pk = ${demo.workspacePk}`);
  const { links, workspaces } = await readOverview(operator);
  expect({ links, workspaces }).toEqual({ links: before.links, workspaces: before.workspaces });
});

test("a code that a custom slug spells is not counted as a link", async () => {
  const { operator } = await makeTestOperator("counter");
  const eve = await makeTestScope("eve");
  const before = (await readOverview(operator)).links.count;
  await make(eve, [{ url: "https://example.com/custom", key: "Abcdef" }]);
  expect((await readOverview(operator)).links.count).toBe(before + 1);
});
