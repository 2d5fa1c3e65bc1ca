import { loadModule } from "libpg-query";
import { beforeAll, expect, test } from "vitest";
import { tablesWithoutKey } from "./distribution-rule.ts";

beforeAll(loadModule);

test.each([
  "SELECT FROM analytics.click WHERE workspace_pk = $1",
  "SELECT FROM analytics.click AS c WHERE $1 = c.workspace_pk AND at > $2",
  "SELECT FROM folder JOIN analytics.click ON click.workspace_pk = folder.workspace_pk AND at > $1",
  "SELECT FROM workspace WHERE EXISTS (SELECT FROM analytics.touched_slot WHERE workspace_pk = workspace.pk)",
  "WITH day AS (SELECT FROM analytics.link_day WHERE workspace_pk = $1) SELECT FROM day",
  "DELETE FROM analytics.link_slot USING folder WHERE folder.pk = folder_pk AND link_slot.workspace_pk = $1",
  "UPDATE analytics.touched_slot SET marks = 1 WHERE workspace_pk = $1 AND slot = $2",
  "INSERT INTO analytics.touched_slot (workspace_pk, slot) SELECT * FROM unnest($1::int[], $2::timestamptz[])",
  "SELECT FROM analytics.busy_link",
  "WITH click AS (SELECT) SELECT FROM click",
  "SELECT FROM link WHERE pk = ANY($1::bigint[])",
  "SELECT FROM link WHERE link.pk IN ($1, 2) AND workspace_pk = $3",
  "SELECT FROM link JOIN link_tag ON link_tag.link_pk = link.pk WHERE link.pk = $1",
  "SELECT FROM link JOIN domain ON domain.pk = link.domain_pk WHERE link.pk = $1",
  "INSERT INTO link (pk, key) SELECT * FROM jsonb_to_recordset($1)",
  "DELETE FROM link_external_id WHERE workspace_pk = $1 AND external_id = $2",
  "SELECT FROM link WHERE workspace_pk = $1",
  "SELECT FROM link JOIN link_tag ON link_tag.link_pk = link.pk WHERE link.workspace_pk = $2",
  "WITH domain AS (SELECT) SELECT FROM link JOIN domain ON true WHERE link.workspace_pk = $1",
  "SELECT FROM link JOIN (SELECT pk FROM domain) AS own ON true WHERE link.workspace_pk = $1",
  "SELECT FROM link WHERE link.pk IN (SELECT link_pk FROM alias)",
  "SELECT FROM link WHERE (pk, id) IN (SELECT link_pk, link_id FROM link_report)",
  "SELECT FROM (SELECT link_pk FROM alias) AS named JOIN link ON link.pk = named.link_pk",
  "SELECT FROM link WHERE workspace_pk = $1 AND EXISTS (SELECT FROM link_stat WHERE link_stat.link_pk = link.pk)",
])("the key is named: %s", (text) => {
  expect(tablesWithoutKey(text)).toEqual([]);
});

test.each([
  ["SELECT FROM analytics.click WHERE link_pk = $1", ["click"]],
  ["SELECT FROM analytics.click WHERE workspace_pk = $1 OR at > $2", ["click"]],
  ["SELECT FROM analytics.click WHERE workspace_pk > $1", ["click"]],
  ["SELECT FROM analytics.click WHERE NOT workspace_pk = $1", ["click"]],
  ["SELECT FROM analytics.click WHERE workspace_pk = ANY($1::int[])", ["click"]],
  [
    "SELECT FROM analytics.click JOIN folder ON folder.pk = folder_pk WHERE workspace_pk = $1",
    ["click"],
  ],
  [
    "SELECT FROM analytics.click JOIN folder ON folder.pk = folder_pk WHERE folder.workspace_pk = $1",
    ["click"],
  ],
  [
    "SELECT FROM analytics.click WHERE workspace_pk = $1 AND at > (SELECT max(start) FROM analytics.link_day)",
    ["link_day"],
  ],
  ["DELETE FROM analytics.link_slot WHERE link_pk = $1", ["link_slot"]],
  [
    "UPDATE analytics.link_day SET clicks = 0 FROM folder WHERE folder.workspace_pk = $1",
    ["link_day"],
  ],
  ["INSERT INTO analytics.touched_slot SELECT * FROM waiting", ["touched_slot"]],
  ["SELECT FROM link WHERE folder_pk = $1", ["link"]],
  [
    "SELECT FROM link JOIN domain ON domain.pk = link.domain_pk WHERE link.workspace_pk = $1",
    ["link"],
  ],
  ["SELECT FROM link WHERE pk > $1", ["link"]],
  ["SELECT FROM link JOIN alias ON alias.link_pk = link.pk WHERE alias.key = $1", ["link"]],
  ["SELECT FROM link WHERE pk = ANY(ARRAY(SELECT link_pk FROM alias))", ["link"]],
  ["SELECT FROM link JOIN link_tag ON link_tag.link_pk = link.pk", ["link", "link_tag"]],
  ["UPDATE link_stat SET clicks = 0 FROM link WHERE link.pk = link_pk", ["link", "link_stat"]],
  ["INSERT INTO link_tag (tag_pk) VALUES ($1)", ["link_tag"]],
  ["DELETE FROM link_external_id WHERE link_pk = $1", ["link_external_id"]],
])("the key is missing: %s", (text, tables) => {
  expect(tablesWithoutKey(text)).toEqual(tables);
});
