/** When a link retires, for its page and its form. */
import { parseId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { plainColumns, warningDays } from "#lib/links/link-columns/schema";
import { dueDate } from "#lib/links/link-rows";
import { quarantineDays } from "#lib/links/link-rows/schema";
import { type FoundLink, findRows } from "#lib/links/presenting";
import { withoutHidden } from "#lib/links/visible-links";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type RetirementSettings, rulesOf } from "#lib/tenancy/plans";

export interface RetirementView {
  retiresAt: string | null;
  /** The date, or never, was chosen for this link. */
  own: boolean;
  /** It has a QR design or was scanned, so it may be in print and has no date by default. */
  printed: boolean;
  retiredAt: string | null;
  deletedAt: string | null;
}

export interface RetirementDefault {
  retiresAt: string | null;
  movesWithVisits: boolean;
}

export async function findRetirement(
  scope: WorkspaceScope,
  linkId: string,
): Promise<RetirementView | undefined> {
  const row = await findRow(scope, linkId);
  if (!row) return undefined;
  const retired = row.retired_at?.getTime();
  return {
    retiresAt: dateOf(row)?.toISOString() ?? null,
    own: row.retires_own,
    printed: row.qr !== null || row.scans > 0,
    retiredAt: row.retired_at?.toISOString() ?? null,
    deletedAt:
      retired === undefined ? null : new Date(retired + quarantineDays * dayMs).toISOString(),
  };
}

/** What would happen to a link without its own date. It never retires before its warning. */
export async function findDefault(
  scope: WorkspaceScope,
  linkId: string,
  now: Date,
): Promise<RetirementDefault | undefined> {
  const row = await findRow(scope, linkId);
  if (!row) return undefined;
  const soonest = new Date(now.getTime() + warningDays * dayMs);
  const undated = {
    ...{ retires_own: false, retired_at: null },
    retires_at: row.retires_own ? soonest : row.retires_at,
  };
  return presentDefault(row, dateOf({ ...row, ...undated }));
}

/** What would happen to a link that this person creates now. */
export function newDefault(scope: WorkspaceScope, now: Date): RetirementDefault {
  const fresh = { ...plainColumns, key: "new", url: "new", api_key_pk: null, created_at: now };
  const unvisited = { lastClickAt: null, scans: 0 };
  return presentDefault(scope, dueDate(fresh, unvisited, rulesOf(scope)));
}

function presentDefault(
  { retireFromCreation }: RetirementSettings,
  date: Date | null,
): RetirementDefault {
  return { retiresAt: date?.toISOString() ?? null, movesWithVisits: !retireFromCreation };
}

async function findRow(scope: WorkspaceScope, linkId: string): Promise<FoundLink | undefined> {
  const uuid = parseId("link", linkId);
  const rows = uuid ? await findRows(scope.workspacePk, [uuid]) : [];
  const [row] = await withoutHidden(scope, rows);
  return row;
}

function dateOf(row: FoundLink): Date | null {
  return dueDate(row, { lastClickAt: row.last_click_at, scans: row.scans }, rulesOf(row));
}
