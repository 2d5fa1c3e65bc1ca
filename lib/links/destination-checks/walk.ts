/** Notes the pages of links that people visited lately. */
import { dayMs, hourMs } from "#lib/basics/time/schema";
import { parseUrl } from "#lib/basics/urls/schema";
import { type Connection, transaction } from "#lib/platform/postgres";
import { findCampaignPks, isOfCampaign, subjectOfCampaign } from "./campaigns.ts";
import {
  type CheckedLink,
  findLinks,
  listClicked,
  lockWalk,
  pageOf,
  putPages,
  saveWalk,
  type VisitedPage,
} from "./store.ts";

export const visitedDays = 7;
/** Checked pages of a workspace. Others wait until some of these are no longer visited. */
export const pagesPerWorkspaceMax = 5_000;
const stepLinks = 2_000;
const stepsMax = 10;
/** The first pk is 0. */
const beforeFirstPk = -1;
const walkEveryMs = 6 * hourMs;

/** The date since which a visited page is checked. */
export function visitedSince(now: Date): Date {
  return new Date(now.getTime() - visitedDays * dayMs);
}

/** Continues the walk through all clicked links, or starts the next one. */
export async function walkVisited(now: Date): Promise<void> {
  let more = true;
  for (let step = 0; more && step < stepsMax; step++) {
    more = await transaction((tx) => walkStep(tx, now));
  }
}

async function walkStep(tx: Connection, now: Date): Promise<boolean> {
  const walk = await lockWalk(tx, now);
  if (!walk) return false;
  const clicked = await listClicked(tx, walk.walkedPk, stepLinks);
  const since = visitedSince(now);
  const visits = new Map<number, Date>();
  for (const { pk, lastClickAt } of clicked) {
    if (lastClickAt && lastClickAt > since) visits.set(pk, lastClickAt);
  }
  const links = await findLinks([...visits.keys()], now, tx);
  const campaigns = await findCampaignPks(links, tx);
  await putPages(tx, visitedPages(links, { visits, campaigns }), pagesPerWorkspaceMax);
  const last = clicked.length === stepLinks ? clicked.at(-1)?.pk : undefined;
  await saveWalk(tx, last ?? beforeFirstPk, last ? now : new Date(now.getTime() + walkEveryMs));
  return last !== undefined;
}

interface Walked {
  visits: ReadonlyMap<number, Date>;
  /** By the ids of links. */
  campaigns: ReadonlyMap<string, number>;
}

/** Each page once, with the link that was visited last. */
function visitedPages(links: readonly CheckedLink[], walked: Walked): VisitedPage[] {
  const pages = new Map<string, VisitedPage>();
  for (const page of links.flatMap((link) => pageOfVisited(link, walked) ?? [])) {
    const key = `${page.workspacePk} ${page.subject}`;
    const before = pages.get(key);
    if (!before || before.visitedAt < page.visitedAt) pages.set(key, page);
  }
  return [...pages.values()];
}

function pageOfVisited(link: CheckedLink, walked: Walked): VisitedPage | undefined {
  const visitedAt = walked.visits.get(link.pk);
  if (!visitedAt || !link.isOn) return undefined;
  const campaignPk = walked.campaigns.get(link.id) ?? null;
  // defence: campaign-links-not-checked
  if (isOfCampaign(link) && campaignPk === null) return undefined;
  return pageOfLink(link, visitedAt, campaignPk);
}

/** Undefined: links to apps have no page. */
export function pageOfLink(
  { pk, workspacePk, url: text }: Pick<CheckedLink, "pk" | "workspacePk" | "url">,
  visitedAt: Date,
  campaignPk: number | null,
): VisitedPage | undefined {
  const host = /^https?:/i.test(text) ? parseUrl(text)?.hostname : undefined;
  if (!host) return undefined;
  const url = pageOf(text);
  const subject = campaignPk === null ? url : subjectOfCampaign(campaignPk);
  return { workspacePk, subject, campaignPk, url, host, linkPk: pk, visitedAt };
}
