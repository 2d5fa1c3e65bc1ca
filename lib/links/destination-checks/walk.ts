/** Notes the pages of links that people visited lately. */
import { dayMs, hourMs } from "#lib/basics/time/schema";
import { parseUrl } from "#lib/basics/urls/schema";
import { type Connection, transaction } from "#lib/platform/postgres";
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
  await putPages(tx, visitedPages(links, visits), pagesPerWorkspaceMax);
  const last = clicked.length === stepLinks ? clicked.at(-1)?.pk : undefined;
  await saveWalk(tx, last ?? beforeFirstPk, last ? now : new Date(now.getTime() + walkEveryMs));
  return last !== undefined;
}

/** Without links of campaigns, which have a page per recipient. */
function visitedPages(
  links: readonly CheckedLink[],
  visits: ReadonlyMap<number, Date>,
): VisitedPage[] {
  const pages = new Map<string, VisitedPage>();
  for (const link of links) {
    const visitedAt = visits.get(link.pk);
    // defence: campaign-links-not-checked
    const page = visitedAt && link.isOn && !link.isOfCampaign && pageOfLink(link, visitedAt);
    if (page) pages.set(`${page.workspacePk} ${page.url}`, page);
  }
  return [...pages.values()];
}

/** Undefined: links to apps have no page. */
export function pageOfLink(
  { pk, workspacePk, url }: Pick<CheckedLink, "pk" | "workspacePk" | "url">,
  visitedAt: Date,
): VisitedPage | undefined {
  const host = /^https?:/i.test(url) ? parseUrl(url)?.hostname : undefined;
  return host ? { workspacePk, url: pageOf(url), host, linkPk: pk, visitedAt } : undefined;
}
