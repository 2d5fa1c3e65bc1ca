/** Reading what was done in a workspace. */
import { findDeeds } from "#lib/audit";
import type { AuditEntry, AuditQuery } from "#lib/audit/schema";
import { AppError } from "#lib/errors";
import { parseId } from "#lib/ids";
import { assertMay, type WorkspaceScope } from "./scope.ts";

/** A page of entries, the newest first. */
export function listAudit(scope: WorkspaceScope, asked: AuditQuery): Promise<AuditEntry[]> {
  assertMay(scope, "audit.read");
  const { pageSize, since, until, startingAfter, endingBefore, ...exact } = asked;
  return findDeeds(scope.workspacePk, {
    ...exact,
    size: pageSize,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    startingAfter: uuidOf("startingAfter", startingAfter),
    endingBefore: uuidOf("endingBefore", endingBefore),
  });
}

function uuidOf(field: string, id: string | undefined): string | undefined {
  const uuid = id === undefined ? undefined : parseId("aud", id);
  if (id === undefined || uuid !== undefined) return uuid;
  throw new AppError("unprocessable_entity", `${field}: give the id of an entry, such as aud_….`);
}
