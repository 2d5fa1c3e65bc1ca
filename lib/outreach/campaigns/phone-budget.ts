/**
 * Rows that tell about a phone without a new link: that it opted out, is a recipient, or is that of a message. Whoever
 * sees masks only could try all numbers with the digits of one, so they have so many of these rows a day.
 */
import { seesPeople } from "#lib/outreach/people";
import { AppError } from "#lib/platform/errors";
import { budgets, takeAmount } from "#lib/platform/limits";
import type { Candidate } from "./candidates.ts";
import type { Call, Planned } from "./plan.ts";
import type { Written } from "./results.ts";

/** Before anything is written. Throws a 429. */
export async function takeTelling(call: Call, plan: readonly Planned[]): Promise<void> {
  await take(call, plan.filter(tells).length);
}

function tells({ kind, entry }: Planned): boolean {
  if (kind !== "refused") return kind === "repeat";
  return entry.code === "opted_out" || entry.code === "phone_duplicate";
}

/** A row whose link was refused has no message: it tells that the phone did not opt out. */
export async function takeRefusedLinks(
  call: Call,
  written: ReadonlyMap<Candidate, Written>,
): Promise<void> {
  await take(call, [...written.values()].filter(({ ok }) => !ok).length);
}

async function take({ scope, source }: Call, rows: number): Promise<void> {
  if (rows === 0 || seesPeople(scope)) return;
  const seconds = await takeAmount(
    "tellingRowsPerActor",
    `${scope.workspacePk} ${scope.actor}`,
    rows,
  );
  if (seconds === 0) return;
  const { max } = budgets.tellingRowsPerActor;
  const message = `Without the permission people.view, up to ${max} rows a day can be repeated or refused because of their phone. Use a key that has it, or ask an admin.`;
  // A file fails instead of waiting for a day.
  throw new AppError("rate_limit_exceeded", message, {
    retryAfterSeconds: source.pk === null ? seconds : undefined,
  });
}
