/**
 * The live view: the latest clicks of a workspace. A process polls PostgreSQL twice a second, in one statement for all workspaces
 * that are watched, and sends the clicks to every watcher: a watcher costs memory, not queries. Clicks are not committed in order
 * of time, so each poll covers a window and skips the clicks of the previous poll. If a workspace has more clicks than fit a
 * poll, the newest are shown. A watcher starts with the newest few clicks, or after a break with those since the last one it
 * received. It may get clicks of that moment again, and recognizes them by their ids.
 */
import { type ClickMatcher, openMatcher } from "#lib/analytics/reports";
import type { ClickFilter } from "#lib/analytics/reports/schema";
import { presentId } from "#lib/basics/ids";
import { visibleLinks } from "#lib/links/visible-links";
import { log } from "#lib/platform/log";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import type { LiveClick } from "./schema.ts";
import { type FeedClick, findNewest } from "./store.ts";

export const watchersPerWorkspaceMax = 20;
const watchersMax = 2_000;
const pollEveryMs = 500;
const windowMs = 60_000;
const clicksPerPollMax = 100;
const firstClicks = 30;
/** A watcher with filters gets its first clicks from this many of the newest. */
const firstSearchedMax = 1_000;
/** A watcher that was away for longer starts over. */
const resumedMaxMs = 600_000;
/** Clicks from just before a break may be committed after it. */
const overlapMs = 5_000;
const sentIdsMax = 1_000;

type Send = (clicks: LiveClick[]) => void;

interface Watcher {
  send: Send;
  hidden: ReadonlySet<number>;
  sent: Set<string>;
  /** Clicks that arrive while the first ones are still loading. */
  waiting: FeedClick[] | undefined;
  matches: ClickMatcher | undefined;
  delivered: Promise<void>;
}

interface Watched {
  watchers: Set<Watcher>;
  /** Ids of the previous poll. A click that is no longer among the newest never returns. */
  seen: Set<string>;
}

const watched = new Map<number, Watched>();
let watchers = 0;
let polling = false;

type Watch =
  | { ok: false; code: "workspace_full" | "process_full" }
  | {
      ok: true;
      renew: (scope: WorkspaceScope) => Promise<void>;
      stop: () => void;
    };

export async function watchClicks(
  scope: WorkspaceScope,
  lastId: string | undefined,
  send: Send,
  filter?: ClickFilter,
): Promise<Watch> {
  assertMay(scope, "analytics.read");
  const { workspacePk } = scope;
  const matches = filter && (await openMatcher(scope, filter));
  if (watchers >= watchersMax) return { ok: false, code: "process_full" };
  const place = watched.get(workspacePk) ?? { watchers: new Set(), seen: new Set() };
  if (place.watchers.size >= watchersPerWorkspaceMax) return { ok: false, code: "workspace_full" };
  const waiting: FeedClick[] = [];
  const watcher: Watcher = {
    send,
    hidden: new Set(),
    sent: new Set(),
    waiting,
    matches,
    delivered: Promise.resolve(),
  };
  place.watchers.add(watcher);
  watched.set(workspacePk, place);
  watchers += 1;
  if (!polling) schedulePoll();
  const stop = () => removeWatcher(workspacePk, place, watcher);
  try {
    watcher.hidden = await hiddenFoldersOf(scope);
    const { first, older } = await findFirst(workspacePk, lastId, matches);
    // Otherwise the next poll would send them again.
    for (const { click } of older) watcher.sent.add(click.id);
    deliver(watcher, first);
    while (waiting.length > 0) deliver(watcher, await fitting(waiting.splice(0), matches));
    watcher.waiting = undefined;
  } catch (error) {
    stop();
    throw error;
  }
  const renew = async (next: WorkspaceScope) => {
    assertMay(next, "analytics.read");
    watcher.hidden = await hiddenFoldersOf(next);
  };
  return { ok: true, renew, stop };
}

/** Folders are enough, because API keys that are limited to domains or folders cannot watch. */
async function hiddenFoldersOf(scope: WorkspaceScope): Promise<ReadonlySet<number>> {
  return new Set((await visibleLinks(scope)).hiddenFolderPks);
}

function removeWatcher(workspacePk: number, place: Watched, watcher: Watcher): void {
  if (!place.watchers.delete(watcher)) return;
  watchers -= 1;
  if (place.watchers.size === 0 && watched.get(workspacePk) === place) watched.delete(workspacePk);
}

async function findFirst(
  workspacePk: number,
  lastId: string | undefined,
  matches: ClickMatcher | undefined,
): Promise<{ first: FeedClick[]; older: FeedClick[] }> {
  const last = timeOf(lastId);
  const resumed = last !== undefined && last >= Date.now() - resumedMaxMs;
  const since = new Date(resumed ? last - overlapMs : Date.now() - resumedMaxMs);
  const max = resumed ? clicksPerPollMax : firstClicks;
  const searched = matches ? firstSearchedMax : clicksPerPollMax;
  const found = await findNewest([workspacePk], since, searched, presentLink);
  const newest = await fitting(found, matches);
  return { first: newest.slice(0, max).reverse(), older: newest.slice(max) };
}

async function fitting(
  found: readonly FeedClick[],
  matches: ClickMatcher | undefined,
): Promise<FeedClick[]> {
  if (!matches || found.length === 0) return [...found];
  const ids = await matches(
    found.map(({ uuid, click }) => ({ id: uuid, at: new Date(click.timestamp) })),
  );
  // defence: live-clicks-filtered
  return found.filter(({ uuid }) => ids.has(uuid));
}

function timeOf(id: string | undefined): number | undefined {
  const time = /^(\d{13})-[0-9a-f-]{36}$/.exec(id ?? "")?.[1];
  return time === undefined ? undefined : Number(time);
}

async function poll(): Promise<void> {
  if (watched.size === 0) {
    polling = false;
    return;
  }
  try {
    const since = new Date(Date.now() - windowMs);
    const found = await findNewest([...watched.keys()], since, clicksPerPollMax, presentLink);
    for (const [workspacePk, place] of watched) {
      const newest = found.filter((one) => one.workspacePk === workspacePk);
      const fresh = newest.filter(({ click }) => !place.seen.has(click.id)).reverse();
      place.seen = new Set(newest.map(({ click }) => click.id));
      for (const watcher of place.watchers) {
        if (watcher.waiting) watcher.waiting.push(...fresh);
        else if (watcher.matches) deliverFitting(watcher, fresh);
        else deliver(watcher, fresh);
      }
    }
  } catch (error) {
    log.warn({ event: "live.failed", error: String(error) });
  }
  schedulePoll();
}

function schedulePoll(): void {
  polling = true;
  setTimeout(poll, pollEveryMs).unref();
}

function deliverFitting(watcher: Watcher, found: readonly FeedClick[]): void {
  watcher.delivered = watcher.delivered.then(async () => {
    try {
      deliver(watcher, await fitting(found, watcher.matches));
    } catch (error) {
      // The charts count these clicks anyway.
      log.warn({ event: "live.failed", error: String(error) });
    }
  });
}

function deliver(watcher: Watcher, found: readonly FeedClick[]): void {
  const fresh = found.filter(
    ({ folderPk, click }) =>
      !watcher.sent.has(click.id) && !(folderPk !== null && watcher.hidden.has(folderPk)),
  );
  for (const { click } of fresh) watcher.sent.add(click.id);
  for (const id of watcher.sent) {
    if (watcher.sent.size <= sentIdsMax) break;
    watcher.sent.delete(id);
  }
  if (fresh.length > 0) watcher.send(fresh.map(({ click }) => click));
}

function presentLink(uuid: string): string {
  return presentId("link", uuid);
}
