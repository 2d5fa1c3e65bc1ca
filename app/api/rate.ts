/** The rate limit of a caller. If neither the plan nor the instance has a limit, Redis is not used. */
import { AppError } from "#lib/platform/errors";
import { type CallOutcome, takeCall } from "#lib/platform/limits";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { callsPerMinuteOf } from "#lib/tenancy/quotas";
import type { HeaderTarget } from "./router.ts";

/** Counts the call, or throws a 429. Returns undefined if calls are unlimited. */
export async function countCall(
  c: HeaderTarget,
  scope: WorkspaceScope,
): Promise<CallOutcome | undefined> {
  const { callsPerMinute } = scope;
  const ofPlan = callsPerMinuteOf(scope);
  if (ofPlan === null && callsPerMinute === null) return undefined;
  const max = Math.min(
    ofPlan ?? Number.POSITIVE_INFINITY,
    // defence: api-key-rate
    callsPerMinute ?? Number.POSITIVE_INFINITY,
  );
  const counted = await takeCall(`${scope.workspacePk}:${scope.actor}`, max);
  setHeaders(c, counted);
  if (counted.ok) return counted;
  throw new AppError(
    "rate_limit_exceeded",
    `Rate limit of ${max} requests per minute exceeded. Try again in ${counted.retryAfterSeconds} seconds, or ${max === callsPerMinute ? "raise the limit of this API key" : "upgrade your plan"}.`,
    counted,
  );
}

/** Adds the limit to a response. Called twice, because a handler that creates its own Response drops the headers. */
export function setHeaders(c: HeaderTarget, { limit, remaining, resetsAt }: CallOutcome): void {
  c.header("X-RateLimit-Limit", String(limit));
  c.header("X-RateLimit-Remaining", String(remaining));
  c.header("X-RateLimit-Reset", String(resetsAt));
}
