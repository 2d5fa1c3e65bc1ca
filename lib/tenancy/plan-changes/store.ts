import { type Connection, query, sql } from "#lib/platform/postgres";
import type { OwnLimits } from "#lib/tenancy/plans/schema";
import type { PlanChange } from "./index.ts";
import type { PlanSource } from "./schema.ts";

export interface StoredPlan {
  workspacePk: number;
  workspaceId: string;
  plan: string;
  limits: OwnLimits | null;
  source: PlanSource;
  endsAt: Date | null;
  trialAt: Date | null;
}

const columns = `pk AS "workspacePk", id AS "workspaceId", plan, plan_limits AS limits,
  plan_source AS source, plan_ends_at AS "endsAt", trial_at AS "trialAt"`;

export async function findState(
  by: { workspacePk: number } | { workspace: string },
): Promise<(StoredPlan & { name: string }) | undefined> {
  // Uses workspace_pkey, or workspace_id_key and workspace_slug_key. Slugs never look like ids.
  const [condition, value] =
    "workspacePk" in by ? ["pk = $1", by.workspacePk] : ["(id = $1 OR slug = $1)", by.workspace];
  return await query.one<StoredPlan & { name: string }>({
    text: `SELECT ${columns}, name FROM workspace WHERE ${condition} AND deleted_at IS NULL`,
    values: [value],
  });
}

export async function lockPlan(
  tx: Connection,
  workspacePk: number,
): Promise<StoredPlan | undefined> {
  return await tx.one<StoredPlan>({
    text: `
      SELECT ${columns}
      FROM workspace
      WHERE pk = $1
        AND deleted_at IS NULL
      FOR NO KEY UPDATE`,
    values: [workspacePk],
  });
}

export async function updatePlan(
  tx: Connection,
  workspacePk: number,
  { plan, limits, source, endsAt }: PlanChange,
): Promise<void> {
  await tx.query(sql`
    UPDATE workspace
    SET plan = ${plan},
      plan_limits = ${limits === null ? null : JSON.stringify(limits)}::jsonb,
      plan_source = ${source},
      plan_ends_at = ${endsAt},
      trial_at = CASE WHEN ${plan} = 'trial' THEN coalesce(trial_at, now()) ELSE trial_at END
    WHERE pk = ${workspacePk}`);
}

export interface NewPayment {
  id: string;
  workspacePk: number;
  kind: "manual" | "prepaid" | "trial";
  plan: string;
  reference: string;
  amount: string;
  currency: string;
  paidUntil: Date | null;
  outcome: "applied" | "refunded";
}

export async function recordPayment(tx: Connection, payment: NewPayment): Promise<boolean> {
  const { id, workspacePk, kind, plan, reference, amount, currency, paidUntil, outcome } = payment;
  return await tx.any(sql`
    INSERT INTO plan_payment
      (id, workspace_pk, kind, plan, reference, amount, currency, paid_until, outcome)
    VALUES (
      ${id}, ${workspacePk}, ${kind}, ${plan}, ${reference}, ${amount}, ${currency},
      ${paidUntil}, ${outcome}
    )
    ON CONFLICT (kind, reference) DO NOTHING
    RETURNING id`);
}

export interface StoredPayment {
  id: string;
  workspacePk: number;
  plan: string;
  outcome: "applied" | "refunded" | "disputed";
  takenSeconds: number | null;
}

export async function lockPayment(
  tx: Connection,
  kind: string,
  reference: string,
): Promise<StoredPayment | undefined> {
  // Uses plan_payment_kind_reference_key.
  return await tx.one<StoredPayment>(sql`
    SELECT id, workspace_pk AS "workspacePk", plan, outcome, taken_seconds AS "takenSeconds"
    FROM plan_payment
    WHERE kind = ${kind}
      AND reference = ${reference}
    FOR UPDATE`);
}

export async function settlePayment(
  tx: Connection,
  { id }: StoredPayment,
  outcome: StoredPayment["outcome"],
  takenSeconds: number | null,
): Promise<void> {
  await tx.query(sql`
    UPDATE plan_payment
    SET outcome = ${outcome},
      taken_seconds = ${takenSeconds}
    WHERE id = ${id}`);
}

export async function isPaymentKnown(kind: string, reference: string): Promise<boolean> {
  // Uses plan_payment_kind_reference_key.
  return await query.any(sql`
    SELECT
    FROM plan_payment
    WHERE kind = ${kind}
      AND reference = ${reference}`);
}
