/** What a link may do beyond a redirect, by the plan of its workspace. */
import { workspaceEntry } from "#lib/platform/cache-sync";
import { log } from "#lib/platform/log";
import { plans } from "./caches.ts";
import type { PlanUses } from "./plan-store.ts";
import type { Target } from "./target.ts";

/** True also while the stores are unavailable: what the link has is more probable than a downgrade. */
export async function mayUse({ workspacePk }: Target, name: keyof PlanUses): Promise<boolean> {
  try {
    return (await plans.find(workspaceEntry(workspacePk)))?.[name] ?? true;
  } catch (error) {
    log.warn({ event: "plan-uses.unavailable", error: String(error) });
    return true;
  }
}
