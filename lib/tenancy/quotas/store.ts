import { type Connection, query, sql } from "#lib/platform/postgres";
import { lockWorkspace } from "#lib/tenancy/access";
import {
  type CountedName,
  countedNames,
  type MonthlyName,
  type OwnLimits,
  type QuotaName,
} from "#lib/tenancy/plans/schema";

export async function addToMonth(
  tx: Connection,
  workspacePk: number,
  use: { month: string; name: MonthlyName | "first_links"; count: number; max: number },
): Promise<boolean> {
  const { month, name, count, max } = use;
  // Uses quota_use_pkey. The row is locked until the transaction ends, so the sum is exact.
  return await tx.any(sql`
    INSERT INTO quota_use (workspace_pk, name, month, used)
    SELECT ${workspacePk}, ${name}, ${month}::date, ${count}
    WHERE ${count}::bigint <= ${max}::bigint
    ON CONFLICT (workspace_pk, name, month) DO UPDATE
    SET used = quota_use.used + excluded.used
    WHERE quota_use.used + excluded.used <= ${max}::bigint
    RETURNING used`);
}

/** SQL that counts objects, each with the index that starts with workspace_pk. */
const counts: Readonly<Record<CountedName, (workspace: string) => string>> = {
  domains: (workspace) => `SELECT count(*) AS held FROM domain WHERE workspace_pk = ${workspace}`,
  tags: (workspace) => `SELECT count(*) AS held FROM tag WHERE workspace_pk = ${workspace}`,
  folders: (workspace) => `SELECT count(*) AS held FROM folder WHERE workspace_pk = ${workspace}`,
  members: (workspace) =>
    `SELECT count(*) AS held FROM membership WHERE workspace_pk = ${workspace}`,
  // Keys of removed members no longer work.
  apiKeys: (workspace) => `
    SELECT count(*) AS held
    FROM api_key
    JOIN membership
      ON membership.workspace_pk = api_key.workspace_pk
      AND membership.user_pk = api_key.user_pk
    WHERE api_key.workspace_pk = ${workspace}
      AND api_key.revoked_at IS NULL`,
};

/** Concurrent calls wait until the transaction ends. */
export async function countExisting(
  tx: Connection,
  workspacePk: number,
  name: CountedName,
): Promise<number> {
  // Lock in a separate statement: one that waits for a lock would count the rows from before the wait.
  await lockWorkspace(tx, workspacePk);
  const [row] = await tx.query<{ held: number }>({
    text: counts[name]("$1"),
    values: [workspacePk],
  });
  return row?.held ?? 0;
}

function countColumns(workspace: string): string {
  return countedNames
    .map((name) => `(${counts[name](workspace)}) AS "${name}"`)
    .join(",\n        ");
}

export async function readCounts(
  workspacePk: number,
  month: string,
): Promise<Record<CountedName | MonthlyName, number>> {
  const [row] = await query<Record<CountedName | MonthlyName, number>>({
    // Counts links with quota_use_pkey.
    text: `
      SELECT
        ${countColumns("$1")},
        coalesce(
          (
            SELECT used
            FROM quota_use
            WHERE workspace_pk = $1
              AND name = 'links'
              AND month = $2::date
          ),
          0
        ) AS links`,
    values: [workspacePk, month],
  });
  if (!row) throw new Error("A SELECT without FROM returned no row");
  return row;
}

export interface UsedQuotas extends Readonly<Record<QuotaName, number>> {
  workspacePk: number;
  plan: string;
  limits: OwnLimits | null;
  month: string;
}

const usedRows = 500;

export function listUsage(
  now: Date,
  limitedPlans: readonly string[],
  afterPk: number,
): Promise<UsedQuotas[]> {
  return query<UsedQuotas>({
    // Uses workspace_pkey, and for each row the indexes that start with workspace_pk.
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
