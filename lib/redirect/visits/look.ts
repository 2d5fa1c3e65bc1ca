/** Finds the branding of a workspace's pages, with a short timeout. */

import { lookEntry } from "#lib/links/link-cache";
import { log } from "#lib/platform/log";
import { withTimeout } from "#lib/platform/timeouts";
import { looks } from "./caches.ts";
import type { Look } from "./look-style.ts";

const waitMs = 300;
const tooLate = new Error("Loading the branding timed out");

/** Undefined: the default, also while the stores are unavailable. */
export async function findLook(workspacePk: number | undefined): Promise<Look | undefined> {
  if (workspacePk === undefined) return undefined;
  try {
    return await withTimeout(
      waitMs,
      () => looks.find(lookEntry(workspacePk)),
      () => tooLate,
    );
  } catch (error) {
    if (error !== tooLate) log.warn({ event: "look.unavailable", error: String(error) });
    return undefined;
  }
}
