/** Finds the look of a workspace's pages. A page never waits for it longer than for a blink. */

import { lookEntry } from "#lib/links/link-cache";
import { log } from "#lib/platform/log";
import { looks } from "./caches.ts";
import type { Look } from "./look-style.ts";

const waitMs = 300;

/** Undefined: the plain look, also while nobody can be asked. */
export async function findLook(workspacePk: number | undefined): Promise<Look | undefined> {
  if (workspacePk === undefined) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs);
  });
  try {
    return await Promise.race([looks.find(lookEntry(workspacePk)), late]);
  } catch (error) {
    log.warn({ event: "look.unavailable", error: String(error) });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
