/** How many phones can be added by someone who may not see them. */
import { seesPeople } from "#lib/outreach/people";
import { AppError } from "#lib/platform/errors";
import { limits, tryLimit } from "#lib/platform/limits";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { optOutPhonesUnseen } from "./schema.ts";

/** Whoever sees masks only must not find the numbers behind them by adding many and counting those that were new. */
export async function takeUnseen(scope: WorkspaceScope, phones: number): Promise<void> {
  if (seesPeople(scope)) return;
  const { max } = limits.unseenOptOutsPerActor;
  const params = { max: optOutPhonesUnseen, calls: max };
  const rest = `Without the permission people.view, add up to ${optOutPhonesUnseen} phones per call and ${max} times a day.`;
  // defence: unseen-opt-outs-per-call
  if (phones > optOutPhonesUnseen) {
    throw new AppError("unprocessable_entity", `phones: ${rest}`, {
      problem: "opt_outs_unseen",
      params,
    });
  }
  const attempt = await tryLimit("unseenOptOutsPerActor", `${scope.workspacePk} ${scope.actor}`);
  // defence: unseen-opt-outs-per-day
  if (attempt.ok) return;
  const { retryAfterSeconds } = attempt;
  throw new AppError("rate_limit_exceeded", rest, {
    retryAfterSeconds,
    problem: "opt_outs_unseen_day",
    params,
  });
}
