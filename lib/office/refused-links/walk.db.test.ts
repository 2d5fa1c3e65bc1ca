/** How the walk through all links is executed: its cost is that of a step, not that of the table. */
import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { query, sql } from "#lib/platform/postgres";
import { planOf, rowsOf } from "../../../test/query-plans.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { lastUuid, type Position, walkLinks, walkStatement } from "./store.ts";

openTestStores();

const linksEach = 15_000;
const stepLinks = 500;
const workspacePks: number[] = [];

beforeAll(async () => {
  await openLinks();
  for (const name of ["ada", "bea", "cid", "dan"]) {
    const { workspacePk } = await makeTestScope(name);
    workspacePks.push(workspacePk);
    await query(sql`
      INSERT INTO link (pk, id, workspace_pk, domain_pk, key, url)
      SELECT
        ${workspacePk * 1_000_000}::bigint + n, gen_random_uuid(), ${workspacePk}, domain.pk,
        ${name}::text || n, 'https://example.com'
      FROM generate_series(1, ${linksEach}::int) AS n
      CROSS JOIN domain
      WHERE domain.workspace_pk IS NULL`);
  }
  await query(sql`ANALYZE link, domain, workspace`);
});

// On Citus, the plan does not show what the workers do.
const isCitus = Boolean(process.env["TEST_CITUS_URL"]);

test.skipIf(isCitus)(
  "a step reads its links by index, in its order, and never sorts the table",
  async () => {
    const [first = 0, second = 0] = workspacePks;
    for (const [position, only] of [
      [{ workspacePk: 0, id: lastUuid }, false],
      [{ workspacePk: first, id: lastUuid }, true],
      [{ workspacePk: second, id: "80000000-0000-4000-8000-000000000000" }, false],
      // The end of a workspace, from which the step continues in the next one.
      [{ workspacePk: first, id: "00000000-0000-4000-8000-000000000000" }, false],
    ] as const) {
      const nodes = await planOf(walkStatement(position, only, stepLinks));
      const scans = nodes.filter((node) => node["Relation Name"] === "link");
      const indexes = scans.map((node) => node["Index Name"] ?? node["Node Type"]);
      expect([...new Set(indexes)].toSorted()).toEqual(["link_pkey", "link_workspace"]);
      // A sort of the table would read more. Rows in memory that are compared again are not read again.
      for (const node of nodes.filter((one) => one["Node Type"] !== "Materialize")) {
        expect(rowsOf(node), node["Node Type"]).toBeLessThanOrEqual(stepLinks);
      }
    }
  },
);

test("the steps of a walk read every link once, each workspace newest first", async () => {
  const seen: string[] = [];
  let position: Position | undefined = { workspacePk: 0, id: lastUuid };
  while (position) {
    const rows = await walkLinks(position, false, 10 * stepLinks);
    seen.push(...rows.map(({ workspace_pk: pk, id }) => `${pk} ${id}`));
    const last = rows.at(-1);
    position = last && { workspacePk: last.workspace_pk, id: last.id };
  }
  const all = await query<{ one: string }>(sql`
    SELECT workspace_pk || ' ' || id AS one
    FROM link
    WHERE workspace_pk IS NOT NULL
    ORDER BY workspace_pk, id DESC`);
  expect(seen).toEqual(all.map(({ one }) => one));
});
