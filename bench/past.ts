/** Writes a past of clicks when one is asked for, rolls what is over, as the worker does every ten seconds, and is ready. */
import { setUpOwner } from "#lib/auth";
import { configOrExit } from "#lib/config";
import { openDomains } from "#lib/domains";
import { closeAll } from "#lib/lifetime";
import { query, sql } from "#lib/postgres";
import { keepRollups, rollDays, rollSlots } from "#lib/rollups";
import { openWorkspace } from "#lib/workspaces";
import { owner } from "./calls.ts";
import { putHistory } from "./history.ts";

configOrExit();
const clicks = Number(process.env["BENCH_CLICKS"] ?? 0);
if (clicks > 0) await fill();
await keepRollups();
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
