import { loadModule } from "libpg-query";
import { beforeAll, expect, test } from "vitest";
import { tablesWithoutWorkspace } from "./distribution-rule.ts";

beforeAll(loadModule);

test.each([
  "SELECT FROM analytics.click WHERE workspace_pk = $1",
  "SELECT FROM analytics.click AS c WHERE $1 = c.workspace_pk AND at > $2",
  "SELECT FROM link JOIN analytics.click ON click.workspace_pk = link.workspace_pk AND at > $1",
  "SELECT FROM workspace WHERE EXISTS (SELECT FROM analytics.touched_slot WHERE workspace_pk = workspace.pk)",
  "WITH day AS (SELECT FROM analytics.link_day WHERE workspace_pk = $1) SELECT FROM day",
  "DELETE FROM analytics.link_slot USING link WHERE link.pk = link_pk AND link_slot.workspace_pk = $1",
  "UPDATE analytics.touched_slot SET marks = 1 WHERE workspace_pk = $1 AND slot = $2",
  "INSERT INTO analytics.touched_slot (workspace_pk, slot) SELECT * FROM unnest($1::int[], $2::timestamptz[])",
  "SELECT FROM analytics.busy_link",
  "WITH click AS (SELECT) SELECT FROM click",
])("the workspace is named: %s", (text) => {
  expect(tablesWithoutWorkspace(text)).toEqual([]);
});

test.each([
  ["SELECT FROM analytics.click WHERE link_pk = $1", ["click"]],
  ["SELECT FROM analytics.click WHERE workspace_pk = $1 OR at > $2", ["click"]],
  ["SELECT FROM analytics.click WHERE workspace_pk > $1", ["click"]],
  ["SELECT FROM analytics.click WHERE NOT workspace_pk = $1", ["click"]],
  ["SELECT FROM analytics.click WHERE workspace_pk = ANY($1::int[])", ["click"]],
  ["SELECT FROM analytics.click JOIN link ON link.pk = link_pk WHERE workspace_pk = $1", ["click"]],
  [
    "SELECT FROM analytics.click JOIN link ON link.pk = link_pk WHERE link.workspace_pk = $1",
    ["click"],
  ],
  [
    "SELECT FROM analytics.click WHERE workspace_pk = $1 AND at > (SELECT max(start) FROM analytics.link_day)",
    ["link_day"],
  ],
  ["DELETE FROM analytics.link_slot WHERE link_pk = $1", ["link_slot"]],
  ["UPDATE analytics.link_day SET clicks = 0 FROM link WHERE link.workspace_pk = $1", ["link_day"]],
  ["INSERT INTO analytics.touched_slot SELECT * FROM waiting", ["touched_slot"]],
])("the workspace is missing: %s", (text, tables) => {
  expect(tablesWithoutWorkspace(text)).toEqual(tables);
});
