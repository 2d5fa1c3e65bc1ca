/**
 * Scheduled health checks of active domains: each hour whether they answer and with which
 * certificate; each day what the checker service says, if there is one, and how visits in in-app
 * browsers changed. A worker leases due domains in batches. A repeated check raises no second
 * alarm. Domains and links are never changed.
 */
import { z } from "zod";
import { shortUrl } from "#lib/links/hosts";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { type AppName, appNames } from "#lib/platform/request-info/schema";
import { getPublic, probePublic } from "#lib/platform/safe-fetch";
import { endCheckerAlarms, endRecovered, listOpen, raise, sweepAlarms } from "./alarms.ts";
import { noteProbe } from "./silence.ts";
import {
  addDomains,
  type DueDomain,
  lockHealth,
  saveCheckerAnswer,
  setDue,
  takeDue,
} from "./store.ts";
import { judgeDomains } from "./verdicts.ts";

const jobEveryMs = 60_000;
const checkEveryMs = 3_600_000;
const checkerEveryMs = 86_400_000;
const batchMax = 100;
const atOnceMax = 20;
const leaseSeconds = 900;
const runMsMax = 120_000;
const probeTimeoutMs = 8_000;

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
      await noteProbe(domain, await probe(domain.slug), now);
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

/** Every domain has this file, and a request for it is not a visit of a link. */
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

const timeoutMs = 10_000;
const bytesMax = 10_000;
/** After this many failures in a row, the service is not asked until the next run. */
const failuresMax = 3;

interface DomainChecker {
  check: (host: string) => Promise<AppName[] | undefined>;
}

const answerShape = z.object({ blocked: z.array(z.string()) });

/** Asks FUXI_DOMAIN_CHECKER, which answers `{"blocked": ["wechat", "qq"]}`. */
function openChecker(): DomainChecker | undefined {
  const address = config().FUXI_DOMAIN_CHECKER;
  if (address === undefined) return undefined;
  let failures = 0;
  return {
    check: async (host) => {
      if (failures >= failuresMax) return undefined;
      const blocked = await ask(address.replaceAll("{domain}", encodeURIComponent(host)));
      failures = blocked ? 0 : failures + 1;
      if (failures === failuresMax) log.warn({ event: "domain_checker.unavailable" });
      return blocked;
    },
  };
}

async function ask(url: string): Promise<AppName[] | undefined> {
  const headers = { accept: "application/json" };
  const answer = await getPublic({ url, headers, timeoutMs, bytesMax });
  if (answer.kind !== "answered" || answer.status !== 200) return undefined;
  const parsed = answerShape.safeParse(parseJson(answer.body));
  if (!parsed.success) return undefined;
  return appNames.filter((name) => parsed.data.blocked.includes(name));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
