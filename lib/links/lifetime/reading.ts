/** When a link retires, computed from its visits before the daily check writes a date. */
import { parseId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { quarantineDays, warningDays } from "#lib/links/link-rows/schema";
import { withoutHidden } from "#lib/links/visible-links";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type RetirementSettings, rulesOf } from "./store.ts";

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

interface DatedRow extends RetirementSettings {
  ofApi: boolean;
  printed: boolean;
  retiresAt: Date | null;
  createdAt: Date;
  lastClickAt: Date | null;
}

interface ReadRow extends DatedRow {
  domain_pk: number;
  folder_pk: number | null;
  own: boolean;
  retiredAt: Date | null;
}

export async function findRetirement(
  scope: WorkspaceScope,
  linkId: string,
): Promise<RetirementView | undefined> {
  const row = await findRow(scope, linkId);
  if (!row) return undefined;
  const retired = row.retiredAt?.getTime();
  return {
    retiresAt: (row.own ? row.retiresAt : dateOf(row))?.toISOString() ?? null,
    own: row.own,
    printed: row.printed,
    retiredAt: row.retiredAt?.toISOString() ?? null,
    deletedAt:
      retired === undefined ? null : new Date(retired + quarantineDays * dayMs).toISOString(),
  };
}

/** What would happen to a link without its own date. It never retires before its warning. */
export async function findDefault(scope: WorkspaceScope, linkId: string, now: Date) {
  const row = await findRow(scope, linkId);
  if (!row) return undefined;
  const soonest = new Date(now.getTime() + warningDays * dayMs);
  return presentDefault({ ...row, retiresAt: row.own ? soonest : row.retiresAt });
}

export async function findSettings(workspacePk: number): Promise<RetirementSettings | undefined> {
  // Answered by workspace_pkey.
  const [settings] = await query<RetirementSettings>(sql`
    SELECT plan, retire_api_days AS "retireApiDays", retire_people_days AS "retirePeopleDays",
      retire_from_creation AS "retireFromCreation"
    FROM workspace
    WHERE pk = ${workspacePk}`);
  return settings;
}

export async function findNewDefault(workspacePk: number, now: Date) {
  const settings = await findSettings(workspacePk);
  const fresh = {
    ofApi: false,
    printed: false,
    createdAt: now,
    lastClickAt: null,
    retiresAt: null,
  };
  return settings && presentDefault({ ...settings, ...fresh });
}

function presentDefault(row: DatedRow): RetirementDefault {
  return {
    retiresAt: dateOf(row)?.toISOString() ?? null,
    movesWithVisits: !row.retireFromCreation,
  };
}

async function findRow(scope: WorkspaceScope, linkId: string): Promise<ReadRow | undefined> {
  const { workspacePk } = scope;
  // Answered by link_workspace, workspace_pkey and link_stat_pkey.
  const rows = await query<ReadRow>(sql`
    SELECT link.domain_pk, link.folder_pk, link.api_key_pk IS NOT NULL AS "ofApi", link.retires_own AS own,
      link.printed, link.retires_at AS "retiresAt", link.retired_at AS "retiredAt",
      link.created_at AS "createdAt", link.last_click_at AS "lastClickAt", workspace.plan,
      workspace.retire_api_days AS "retireApiDays",
      workspace.retire_people_days AS "retirePeopleDays",
      workspace.retire_from_creation AS "retireFromCreation"
    FROM (
      SELECT link.workspace_pk, link.domain_pk, link.folder_pk, link.api_key_pk, link.retires_own,
        link.retires_at, link.retired_at, link.created_at, link_stat.last_click_at,
        link.qr IS NOT NULL OR coalesce(link_stat.scans > 0, false) AS printed
      FROM link
      LEFT JOIN link_stat ON link_stat.link_pk = link.pk
      WHERE link.workspace_pk = ${workspacePk}
        AND link.id = ${parseId("link", linkId) ?? null}::uuid
      LIMIT 1
    ) AS link
    JOIN workspace ON workspace.pk = link.workspace_pk`);
  const [row] = await withoutHidden(scope, rows);
  return row;
}

/** A written date may be later, because it never moves into the warning period. */
function dateOf(row: DatedRow): Date | undefined {
  const rules = rulesOf(row);
  const days = row.ofApi ? rules.apiDays : rules.peopleDays;
  if (days === 0 || row.printed) return undefined;
  const visited = rules.fromCreation ? 0 : (row.lastClickAt?.getTime() ?? 0);
  const computed = Math.max(row.createdAt.getTime(), visited) + days * dayMs;
  return new Date(Math.max(computed, row.retiresAt?.getTime() ?? 0));
}
