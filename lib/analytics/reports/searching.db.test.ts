/** Searching among all rows of a grouping, also those beyond the limit of an answer. */
import { beforeAll, expect, test } from "vitest";
import { ensurePartitions } from "#lib/analytics/time-slots";
import { openLinks } from "#lib/links/creating";
import { createTag } from "#lib/links/tags";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { make } from "../../../test/links.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { askAnalytics } from "./index.ts";
import { analyticsQuery, type CountedGroup, searchCharsMax } from "./schema.ts";

openTestStores();

let ada: WorkspaceScope;

beforeAll(async () => {
  await openLinks();
  await ensurePartitions(["click"], [Date.now()]);
  ada = await makeTestScope("searcher");
  const { id } = await createTag(ada, { name: "Winter sale", color: "red" });
  await make(ada, [
    { url: "https://example.com/a", key: "Spring-Mail", title: "Newsletter 7", tagIds: [id] },
    { url: "https://example.com/b", key: "other", title: "Wholesale" },
  ]);
  // More cities than an answer has rows, the wanted one last.
  await query(sql`
    INSERT INTO analytics.click (at, link_pk, workspace_pk, domain_pk, bot, qr, first_of_link,
      first_of_workspace, id, country, region, city, referer)
    SELECT now(), link.pk, link.workspace_pk, link.domain_pk, false, false, true, true,
      gen_random_uuid(), 'DE', 'DE-BE',
      CASE WHEN n = 1100 THEN 'Neu-Isenburg' ELSE 'City ' || n END,
      CASE WHEN n = 1 THEN '100%_sure.example' ELSE 'news' || n || '.example' END
    FROM link
    CROSS JOIN generate_series(1, 1100) AS n
    CROSS JOIN generate_series(1, CASE WHEN n = 1100 THEN 1 ELSE 2 END)
    WHERE link.workspace_pk = ${ada.workspacePk} AND link.key = 'Spring-Mail'`);
  await query(sql`
    INSERT INTO analytics.click (at, link_pk, workspace_pk, domain_pk, bot, qr, first_of_link,
      first_of_workspace, id)
    SELECT now(), link.pk, link.workspace_pk, link.domain_pk, false, false, true, true,
      gen_random_uuid()
    FROM link
    WHERE link.workspace_pk = ${ada.workspacePk} AND link.key = 'other'`);
  await query(sql`
    INSERT INTO analytics.touched_slot (workspace_pk, slot)
    SELECT DISTINCT workspace_pk, date_bin('15 minutes', at, '2000-01-01Z')
    FROM analytics.click
    WHERE workspace_pk = ${ada.workspacePk}
    ON CONFLICT DO NOTHING`);
});

async function find(groupBy: string, search: string, field: string): Promise<unknown[]> {
  const parsed = analyticsQuery.parse({ groupBy, search, interval: "24h" });
  const { answer } = await askAnalytics(ada, parsed);
  const rows: CountedGroup[] = Array.isArray(answer) ? answer : [];
  return rows.map((row) => row[field]);
}

test("a value beyond the first thousand rows is found, whatever its case", async () => {
  const parsed = analyticsQuery.parse({ groupBy: "cities", interval: "24h" });
  const { answer } = await askAnalytics(ada, parsed);
  expect(JSON.stringify(answer)).not.toContain("Neu-Isenburg");
  expect(await find("cities", "neu-isen", "city")).toEqual(["Neu-Isenburg"]);
  // The region is not part of the name of a city.
  expect(await find("cities", "DE-BE", "city")).toEqual([]);
});

test("links are found by short link and title, tags by name, domains by host", async () => {
  expect(await find("top_links", "spring-mail", "key")).toEqual(["Spring-Mail"]);
  expect(await find("top_links", "NEWSLETTER", "key")).toEqual(["Spring-Mail"]);
  expect(await find("top_links", "sale", "key")).toEqual(["other"]);
  expect(await find("top_tags", "winter", "name")).toEqual(["Winter sale"]);
  expect(await find("top_tags", "summer", "name")).toEqual([]);
  expect(await find("top_domains", "no such host", "domain")).toEqual([]);
});

test("a text is no pattern and no SQL", async () => {
  expect(await find("referers", "%_", "referer")).toEqual(["100%_sure.example"]);
  expect(await find("referers", "' OR true --", "referer")).toEqual([]);
});

test(`a search has ${searchCharsMax} characters, and not one more`, () => {
  expect(analyticsQuery.safeParse({ search: "x".repeat(searchCharsMax) }).success).toBe(true);
  expect(analyticsQuery.safeParse({ search: "x".repeat(searchCharsMax + 1) }).success).toBe(false);
});
