/**
 * Limits the first day's links on shared domains, so that abuse is noticed in time. The count is
 * exact: one conditional UPDATE per batch, in the transaction of the links.
 */
import { hourMs } from "#lib/basics/time/schema";
import { config } from "#lib/platform/config";
import type { Connection } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { addToMonth } from "./store.ts";

const newHours = 24;

type FirstLinksOutcome =
  | { ok: true }
  | { ok: false; message: string; details: { max: number; hours: number } };

/** The instance itself (its demo) has no limit. */
export function limitsFirstLinks(scope: WorkspaceScope, now = Date.now()): boolean {
  if (config().FUXI_NEW_WORKSPACE_LINKS === 0 || scope.userPk === null) return false;
  return now < endOf(scope);
}

function endOf({ createdAt }: WorkspaceScope): number {
  return createdAt.getTime() + newHours * hourMs;
}

/** Takes all or nothing, in the transaction that creates the links. */
export async function takeFirstLinks(
  tx: Connection,
  scope: WorkspaceScope,
  count: number,
  now = Date.now(),
): Promise<FirstLinksOutcome> {
  if (count === 0 || !limitsFirstLinks(scope, now)) return { ok: true };
  const max = config().FUXI_NEW_WORKSPACE_LINKS;
  if (await addFirstLinks(tx, scope, count, max)) return { ok: true };
  const hours = Math.ceil((endOf(scope) - now) / hourMs);
  return {
    ok: false,
    message: `A new workspace can create ${max} links on the domains of this instance in its first ${newHours} hours. Use your own domain, or try again in ${hours} ${hours === 1 ? "hour" : "hours"}.`,
    details: { max, hours },
  };
}

export async function returnFirstLinks(
  tx: Connection,
  scope: WorkspaceScope,
  count: number,
): Promise<void> {
  if (count === 0) return;
  await addFirstLinks(tx, scope, -count, config().FUXI_NEW_WORKSPACE_LINKS);
}

async function addFirstLinks(
  tx: Connection,
  { workspacePk, createdAt }: WorkspaceScope,
  count: number,
  max: number,
): Promise<boolean> {
  const month = `${createdAt.toISOString().slice(0, 7)}-01`;
  return await addToMonth(tx, workspacePk, { month, name: "first_links", count, max });
}
