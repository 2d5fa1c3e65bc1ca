/** For end-to-end tests: what an administrator or a job does with the plan of a workspace. Needs the settings of the instance. */
import type { PlanName } from "#lib/platform/config/schema";
import type { OwnLimits } from "#lib/tenancy/plans/schema";

/** Sets the plan, as the command line of the server does. */
export async function givePlan(
  slug: string,
  plan: PlanName,
  { limits = null, endsAt = null }: { limits?: OwnLimits | null; endsAt?: Date | null } = {},
): Promise<void> {
  const { setPlan } = await import("#lib/tenancy/plan-changes");
  const { operatorOfCommandLine } = await import("#lib/tenancy/operators");
  const body = { plan, limits, endsAt: endsAt?.toISOString() ?? null, reason: "Test" };
  await setPlan(operatorOfCommandLine(), slug, body);
}

/** Ends and announces plans, and announces usage, as the jobs do at a moment. */
export async function runPlanJobs(now: Date): Promise<void> {
  const { reviewPlans, warnOfUsage } = await import("#lib/tenancy/plan-warnings");
  await reviewPlans(now);
  await warnOfUsage(now);
}

/** The cookie of a new administrator. */
export async function operatorCookie(name: string): Promise<string> {
  const { makeTestOperator } = await import("./operators.ts");
  return (await makeTestOperator(name)).cookie;
}
