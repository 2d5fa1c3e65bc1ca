/** The subject of a share, and the error when there is no share. */

import { presentId } from "#lib/basics/ids";
import { AppError } from "#lib/platform/errors";
import type { ShareRow } from "./store.ts";

/** The public id of its link, folder or tag; null for the whole workspace. */
export function subjectOf({ kind, subject }: ShareRow): string | null {
  return kind === "link" && subject !== null ? presentId("link", subject) : subject;
}

export function missingShare(): AppError {
  return new AppError("not_found", "Share link not found.");
}
