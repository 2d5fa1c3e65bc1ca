/**
 * Generates past clicks if requested, rolls finished slots and days, as the worker does every ten seconds, and reports
 * ready.
 */

import { maintainRollups, rollDays, rollSlots } from "#lib/analytics/rollups";
import { dayMs } from "#lib/basics/time/schema";
import { setUpOwner } from "#lib/identity/auth";
import { openDomains } from "#lib/links/hosts";
import { configOrExit } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { closeAll } from "#lib/platform/processes";
import { redis, redisReady } from "#lib/platform/redis";
import { openWorkspace } from "#lib/tenancy/workspaces";
import { compactOldClicks } from "../test/clicks.ts";
import { owner } from "./calls.ts";
import { putHistory } from "./history.ts";

configOrExit();
const clicks = Number(process.env["BENCH_CLICKS"] ?? 0);
if (clicks > 0) await fill();
await maintainRollups();
while ((await rollSlots()) > 0);
while ((await rollDays()) > 0);
if (process.env["BENCH_BLOCKS"]) {
  await redisReady(redis(), 5_000);
  while (await hasOldClicks()) await compactOldClicks();
}
await closeAll();
process.send?.("ready");
process.disconnect?.();

/** A run of the job ends after two minutes. */
async function hasOldClicks(): Promise<boolean> {
  return await query.any(
    sql`SELECT 1 FROM analytics.click WHERE at < ${new Date(Date.now() - 10 * dayMs)} LIMIT 1`,
  );
}

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
