/** A page of single clicks opens few blocks, however many there are. */
import { beforeAll, expect, test } from "vitest";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { compactOldClicks, putClicks } from "../../../test/clicks.ts";
import { planOf, rowsOf } from "../../../test/query-plans.ts";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { resolveQuery } from "./ask.ts";
import { writeEvents } from "./events.ts";
import { eventsQuery } from "./schema.ts";

openTestStores();

const dayMs = 86_400_000;
const clicksPerBlock = 2_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs);
let scope: WorkspaceScope;

beforeAll(async () => {
  scope = await makeTestScope("reader");
  const { workspacePk } = scope;
  await putClicks({ workspacePk, count: 30_000, from: ago(60), until: ago(12) });
  await compactOldClicks();
  await query({ text: "VACUUM ANALYZE analytics.click_block", values: [] });
});

async function countOpened(request: Record<string, string>): Promise<number> {
  const asked = eventsQuery.parse({ start: ago(70).toISOString(), ...request });
  const { selection, period } = await resolveQuery(scope, asked);
  const page = { ascending: asked.sortOrder === "asc", after: undefined, skip: 0, limit: 100 };
  const nodes = await planOf(
    writeEvents({ ...selection, key: { by: "nothing" } }, period, page, ""),
  );
  const opened = nodes.filter((node) => node["Node Type"] === "ProjectSet").map(rowsOf);
  return opened.reduce((sum, rows) => sum + rows, 0);
}

// On Citus, the plan does not show what the workers do.
test.skipIf(process.env["TEST_CITUS_URL"]).each([
  ["the newest", {}],
  ["the oldest", { sortOrder: "asc" }],
  ["the newest of a frequent value", { device: "Mobile" }],
])("for %s, only the first blocks are opened", async (_which, request: Record<string, string>) => {
  const [held] = await query<{ blocks: number }>(sql`
    SELECT count(*)::int AS blocks
    FROM analytics.click_block
    WHERE workspace_pk = ${scope.workspacePk}`);
  expect(held?.blocks).toBeGreaterThan(12);
  const opened = await countOpened(request);
  expect(opened).toBeGreaterThan(0);
  // The second shows that the first has no more.
  expect(opened).toBeLessThanOrEqual(2 * clicksPerBlock);
});
