/** The object that a share is about, and the annotations on its chart. */
import { listAnnotations } from "#lib/analytics/annotations";
import type { Annotation } from "#lib/analytics/annotations/schema";
import { presentId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { resolveFolder } from "#lib/links/folders";
import { getLink } from "#lib/links/reading";
import { AppError } from "#lib/platform/errors";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import type { NewShare } from "./schema.ts";
import { findTagPk, type ShareRow } from "./store.ts";

/** Null for the whole workspace. Throws not_found. */
export async function findSubject(scope: WorkspaceScope, body: NewShare): Promise<number | null> {
  const { kind, subjectId = "" } = body;
  if (kind === "link") return (await getLink(scope, subjectId)).pk;
  if (kind === "folder") {
    const folder = await resolveFolder(scope, subjectId, "read");
    if (folder.ok) return folder.pk;
    throw new AppError("not_found", folder.message);
  }
  // Workspace and tag shares include all folders, even those hidden from other members.
  assertMay(scope, "workspace.write");
  if (kind === "workspace") return null;
  const pk = /^tag_[0-9A-Z]{26}$/.test(subjectId)
    ? await findTagPk(scope.workspacePk, subjectId)
    : undefined;
  if (pk === undefined) throw new AppError("not_found", "Tag not found in this workspace.");
  return pk;
}

/** Only from days that the share shows, and only if it includes them and the chart. */
export async function annotationsOf(
  { annotations, parts, days_max: daysMax }: ShareRow,
  scope: WorkspaceScope,
): Promise<Annotation[]> {
  // defence: share-annotations
  if (!annotations || !parts.includes("series")) return [];
  const since = daysMax === null ? undefined : new Date(Date.now() - daysMax * dayMs);
  return await listAnnotations(scope, since);
}

/** The public id of the link, folder or tag; null for the whole workspace. */
export function subjectOf({ kind, subject }: ShareRow): string | null {
  return kind === "link" && subject !== null ? presentId("link", subject) : subject;
}

export function missingShare(): AppError {
  return new AppError("not_found", "Share link not found.");
}
