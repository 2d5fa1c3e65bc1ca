/**
 * A round of checks. A worker walks through visited links and notes their pages, then asks due pages, host by host.
 *
 *     noted ─▶ due ─▶ works, redirects, refused ──a day──▶ due
 *                └──▶ failed once ──an hour──▶ due ─▶ failed again: broken, managers are told ──2 h … 1 day──▶ due
 */
import { dayMs, hourMs } from "#lib/basics/time/schema";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { findCheckedCampaigns } from "./campaigns.ts";
import { type Finding, groupsOf, type Round, saveRound } from "./findings.ts";
import {
  type CheckedLink,
  type DuePage,
  dropPages,
  findLinks,
  listWitnesses,
  pageOf,
  postpone,
  takeDue,
} from "./store.ts";
import { type CheckLimits, judgeUrl, type Verdict } from "./verdicts.ts";
import { visitedSince, walkVisited } from "./walk.ts";

const batchMax = 200;
const hostsAtOnceMax = 20;
const leaseMs = 10 * 60_000;
const runMsMax = 45_000;
const busyMs = 2 * 60_000;
const pauseMsMin = hourMs;
/** After this many pages in a row without an answer, the other pages of the host wait. */
const silencesMax = 3;
const witnessesMax = 3;

const usualLimits: CheckLimits = { timeoutMs: 10_000, waitMs: 15_000, restMs: 200 };

export function checksDestinations(): boolean {
  return config().FUXI_FETCH !== "none";
}

/** Returns how many pages were judged. */
export async function runChecks(now = new Date(), limits = usualLimits): Promise<number> {
  // defence: no-checks-offline
  if (!checksDestinations()) return 0;
  const endsAt = Date.now() + runMsMax;
  await walkVisited(now);
  let checked = 0;
  while (Date.now() < endsAt) {
    const leasedUntil = new Date(now.getTime() + leaseMs);
    const due = await takeDue(now, leasedUntil, batchMax);
    const round = { now, leasedUntil, endsAt, limits };
    checked += await checkPages(await withoutUnused(due, round), round);
    if (due.length < batchMax) break;
  }
  return checked;
}

/** The pages to ask now. Forgets those that their link no longer leads to. */
async function withoutUnused(due: readonly DuePage[], round: Round): Promise<DuePage[]> {
  const { now, leasedUntil } = round;
  const pks = due.map(({ linkPk }) => linkPk);
  const links = new Map((await findLinks(pks, now)).map((link) => [link.pk, link]));
  const campaigns = await findCheckedCampaigns(due.flatMap(({ campaignPk }) => campaignPk ?? []));
  const on = new Set(campaigns.map(({ pk }) => pk));
  const uses = groupsOf(due, (page) => useOf(page, { link: links.get(page.linkPk), on, now }));
  await dropPages(uses.get("none") ?? [], leasedUntil);
  await postpone(uses.get("later") ?? [], leasedUntil, new Date(now.getTime() + dayMs));
  return uses.get("now") ?? [];
}

interface UseFacts {
  link: CheckedLink | undefined;
  /** Campaigns that are checked. */
  on: ReadonlySet<number>;
  now: Date;
}

function useOf(page: DuePage, { link, on, now }: UseFacts): "none" | "later" | "now" {
  const leads = link?.workspacePk === page.workspacePk && pageOf(link.url) === page.url;
  if (!leads) return "none";
  // Another link of the campaign takes its place.
  // defence: campaign-check-turned-off
  if (page.campaignPk !== null && !(link.isOn && on.has(page.campaignPk))) return "none";
  return link.isOn && page.visitedAt > visitedSince(now) ? "now" : "later";
}

async function checkPages(due: readonly DuePage[], round: Round): Promise<number> {
  const hosts = groupsOf(due, ({ host }) => host).values();
  const findings: Finding[] = [];
  const checkHosts = async () => {
    for (const pages of hosts) findings.push(...(await checkHost(inFairOrder(pages), round)));
  };
  await Promise.all(Array.from({ length: hostsAtOnceMax }, checkHosts));
  if (await isOffline(findings, round)) {
    log.warn({ event: "destinations.offline", pages: findings.length });
    const nextAt = new Date(round.now.getTime() + leaseMs);
    await postpone(
      findings.map(({ page }) => page),
      round.leasedUntil,
      nextAt,
    );
    return 0;
  }
  await saveRound(findings, round);
  return findings.length;
}

/** Workspaces take turns, because all of them share the budget of the host. */
function inFairOrder(pages: readonly DuePage[]): DuePage[] {
  const counts = new Map<number, number>();
  const ranked = pages.map((page) => {
    const rank = counts.get(page.workspacePk) ?? 0;
    counts.set(page.workspacePk, rank + 1);
    return { page, rank };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ page }) => page);
}

/** Pages of one host, one after the other. Pages that cannot be asked now are postponed. */
async function checkHost(pages: readonly DuePage[], round: Round): Promise<Finding[]> {
  const host = new CheckedHost();
  for (const page of pages) {
    const waitMs = host.waitMs ?? (Date.now() > round.endsAt ? 0 : await host.check(page, round));
    if (waitMs === undefined) continue;
    const nextAt = new Date(round.now.getTime() + waitMs);
    await postpone([page], round.leasedUntil, nextAt);
  }
  return host.findings;
}

/** What a round has found about the pages of a host. */
class CheckedHost {
  readonly findings: Finding[] = [];
  /** How long the other pages wait; undefined: they are asked. */
  waitMs: number | undefined;
  readonly #known = new Map<string, Verdict>();
  #silences = 0;

  /** Returns after how long this page is due again, if it could not be asked. */
  async check(page: DuePage, { now, limits }: Round): Promise<number | undefined> {
    const { origin } = new URL(page.url);
    const shared = this.#known.get(page.url) ?? this.#known.get(origin);
    const turn = shared ? undefined : await judgeUrl(page.url, now, limits);
    if (turn?.kind === "busy") return busyMs;
    if (turn?.kind === "spent") {
      this.waitMs = turn.seconds * 1_000;
      return this.waitMs;
    }
    const verdict = shared ?? turn?.result;
    if (!verdict) return busyMs;
    this.findings.push({ page, verdict });
    if (!shared) this.#remember(page, verdict, origin);
    return undefined;
  }

  #remember({ url }: DuePage, verdict: Verdict, origin: string): void {
    this.#known.set(verdict.isWholeOrigin ? origin : url, verdict);
    const isSilent = verdict.state === "timeout" || verdict.state === "unreachable";
    this.#silences = isSilent ? this.#silences + 1 : 0;
    if (verdict.pauseS !== null) this.waitMs = Math.max(verdict.pauseS * 1_000, pauseMsMin);
    else if (this.#silences === silencesMax) this.waitMs = pauseMsMin;
  }
}

/** If no site answers, not even those that worked last time, this instance has no network. */
async function isOffline(findings: readonly Finding[], { now, limits }: Round): Promise<boolean> {
  const isSilent = ({ verdict: { state } }: Finding) =>
    state === "dns" || state === "timeout" || state === "unreachable";
  if (!findings.some(isSilent) || findings.some(({ verdict }) => verdict.answered)) return false;
  const witnesses = await listWitnesses(now, witnessesMax);
  const turns = await Promise.all(witnesses.map(({ url }) => judgeUrl(url, now, limits)));
  const heard = turns.flatMap((turn) => (turn.kind === "done" ? turn.result : []));
  // defence: own-outage-breaks-nothing
  return heard.length > 0 && heard.every(({ answered }) => !answered);
}
