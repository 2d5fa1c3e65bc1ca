/**
 * Scheduled DNS checks of claims, so that a domain works soon after its records exist, and of
 * active domains, because domains change owners. A worker leases due domains in batches and checks
 * some at once. Running it twice queries DNS twice but changes a domain once.
 */
import { z } from "zod";
import { isTrusted } from "#lib/links/hosts";
import { AppError } from "#lib/platform/errors";
import { defineJob } from "#lib/platform/queue";
import { nextCheck } from "./checks.ts";
import { postpone, takeDueDomains } from "./checks-store.ts";
import { lookUpDomain } from "./dns-lookup.ts";
import type { DomainRow } from "./store.ts";
import { applyCheck, stateOf } from "./verifying.ts";

const checkEveryMs = 20_000;
const batchMax = 100;
const atOnceMax = 20;
const leaseSeconds = 600;
const runMsMax = 120_000;

export async function checkDomains(now: () => Date = () => new Date()): Promise<number> {
  const endsAt = Date.now() + runMsMax;
  let checked = 0;
  while (Date.now() < endsAt) {
    const due = await takeDueDomains(batchMax, leaseSeconds);
    await forEachConcurrently(due, atOnceMax, (row) => checkDomain(row, now));
    checked += due.length;
    if (due.length < batchMax) break;
  }
  return checked;
}

async function checkDomain(row: DomainRow, now: () => Date): Promise<void> {
  // The host was trusted after it was claimed. Manual verification activates it.
  if (isTrusted(row.slug)) return await postpone(row, undefined);
  const { target, findings } = await lookUpDomain(row.slug, row.token);
  if (!findings) {
    const current = { state: stateOf(row), claimedAt: row.claimed_at, unsure: true };
    return await postpone(row, nextCheck(current, now()));
  }
  const by = { workspacePk: row.workspace_pk, actor: "system" };
  try {
    await applyCheck(by, row, { target, findings }, now());
  } catch (error) {
    // Another workspace serves the host. `applyCheck` has stored that.
    if (!(error instanceof AppError)) throw error;
  }
}

async function forEachConcurrently<T>(
  items: readonly T[],
  max: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const lane = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: max }, lane));
}

export const checkDomainsJob = defineJob({
  name: "domains.check",
  schema: z.object({}),
  handle: () => checkDomains(),
  everyMs: checkEveryMs,
});
