/** Stores what a round found, and tells the managers of a workspace about broken destinations. */
import { dayMs, hourMs } from "#lib/basics/time/schema";
import { findByPks, presentFound } from "#lib/links/presenting";
import { type Connection, transaction } from "#lib/platform/postgres";
import { lockWorkspace } from "#lib/tenancy/access";
import { notifyManagers } from "#lib/tenancy/notifications";
import { addEvent, findListener } from "#lib/tenancy/webhook-events";
import { findCheckedCampaigns } from "./campaigns.ts";
import { isBroken } from "./schema.ts";
import { type CheckedPage, type DuePage, noteTold, saveChecks } from "./store.ts";
import type { CheckLimits, Verdict } from "./verdicts.ts";

export interface Round {
  now: Date;
  /** Also tells whether a page is still leased. */
  leasedUntil: Date;
  endsAt: number;
  limits: CheckLimits;
}

export interface Finding {
  page: DuePage;
  verdict: Verdict;
}

/** Two failures this far apart show that a destination is broken. */
const confirmMs = hourMs;

export async function saveRound(findings: readonly Finding[], round: Round): Promise<void> {
  for (const [workspacePk, own] of groupsOf(findings, ({ page }) => page.workspacePk)) {
    await transaction(async (tx) => {
      await lockWorkspace(tx, workspacePk);
      const checked = own.map((finding) => afterCheck(finding, round.now));
      const saved = await saveChecks(tx, checked, round);
      const hashes = new Set(saved.map(({ urlHash }) => urlHash.toString("hex")));
      const fresh = checked.filter(
        ({ urlHash, state }, at) =>
          hashes.has(urlHash.toString("hex")) &&
          isBroken(state) &&
          !isBroken(own[at]?.page.state ?? "unchecked"),
      );
      for (const page of fresh) await tell(tx, page, round.now);
    });
  }
}

/** The state after a check: the first failure changes nothing that people see in lists. */
function afterCheck({ page, verdict }: Finding, now: Date): CheckedPage {
  const { state, status, redirectsTo } = verdict;
  const at = (ms: number) => new Date(now.getTime() + ms);
  if (!isBroken(state)) {
    const rest = { failure: null, failingSince: null, nextAt: at(dayMs) };
    return { ...page, state, status, redirectsTo, ...rest };
  }
  const failingSince = page.failingSince ?? now;
  const failedMs = now.getTime() - failingSince.getTime();
  const failed = { ...page, status, redirectsTo: null, failure: state, failingSince };
  // defence: broken-after-two-failures
  if (failedMs < confirmMs) return { ...failed, nextAt: at(confirmMs - failedMs) };
  return { ...failed, state, nextAt: at(Math.min(2 * failedMs, dayMs)) };
}

/** One notification per host and day, and one email per day. */
async function tell(tx: Connection, page: CheckedPage, now: Date): Promise<void> {
  const { workspacePk, host, url, state, status, linkPk, campaignPk } = page;
  const told = await noteTold(tx, page, now);
  if (!told) return;
  const [campaign] = await findCheckedCampaigns(campaignPk === null ? [] : [campaignPk], tx);
  const type = "destination.broken";
  await notifyManagers(tx, {
    ...{ workspacePk, kind: type, subject: campaign?.id ?? host },
    details: { host, state, ...(campaign && { name: campaign.name }) },
    mail: told.isFirst,
  });
  const listener = await findListener(tx, workspacePk, type);
  if (!listener) return;
  // With the link, so that webhooks limited to some links get only their destinations.
  const [link] = await presentFound(listener, await findByPks(workspacePk, [linkPk], tx), tx);
  if (!link) return;
  const destination = { url, host, state, status };
  const of = campaign && { campaign: { id: campaign.id, name: campaign.name } };
  await addEvent(tx, { workspacePk, type, linkId: link.id, data: { link, destination, ...of } });
}

export function groupsOf<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
