/** The usage of all workspaces with limits, for the job that announces when one is near. */
import { query } from "#lib/platform/postgres";
import type { OwnLimits, QuotaName } from "#lib/tenancy/plans/schema";
import { countColumns } from "./store.ts";

export interface UsedQuotas extends Readonly<Record<QuotaName, number>> {
  workspacePk: number;
  plan: string;
  limits: OwnLimits | null;
  /** The first day of the month in the workspace's zone. */
  month: string;
}

/** Workspaces per query. */
const usedRows = 500;

/** The usage of workspaces with limits, after one of them. */
export function listUsage(
  now: Date,
  limitedPlans: readonly string[],
  afterPk: number,
): Promise<UsedQuotas[]> {
  return query<UsedQuotas>({
    // Answered by workspace_pkey, and for each row by the indexes that start with workspace_pk.
    text: `
      SELECT
        workspace.pk AS "workspacePk",
        workspace.plan,
        workspace.plan_limits AS limits,
        to_char(period.month, 'YYYY-MM-DD') AS month,
        coalesce(quota_use.used, 0) AS links,
        ${countColumns("holder")}
      FROM workspace
      CROSS JOIN LATERAL (
        SELECT
          date_trunc('month', $1::timestamptz AT TIME ZONE workspace.zone)::date AS month,
          workspace.pk AS holder
      ) AS period
      LEFT JOIN quota_use
        ON quota_use.workspace_pk = workspace.pk
        AND quota_use.name = 'links'
        AND quota_use.month = period.month
      WHERE workspace.pk > $2
        AND workspace.deleted_at IS NULL
        AND (workspace.plan = ANY($3::text[]) OR workspace.plan_limits IS NOT NULL)
      ORDER BY workspace.pk
      LIMIT ${usedRows}`,
    values: [now, afterPk, limitedPlans],
  });
}
