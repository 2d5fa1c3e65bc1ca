/** Links of a deleted domain, until a worker has deleted them. */
import { beforeAll, expect, test } from "vitest";
import { createLinks, openLinks } from "#lib/links/creating";
import { createDomain, deleteDomain } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { countLinks, listLinks } from "./index.ts";
import { countLinksQuery, listLinksQuery } from "./schema.ts";

openTestStores();

let scope: WorkspaceScope;
const slug = "gone.localhost";

beforeAll(async () => {
  await openLinks();
  scope = await makeTestScope("ada");
  await createDomain(scope, createDomainBody.parse({ slug }));
  const bodies = (domain: string | undefined) =>
    ["a", "b", "c"].map((name) => ({
      url: `https://example.com/${name}`,
      ...(domain ? { domain } : {}),
    }));
  for (const body of [...bodies(undefined), ...bodies(slug)]) {
    const [outcome] = await createLinks(scope, [body], { source: "dashboard", prefill: false });
    if (!outcome?.ok) throw new Error(outcome?.message);
  }
  await query(sql`
    INSERT INTO link_stat (link_pk, workspace_pk, clicks, last_click_at)
    SELECT pk, workspace_pk, 5, now()
    FROM link
    WHERE workspace_pk = ${scope.workspacePk}`);
  await deleteDomain(scope, slug, "delete");
});

test.each([
  ["by creation", {}],
  ["by clicks", { sortBy: "clicks" }],
  ["by the last click", { sortBy: "lastClicked" }],
  ["found by a search", { search: "example" }],
])("they leave no gap in a list %s", async (_, filters) => {
  const links = await listLinks(scope, listLinksQuery.parse({ ...filters, pageSize: 2 }));
  expect(links).toHaveLength(2);
  expect(links.every(({ domain }) => domain !== slug)).toBe(true);
});

test.each([
  ["all", {}, 3],
  ["with archived ones", { showArchived: "true" }, 3],
  ["with clicks", { clicked: "true" }, 3],
  ["of an address", { url: "https://example.com/a" }, 1],
])("they are not counted: %s", async (_, filters, count) => {
  expect(await countLinks(scope, countLinksQuery.parse(filters))).toBe(count);
});

test("they are no group of their own", async () => {
  const groups = await countLinks(scope, countLinksQuery.parse({ groupBy: "domain" }));
  expect(groups).toMatchObject([{ _count: 3 }]);
});
