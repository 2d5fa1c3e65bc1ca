/** Stripe customers and the fetched state of their subscriptions. */
import { type Connection, query, sql } from "#lib/platform/postgres";

export interface Account {
  workspacePk: number;
  customerId: string;
  subscriptionId: string | null;
  plan: string | null;
  status: string | null;
  periodEndsAt: Date | null;
  cancelsAt: Date | null;
}

const columns = `workspace_pk AS "workspacePk", customer_id AS "customerId",
  subscription_id AS "subscriptionId", plan, status, period_ends_at AS "periodEndsAt",
  cancels_at AS "cancelsAt"`;

export async function findAccount(workspacePk: number): Promise<Account | undefined> {
  return await query.one<Account>({
    // Uses billing_account_pkey.
    text: `SELECT ${columns} FROM billing_account WHERE workspace_pk = $1`,
    values: [workspacePk],
  });
}

export async function findWorkspacePk(customerId: string): Promise<number | undefined> {
  // Uses billing_account_customer_id_key.
  const [row] = await query<{ workspacePk: number }>(sql`
    SELECT workspace_pk AS "workspacePk"
    FROM billing_account
    WHERE customer_id = ${customerId}`);
  return row?.workspacePk;
}

export async function insertAccount(workspacePk: number, customerId: string): Promise<string> {
  // If two calls run at once, either unique index may conflict.
  await query(sql`
    INSERT INTO billing_account (workspace_pk, customer_id)
    VALUES (${workspacePk}, ${customerId})
    ON CONFLICT DO NOTHING`);
  const account = await findAccount(workspacePk);
  if (!account) throw new Error(`Customer ${customerId} has the account of another workspace`);
  return account.customerId;
}

/** Only later fetches may replace what this one stores. */
export async function beginFetch(workspacePk: number): Promise<number> {
  const [row] = await query<{ fetches: number }>(sql`
    UPDATE billing_account
    SET fetches = fetches + 1
    WHERE workspace_pk = ${workspacePk}
    RETURNING fetches`);
  return row?.fetches ?? 0;
}

export type FetchedState = Omit<Account, "workspacePk" | "customerId">;

export async function writeFetched(
  tx: Connection,
  workspacePk: number,
  fetch: number,
  state: FetchedState,
  now: Date,
): Promise<boolean> {
  return await tx.any(
    // defence: stripe-later-fetch-wins
    sql`
      UPDATE billing_account
      SET written = ${fetch},
        subscription_id = ${state.subscriptionId},
        plan = ${state.plan},
        status = ${state.status},
        period_ends_at = ${state.periodEndsAt},
        cancels_at = ${state.cancelsAt},
        fetched_at = ${now}
      WHERE workspace_pk = ${workspacePk}
        AND written < ${fetch}
      RETURNING written`,
  );
}

const refreshedMax = 1_000;

/** Customers for whom an event was lost, the period is over, or a plan that had priority has ended. */
export function listStale(now: Date, live: readonly string[]): Promise<{ customerId: string }[]> {
  // One row per customer: a short table.
  return query(sql`
    SELECT billing_account.customer_id AS "customerId"
    FROM billing_account
    JOIN workspace ON workspace.pk = billing_account.workspace_pk
    WHERE workspace.deleted_at IS NULL
      AND (
        billing_account.status = ANY(${live}::text[])
        OR billing_account.status IN ('unpaid', 'paused', 'incomplete')
      )
      AND (billing_account.period_ends_at < ${now} OR workspace.plan_source = 'default')
      AND billing_account.fetched_at < ${now}::timestamptz - interval '1 hour'
    ORDER BY billing_account.fetched_at
    LIMIT ${refreshedMax}`);
}

export function listAbandoned(
  live: readonly string[],
): Promise<{ workspacePk: number; subscriptionId: string }[]> {
  // One row per customer: a short table.
  return query(sql`
    SELECT billing_account.workspace_pk AS "workspacePk",
      billing_account.subscription_id AS "subscriptionId"
    FROM billing_account
    JOIN workspace ON workspace.pk = billing_account.workspace_pk
    WHERE workspace.deleted_at IS NOT NULL
      AND billing_account.subscription_id IS NOT NULL
      AND billing_account.status = ANY(${live}::text[])
      AND billing_account.cancels_at IS NULL
    LIMIT ${refreshedMax}`);
}

export async function writeCanceled(workspacePk: number): Promise<void> {
  await query(sql`
    UPDATE billing_account
    SET cancels_at = coalesce(period_ends_at, now())
    WHERE workspace_pk = ${workspacePk}`);
}
