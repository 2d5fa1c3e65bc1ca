/**
 * Scheduled health checks of active domains: each hour whether they answer and with which certificate, each day what
 * the checker service says, if there is one, and how the visits in in-app browsers changed.
 *
 * A worker takes due domains in batches, each leased for some time. Run twice, it asks twice and raises an alarm once.
 * Nothing of a domain or a link is ever changed.
 */
import { z } from "zod";
import { shortUrl } from "#lib/links/hosts";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { probePublic } from "#lib/platform/safe-fetch";
import { endCheckerAlarms, endRecovered, listOpen, raise, sweepAlarms } from "./alarms.ts";
import { type DomainChecker, openChecker } from "./checker.ts";
import { judgeDomains } from "./judging.ts";
import {
  addDomains,
  type DueDomain,
  lockHealth,
  saveCheckerAnswer,
  saveProbe,
  setDue,
  takeDue,
} from "./store.ts";

const jobEveryMs = 60_000;
const checkEveryMs = 3_600_000;
const checkerEveryMs = 86_400_000;
const batchMax = 100;
const atOnceMax = 20;
const leaseSeconds = 900;
/** Per run; the next one continues. */
const runMsMax = 120_000;
const probeTimeoutMs = 8_000;

/** Checks all due domains. Returns their number. */
export async function checkHealth(now: Date = new Date()): Promise<number> {
  const endsAt = Date.now() + runMsMax;
  const checker = openChecker();
  await addDomains(now);
  await sweepAlarms(now);
  if (!checker) await endCheckerAlarms(now);
  let checked = 0;
  while (Date.now() < endsAt) {
    const due = await takeDue(now, batchMax, leaseSeconds);
    await checkBatch(due, checker, now);
    checked += due.length;
    if (due.length < batchMax) break;
  }
  return checked;
}

async function checkBatch(
  due: readonly DueDomain[],
  checker: DomainChecker | undefined,
  now: Date,
): Promise<void> {
  const waiting = due.values();
  const lane = async () => {
    for (const domain of waiting) {
      await saveProbe(domain, await probe(domain.slug), now);
      if (checker && domain.asksChecker) await askChecker(checker, domain, now);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, due.length) }, lane));
  for (const workspacePk of new Set(due.map((domain) => domain.workspacePk))) {
    const domains = due.filter((domain) => domain.workspacePk === workspacePk);
    await judgeDomains(workspacePk, domains, now);
  }
  await setDue(
    due.map(({ pk }) => pk),
    new Date(now.getTime() + checkEveryMs),
  );
}

/** A file that every domain has: no visit of a link. */
function probe(slug: string) {
  const url = new URL("/robots.txt", shortUrl(slug, "_root")).href;
  return probePublic({ url, timeoutMs: probeTimeoutMs });
}

async function askChecker(checker: DomainChecker, domain: DueDomain, now: Date): Promise<void> {
  const blockedIn = await checker.check(domain.slug);
  if (!blockedIn) return;
  const next = new Date(now.getTime() + checkerEveryMs);
  await transaction(async (tx) => {
    if (!(await lockHealth(tx, domain))) return;
    for (const alarm of await listOpen(tx, domain.pk)) {
      if (alarm.source !== "checker" || blockedIn.includes(alarm.app)) continue;
      await endRecovered(tx, domain, alarm, now);
    }
    const since = now.toISOString().slice(0, 10);
    for (const app of blockedIn) {
      await raise(tx, domain, { app, source: "checker", since, evidence: null }, now);
    }
    await saveCheckerAnswer(tx, domain.pk, blockedIn, { now, next });
  });
}

export const checkHealthJob = defineJob({
  name: "domains.health",
  schema: z.object({}),
  handle: () => checkHealth(),
  everyMs: jobEveryMs,
});
