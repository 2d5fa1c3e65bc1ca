import { type Connection, query, sql } from "#lib/platform/postgres";
import type { StoredPlan } from "#lib/tenancy/plan-changes";

/** Concurrent calls get different workspaces. Uses workspace_plan_ends. */
export async function lockEnded(tx: Connection, now: Date): Promise<StoredPlan | undefined> {
  // Uses workspace_plan_ends.
  return await tx.one<StoredPlan>(sql`
    SELECT pk AS "workspacePk", id AS "workspaceId", plan, plan_limits AS limits,
      plan_source AS source, plan_ends_at AS "endsAt", trial_at AS "trialAt"
    FROM workspace
    WHERE plan_ends_at <= ${now}
      AND deleted_at IS NULL
    ORDER BY plan_ends_at
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED`);
}

interface EndingPlan {
  workspacePk: number;
  plan: string;
  endsAt: Date;
}

const endingMax = 10_000;

/** Plans that end by `until` and were not announced yet. Subscriptions that will renew do not end. */
export function listEnding(now: Date, until: Date, lastDays: number): Promise<EndingPlan[]> {
  // Uses workspace_plan_ends, billing_account_pkey and plan_warning_pkey.
  return query<EndingPlan>(sql`
    SELECT workspace.pk AS "workspacePk", workspace.plan, workspace.plan_ends_at AS "endsAt"
    FROM workspace
    LEFT JOIN billing_account ON billing_account.workspace_pk = workspace.pk
    WHERE workspace.plan_ends_at > ${now}
      AND workspace.plan_ends_at <= ${until}
      AND workspace.deleted_at IS NULL
      AND (workspace.plan_source <> 'stripe' OR billing_account.cancels_at IS NOT NULL)
      AND (
        workspace.plan <> 'trial'
        OR workspace.plan_ends_at <= ${now}::timestamptz + make_interval(days => ${lastDays})
      )
      AND NOT EXISTS (
        SELECT
        FROM plan_warning
        WHERE plan_warning.workspace_pk = workspace.pk
          AND plan_warning.subject = 'end'
          AND plan_warning.period
            = to_char(workspace.plan_ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          AND (
            plan_warning.level = ${lastDays}
            OR workspace.plan_ends_at > ${now}::timestamptz + make_interval(days => ${lastDays})
          )
      )
    ORDER BY workspace.plan_ends_at
    LIMIT ${endingMax}`);
}

export interface NewWarning {
  workspacePk: number;
  subject: string;
  period: string;
  level: number;
}

/** False: it was announced before. */
export async function insertWarning(tx: Connection, warning: NewWarning): Promise<boolean> {
  const { workspacePk, subject, period, level } = warning;
  return await tx.any(sql`
    INSERT INTO plan_warning (workspace_pk, subject, period, level)
    VALUES (${workspacePk}, ${subject}, ${period}, ${level})
    ON CONFLICT DO NOTHING
    RETURNING level`);
}

export function listOwners(tx: Connection, workspacePk: number): Promise<{ userPk: number }[]> {
  // Uses membership_pkey.
  return tx.query(sql`
    SELECT user_pk AS "userPk"
    FROM membership
    WHERE workspace_pk = ${workspacePk}
      AND role = 'owner'
    ORDER BY user_pk`);
}

interface Owner {
  email: string;
  locale: string | null;
  workspace: string;
  slug: string;
}

/** Only for current owners with a proven address. */
export async function findOwner(workspacePk: number, userPk: number): Promise<Owner | undefined> {
  // Uses membership_pkey, app_user_pkey and workspace_pkey.
  return await query.one<Owner>(sql`
    SELECT app_user.email, app_user.locale, workspace.name AS workspace, workspace.slug
    FROM membership
    JOIN app_user ON app_user.pk = membership.user_pk
    JOIN workspace ON workspace.pk = membership.workspace_pk
    WHERE membership.workspace_pk = ${workspacePk}
      AND membership.user_pk = ${userPk}
      AND membership.role = 'owner'
      AND app_user.email_proven_at IS NOT NULL
      AND workspace.deleted_at IS NULL`);
}
