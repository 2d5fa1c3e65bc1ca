/**
 * Generates past clicks if requested, rolls finished slots and days, as the worker does every ten seconds, and reports
 * ready.
 */

import { maintainRollups, rollDays, rollSlots } from "#lib/analytics/rollups";
import { setUpOwner } from "#lib/identity/auth";
import { openDomains } from "#lib/links/hosts";
import { configOrExit } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { closeAll } from "#lib/platform/processes";
import { openWorkspace } from "#lib/tenancy/workspaces";
import { owner } from "./calls.ts";
import { putHistory } from "./history.ts";

configOrExit();
const clicks = Number(process.env["BENCH_CLICKS"] ?? 0);
if (clicks > 0) await fill();
await maintainRollups();
while ((await rollSlots()) > 0);
while ((await rollDays()) > 0);
await closeAll();
process.send?.("ready");
process.disconnect?.();

async function fill(): Promise<void> {
  await setUpOwner(owner);
  await openDomains();
  const [user] = await query<{ id: string; slug: string }>(sql`
    SELECT app_user.id, workspace.slug
    FROM app_user
    JOIN membership ON membership.user_pk = app_user.pk
    JOIN workspace ON workspace.pk = membership.workspace_pk
    WHERE app_user.email = ${owner.email}
    LIMIT 1`);
  const scope = user && (await openWorkspace(user.id, user.slug));
  if (!scope) throw new Error("The owner has no workspace");
  await putHistory(scope, { clicks, week: Number(process.env["BENCH_WEEK"]) });
}
