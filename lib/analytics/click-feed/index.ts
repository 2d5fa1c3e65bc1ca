/**
 * The latest clicks of a workspace, while somebody watches.
 *
 * A process asks Postgres twice a second for the newest clicks of all workspaces that are watched in it, in one
 * statement, and hands them to everyone who watches: what a watcher costs is memory, not queries. Clicks are committed
 * out of the order of their time, so each look goes back over a window and leaves out what the look before it had. A
 * workspace with more clicks than fit a look shows the newest of them; the charts count all.
 *
 * A watcher begins with the clicks that were there: the newest few, or after a break those since the last one it had.
 * That one's neighbours may come twice, since nobody knows which of them arrived; their ids say so.
 */
import { hiddenFolderPks } from "#lib/links/folders";
import { presentId } from "#lib/platform/ids";
import { log } from "#lib/platform/log";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import type { LiveClick } from "./schema.ts";
import { type Counted, findNewest } from "./store.ts";

/** Who may watch one workspace at once, in each process. */
export const watchersPerWorkspaceMax = 20;
/** Who may watch at once in a process. */
const watchersMax = 2_000;
const lookEveryMs = 500;
const windowMs = 60_000;
const clicksPerLookMax = 100;
const firstClicks = 30;
/** A connection that was away for longer begins anew. */
const resumedMaxMs = 600_000;
/** Clicks of the last moments before a break may have been committed after it. */
const overlapMs = 5_000;
const sentIdsMax = 1_000;

type Send = (clicks: LiveClick[]) => void;

interface Watcher {
  send: Send;
  hidden: ReadonlySet<number>;
  sent: Set<string>;
  /** What came before the first clicks were there. */
  waiting: Counted[] | undefined;
}

interface Watched {
  watchers: Set<Watcher>;
  /** Ids of the look before. What left the newest ones never comes back. */
  seen: Set<string>;
}

const watched = new Map<number, Watched>();
let watchers = 0;
let looking = false;

type Watch =
  | { ok: false; code: "workspace_full" | "process_full" }
  | {
      ok: true;
      /** Folders may have been closed or opened to the one who watches. */
      renew: (scope: WorkspaceScope) => Promise<void>;
      stop: () => void;
    };

/** Sends the newest clicks, the oldest of them first, and from then on every one that is counted. */
export async function watchClicks(
  scope: WorkspaceScope,
  lastId: string | undefined,
  send: Send,
): Promise<Watch> {
  assertMay(scope, "analytics.read");
  const { workspacePk } = scope;
  if (watchers >= watchersMax) return { ok: false, code: "process_full" };
  const place = watched.get(workspacePk) ?? { watchers: new Set(), seen: new Set() };
  if (place.watchers.size >= watchersPerWorkspaceMax) return { ok: false, code: "workspace_full" };
  const watcher: Watcher = { send, hidden: new Set(), sent: new Set(), waiting: [] };
  place.watchers.add(watcher);
  watched.set(workspacePk, place);
  watchers += 1;
  if (!looking) lookAgain();
  const stop = () => leave(workspacePk, place, watcher);
  try {
    watcher.hidden = new Set(await hiddenFolderPks(scope));
    const first = (await findFirst(workspacePk, lastId)).reverse();
    deliver(watcher, [...first, ...(watcher.waiting ?? [])]);
    watcher.waiting = undefined;
  } catch (error) {
    stop();
    throw error;
  }
  const renew = async (next: WorkspaceScope) => {
    assertMay(next, "analytics.read");
    watcher.hidden = new Set(await hiddenFolderPks(next));
  };
  return { ok: true, renew, stop };
}

function leave(workspacePk: number, place: Watched, watcher: Watcher): void {
  if (!place.watchers.delete(watcher)) return;
  watchers -= 1;
  if (place.watchers.size === 0 && watched.get(workspacePk) === place) watched.delete(workspacePk);
}

/** The clicks with which a watcher begins, the newest first. */
function findFirst(workspacePk: number, lastId: string | undefined): Promise<Counted[]> {
  const last = timeOf(lastId);
  const resumed = last !== undefined && last >= Date.now() - resumedMaxMs;
  return resumed
    ? findNewest([workspacePk], new Date(last - overlapMs), clicksPerLookMax, presentLink)
    : findNewest([workspacePk], new Date(Date.now() - resumedMaxMs), firstClicks, presentLink);
}

/** When the click of an id was; undefined for what is none of ours. */
function timeOf(id: string | undefined): number | undefined {
  const time = /^(\d{13})-[0-9a-f-]{36}$/.exec(id ?? "")?.[1];
  return time === undefined ? undefined : Number(time);
}

/** Hands on what is new in all watched workspaces, again and again until nobody watches. */
async function look(): Promise<void> {
  if (watched.size === 0) {
    looking = false;
    return;
  }
  try {
    const since = new Date(Date.now() - windowMs);
    const found = await findNewest([...watched.keys()], since, clicksPerLookMax, presentLink);
    for (const [workspacePk, place] of watched) {
      const newest = found.filter((one) => one.workspacePk === workspacePk);
      const fresh = newest.filter(({ click }) => !place.seen.has(click.id)).reverse();
      place.seen = new Set(newest.map(({ click }) => click.id));
      for (const watcher of place.watchers) {
        if (watcher.waiting) watcher.waiting.push(...fresh);
        else deliver(watcher, fresh);
      }
    }
  } catch (error) {
    // The next look is soon; those who watch keep what they have.
    log.warn({ event: "live.failed", error: String(error) });
  }
  lookAgain();
}

function lookAgain(): void {
  looking = true;
  setTimeout(look, lookEveryMs).unref();
}

function deliver(watcher: Watcher, found: readonly Counted[]): void {
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
