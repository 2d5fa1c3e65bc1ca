/** A plan is changed by an administrator, by a payment, or because it ends. Cached keys are renewed too. */
import { newId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import {
  type CacheChange,
  publishChanges,
  recordChanges,
  takeRevision,
  workspaceEntry,
} from "#lib/platform/cache-sync";
import type { PlanName } from "#lib/platform/config/schema";
import { AppError } from "#lib/platform/errors";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { recordKeyChanges } from "#lib/tenancy/key-changes";
import { auditLook, type OperatorScope } from "#lib/tenancy/operators";
import { planOf } from "#lib/tenancy/plans";
import type { OwnLimits } from "#lib/tenancy/plans/schema";
import { type PlanSource, type PlanState, type SetPlan, trialDays } from "./schema.ts";
import { findState, lockPlan, recordPayment, type StoredPlan, updatePlan } from "./store.ts";

export {
  isPaymentKnown,
  lockPayment,
  lockPlan,
  recordPayment,
  type StoredPayment,
  type StoredPlan,
  settlePayment,
} from "./store.ts";

export interface PlanChange {
  plan: PlanName;
  limits: OwnLimits | null;
  source: PlanSource;
  endsAt: Date | null;
}

interface ChangeNote {
  actor: string;
  action: "plan.change" | "plan.end";
  reason: string | null;
}

/** The transaction must have locked the workspace. Publish the changes after its commit. */
export async function applyPlan(
  tx: Connection,
  before: StoredPlan,
  change: PlanChange,
  { actor, action, reason }: ChangeNote,
): Promise<CacheChange[]> {
  await updatePlan(tx, before.workspacePk, change);
  const details = {
    plan: { from: before.plan, to: change.plan },
    limits: { from: before.limits, to: change.limits },
    endsAt: { from: before.endsAt, to: change.endsAt },
    source: change.source,
    ...(reason === null ? {} : { reason }),
  };
  const { workspacePk, workspaceId } = before;
  await recordAudit(tx, [{ workspacePk, actor, action, subject: workspaceId, details }]);
  const visits = { entry: workspaceEntry(workspacePk), revision: await takeRevision(tx) };
  await recordChanges(tx, [visits]);
  return [...(await recordKeyChanges(tx, workspacePk, null)), visits];
}

export async function readPlanState({ workspacePk }: WorkspaceScope): Promise<PlanState> {
  const row = await findState({ workspacePk });
  if (!row) throw new AppError("not_found", "This workspace has been deleted.");
  return presentState(row);
}

export interface OperatorPlan {
  workspaceId: string;
  name: string;
  state: PlanState;
}

export async function findPlanOf(
  operator: OperatorScope,
  workspace: string,
): Promise<OperatorPlan | undefined> {
  const row = await findState({ workspace });
  if (!row) return undefined;
  const { workspacePk, workspaceId, name } = row;
  await auditLook(operator, workspacePk, { subject: workspaceId, details: { viewed: "plan" } });
  return { workspaceId, name, state: presentState(row) };
}

export async function readPlanOf(operator: OperatorScope, workspace: string): Promise<PlanState> {
  const found = await findPlanOf(operator, workspace);
  return (found ?? missing(workspace)).state;
}

export async function setPlan(
  operator: OperatorScope,
  workspace: string,
  body: SetPlan,
  now = new Date(),
): Promise<PlanState> {
  const endsAt = endOf(body, now);
  if (endsAt && endsAt <= now) {
    throw new AppError("unprocessable_entity", "endsAt: Use a date in the future.");
  }
  const found = (await findState({ workspace })) ?? missing(workspace);
  const { invoice } = body;
  const changes = await transaction(async (tx) => {
    const before = (await lockPlan(tx, found.workspacePk)) ?? missing(workspace);
    if (invoice) await recordInvoice(tx, before, body, endsAt);
    if (body.plan === "trial" && before.plan !== "trial" && before.trialAt) throw hadTrial();
    const limits = body.limits && Object.keys(body.limits).length > 0 ? body.limits : null;
    const source = invoice ? "manual" : "operator";
    const change: PlanChange = { plan: body.plan, limits, source, endsAt };
    return await applyPlan(tx, before, change, {
      actor: operator.actor,
      action: "plan.change",
      reason: body.reason,
    });
  });
  await publishChanges(changes);
  return presentState((await findState({ workspace })) ?? missing(workspace));
}

function endOf({ plan, endsAt }: SetPlan, now: Date): Date | null {
  if (endsAt) return new Date(endsAt);
  return plan === "trial" ? new Date(now.getTime() + trialDays * dayMs) : null;
}

function hadTrial(): AppError {
  const message = "This workspace has already used its trial. Choose another plan.";
  return new AppError("conflict", message, { problem: "had_trial" });
}

async function recordInvoice(
  tx: Connection,
  { workspacePk }: StoredPlan,
  { plan, invoice }: SetPlan,
  paidUntil: Date | null,
): Promise<void> {
  if (!invoice) return;
  const { number: reference, amount, currency } = invoice;
  const isNew = await recordPayment(tx, {
    ...{ id: newId("pay"), workspacePk, kind: "manual", plan, reference, amount, currency },
    ...{ paidUntil, outcome: "applied" },
  });
  if (isNew) return;
  throw new AppError(
    "conflict",
    `invoice.number: Invoice "${reference}" has already been entered. Check the number.`,
  );
}

export async function listPayments({ workspacePk }: WorkspaceScope): Promise<PlanPayment[]> {
  // Uses plan_payment_workspace_pk_created_at_idx.
  const rows = await query<
    Omit<PlanPayment, "at" | "paidUntil"> & { at: Date; until: Date | null }
  >(sql`
  SELECT id, kind, plan, reference, amount, currency, outcome, created_at AS at,
    paid_until AS until
  FROM plan_payment
  WHERE workspace_pk = ${workspacePk}
  ORDER BY created_at DESC
  LIMIT ${paymentsShownMax}`);
  return rows.map(({ at, until, ...row }) => ({
    ...row,
    at: at.toISOString(),
    paidUntil: until?.toISOString() ?? null,
  }));
}

const paymentsShownMax = 20;

interface PlanPayment {
  id: string;
  kind: string;
  plan: string;
  reference: string;
  amount: string;
  currency: string;
  outcome: string;
  at: string;
  paidUntil: string | null;
}

function presentState(row: StoredPlan): PlanState {
  return {
    plan: planOf(row.plan),
    limits: row.limits,
    source: row.source,
    endsAt: row.endsAt?.toISOString() ?? null,
    trialAt: row.trialAt?.toISOString() ?? null,
  };
}

function missing(workspace: string): never {
  throw new AppError("not_found", `Workspace "${workspace}" not found.`);
}
