/** The SQL of quotas: counters with a limit in the statement, counts behind locks, all of them in one query. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import { lockWorkspace } from "#lib/tenancy/access";
import { type CountedName, countedNames, type MonthlyName } from "#lib/tenancy/plans/schema";

/** Adds to the counter of a month unless it would exceed `max`; false: nothing was added. */
export async function addToMonth(
  tx: Connection,
  workspacePk: number,
  {
    month,
    name,
    count,
    max,
  }: { month: string; name: MonthlyName | "first_links"; count: number; max: number },
): Promise<boolean> {
  // Answered by quota_use_pkey. The row is locked until the transaction ends, so the sum is exact.
  const rows = await tx.query(sql`
    INSERT INTO quota_use (workspace_pk, name, month, used)
    SELECT ${workspacePk}, ${name}, ${month}::date, ${count}
    WHERE ${count}::bigint <= ${max}::bigint
    ON CONFLICT (workspace_pk, name, month) DO UPDATE
    SET used = quota_use.used + excluded.used
    WHERE quota_use.used + excluded.used <= ${max}::bigint
    RETURNING used`);
  return rows.length === 1;
}

/** The SQL that counts the objects of a workspace. Each is answered by the index that starts with workspace_pk. */
const counts: Readonly<Record<CountedName, (workspace: string) => string>> = {
  domains: (workspace) => `SELECT count(*) AS held FROM domain WHERE workspace_pk = ${workspace}`,
  tags: (workspace) => `SELECT count(*) AS held FROM tag WHERE workspace_pk = ${workspace}`,
  folders: (workspace) => `SELECT count(*) AS held FROM folder WHERE workspace_pk = ${workspace}`,
  members: (workspace) =>
    `SELECT count(*) AS held FROM membership WHERE workspace_pk = ${workspace}`,
  // The key of a removed member no longer works.
  apiKeys: (workspace) => `
    SELECT count(*) AS held
    FROM api_key
    JOIN membership
      ON membership.workspace_pk = api_key.workspace_pk
      AND membership.user_pk = api_key.user_pk
    WHERE api_key.workspace_pk = ${workspace}
      AND api_key.revoked_at IS NULL`,
};

/** The number of objects, behind a lock that concurrent calls wait for until the transaction ends. */
export async function countExisting(
  tx: Connection,
  workspacePk: number,
  name: CountedName,
): Promise<number> {
  // A statement of its own: one that waits for a lock counts the rows from before the wait.
  await lockWorkspace(tx, workspacePk);
  const [row] = await tx.query<{ held: number }>({
    text: counts[name]("$1"),
    values: [workspacePk],
  });
  return row?.held ?? 0;
}

/** A column for each counted quota of a workspace. */
export function countColumns(workspace: string): string {
  return countedNames
    .map((name) => `(${counts[name](workspace)}) AS "${name}"`)
    .join(",\n        ");
}

/** The usage of all quotas, in one query. */
export async function readCounts(
  workspacePk: number,
  month: string,
): Promise<Record<CountedName | MonthlyName, number>> {
  const [row] = await query<Record<CountedName | MonthlyName, number>>({
    // The links by quota_use_pkey.
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
