/** Whether a visit's query parameters are added to the destination: the link says so, or its workspace. */
import { workspaceEntry } from "#lib/platform/cache-sync";
import { log } from "#lib/platform/log";
import { withTimeout } from "#lib/platform/timeouts";
import { forwarding } from "./caches.ts";
import type { Target } from "./target.ts";

const waitMs = 300;
const timedOut = new Error("Loading the forwarding of a workspace timed out");

/**
 * True when a plain link may not answer from memory alone: the visit has a query, and the workspace forwards it, or is
 * not in memory yet. A visit without a query costs the search for its question mark.
 */
export function mayForward(url: string, target: Target, now: number): boolean {
  return url.includes("?") && forwarding.peek(workspaceEntry(target.workspacePk), now) !== false;
}

/** False also while the stores are unavailable: the destination works without the parameters. */
export async function isForwarded(target: Target, query: string): Promise<boolean> {
  if (query === "") return false;
  const own = target.extras?.forwardQuery;
  if (own !== undefined) return own;
  try {
    const found = await withTimeout(
      waitMs,
      () => forwarding.find(workspaceEntry(target.workspacePk)),
      () => timedOut,
    );
    return found === true;
  } catch (error) {
    if (error !== timedOut) log.warn({ event: "forwarding.unavailable", error: String(error) });
    return false;
  }
}
