/** Finds the branding of a workspace's pages, with a short timeout. */

import { brandingEntry } from "#lib/links/link-cache";
import { log } from "#lib/platform/log";
import { withTimeout } from "#lib/platform/timeouts";
import type { CompiledBranding } from "./branding-style.ts";
import { brandings } from "./caches.ts";

const waitMs = 300;
const timedOut = new Error("Loading the branding timed out");

/** Undefined: the default, also while the stores are unavailable. */
export async function findBranding(
  workspacePk: number | undefined,
): Promise<CompiledBranding | undefined> {
  if (workspacePk === undefined) return undefined;
  try {
    return await withTimeout(
      waitMs,
      () => brandings.find(brandingEntry(workspacePk)),
      () => timedOut,
    );
  } catch (error) {
    if (error !== timedOut) log.warn({ event: "look.unavailable", error: String(error) });
    return undefined;
  }
}
