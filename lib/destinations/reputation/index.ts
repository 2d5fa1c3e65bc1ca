/**
 * What a reputation service says about destinations. Off by default.
 *
 *     new or edited link ─▶ due ─▶ checked ─▶ clear ──6 hours, if visited──▶ due
 *     visited older link ──▲          └─▶ suspected: warns until its verdict ends ──before that──▶ due
 *
 * Destinations are written with their links (links/link-rows). A worker checks due ones in batches,
 * and visits never wait for the service. If the service does not answer, there are no new warnings,
 * and old ones end with their verdicts.
 */
import { z } from "zod";
import type { ReputationService } from "#lib/basics/abuse/schema";
import { hourMs } from "#lib/basics/time/schema";
import { pagesOf } from "#lib/basics/urls";
import {
  publishChanges,
  recordChanges,
  takeRevision,
  trustEntries,
} from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { type Connection, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import type { ReputationChecker, Verdict } from "./prefix-cache.ts";
import { safeBrowsing } from "./safe-browsing.ts";
import {
  type Destination,
  deleteOthers,
  findService,
  insertDestinations,
  type LinkDestinations,
  leaseDue,
  listVisited,
  lockDestinations,
  type StoredVerdict,
  storeRevision,
  storeVerdicts,
  updateService,
} from "./store.ts";
import { webRisk } from "./web-risk.ts";

const jobEveryMs = 2_000;
const batchMax = 50;
const walkedMax = 500;
const runMsMax = 20_000;
const clearMs = 6 * hourMs;
const recheckMsMin = 60_000;
/** A suspected destination is checked again before its verdict ends. */
const usedPart = 0.8;
const pauseMs = 5_000;
const pauseMsMax = 3_600_000;

const checkers: Record<ReputationService, ReputationChecker> = {
  "safe-browsing": safeBrowsing,
  "web-risk": webRisk,
};

export function checksReputation(): boolean {
  return config().FUXI_REPUTATION !== "off";
}

/** The web pages that visitors of a link may be sent to. */
function destinationsOf(row: LinkDestinations): Destination[] {
  const urls = [
    ...[row.url, row.expired_url, row.ios, row.android],
    ...Object.values(row.geo ?? {}),
    ...(row.rules ?? []).map(({ url }) => url),
    ...(row.test_variants ?? []).map(({ url }) => url),
  ];
  const pages = urls.flatMap((url) => (url ? pagesOf(url) : []));
  return [...new Set(pages)].map((url) => ({ linkPk: row.pk, url }));
}

/** Adds the destinations of new or restored links, in the transaction that writes them. */
export async function addDestinations(tx: Connection, rows: readonly LinkDestinations[]) {
  if (checksReputation()) await insertDestinations(tx, rows.flatMap(destinationsOf));
}

/** Replaces the destinations of edited links, in the transaction that writes them. */
export async function replaceDestinations(tx: Connection, rows: readonly LinkDestinations[]) {
  if (!checksReputation() || rows.length === 0) return;
  const kept = rows.flatMap(destinationsOf);
  const pks = rows.map(({ pk }) => pk);
  await deleteOthers(tx, pks, kept);
  await insertDestinations(tx, kept);
}

/** Deletes the destinations of deleted links, in the transaction that deletes them. */
export async function dropDestinations(tx: Connection, linkPks: readonly number[]): Promise<void> {
  await deleteOthers(tx, linkPks, []);
}

export async function checkDestinations(now = new Date()): Promise<number> {
  const service = config().FUXI_REPUTATION;
  if (service === "off") return 0;
  const { pausedUntil, failures } = await findService();
  if (pausedUntil && pausedUntil > now) return 0;
  await addVisited(now);
  const { checked, answered } = await checkDue(service, now, failures);
  if (checked > 0 && answered && failures > 0) await updateService(0, null);
  return checked;
}

async function checkDue(service: ReputationService, now: Date, failures: number) {
  const endsAt = Date.now() + runMsMax;
  let checked = 0;
  while (Date.now() < endsAt) {
    const { due, destinations } = await leaseDue(now, batchMax);
    if (destinations.length > 0) {
      const verdicts = await ask(checkers[service], destinations, now, failures);
      if (!verdicts) return { checked, answered: false };
      await store(service, destinations, verdicts, now);
      checked += destinations.length;
    }
    if (due < batchMax) break;
  }
  return { checked, answered: true };
}

/** Adds links from before the setting was turned on, once people visit them. */
async function addVisited(now: Date): Promise<void> {
  const pks = await listVisited(now, walkedMax);
  if (!pks || pks.length === 0) return;
  await transaction(async (tx) => {
    const rows = await lockDestinations(tx, pks);
    await insertDestinations(tx, rows.flatMap(destinationsOf));
  });
}

/** Undefined if the service does not answer. The pause doubles with each failure. */
async function ask(
  checker: ReputationChecker,
  destinations: readonly Destination[],
  now: Date,
  failures: number,
): Promise<Map<string, Verdict> | undefined> {
  try {
    return await checker.check([...new Set(destinations.map(({ url }) => url))], now.getTime());
  } catch (error) {
    const waitMs = Math.min(pauseMs * 2 ** failures, pauseMsMax);
    log.warn({ event: "reputation.unavailable", waitMs, error: String(error) });
    await updateService(failures + 1, new Date(now.getTime() + waitMs));
    return undefined;
  }
}

async function store(
  service: ReputationService,
  destinations: readonly Destination[],
  verdicts: ReadonlyMap<string, Verdict>,
  now: Date,
): Promise<void> {
  const rows = destinations.flatMap((destination): StoredVerdict[] => {
    const verdict = verdicts.get(destination.url);
    return verdict ? [{ ...destination, ...storedOf(verdict, now.getTime()) }] : [];
  });
  const changes = await transaction(async (tx) => {
    if (!(await storeVerdicts(tx, now, service, rows))) return [];
    const revision = await takeRevision(tx);
    await storeRevision(tx, revision);
    const changed = [{ entry: trustEntries.reputation, revision }];
    await recordChanges(tx, changed);
    return changed;
  });
  await publishChanges(changes);
}

function storedOf({ threat, expiresAt }: Verdict, now: number) {
  const leftMs = threat ? usedPart * (expiresAt - now) : Math.max(clearMs, expiresAt - now);
  return {
    threat,
    warnUntil: threat ? new Date(expiresAt) : null,
    nextCheckAt: new Date(now + Math.max(leftMs, recheckMsMin)),
  };
}

export const reputationJobs = [
  defineJob({
    name: "reputation.check",
    schema: z.object({}),
    handle: () => checkDestinations(),
    everyMs: jobEveryMs,
    due: () => String(checksReputation()),
  }),
];
