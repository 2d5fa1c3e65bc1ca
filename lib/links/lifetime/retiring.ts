/**
 * One round of a workspace, in short transactions:
 *
 *     date      once a day: links that come close to the end of their days get a date
 *     recheck   once a day: dates in the warning period, for visits since; all dates for new rules
 *     warn      once a day: links that entered the warning period are announced
 *     retire    links whose date has come: visits get 410
 *     delete    links at the end of their quarantine: visits get 404, codes may be issued again
 *
 * Visits do not write to links. Instead, a date is compared with the last counted click before it
 * matters.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { firstUuidAt, presentId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { addRecycledCodes } from "#lib/links/keys";
import { targetEntry } from "#lib/links/link-cache";
import { warningDays } from "#lib/links/link-columns/schema";
import {
  deleteLinks,
  lockDue,
  lockEnded,
  lockFreeLinks,
  type Position,
  planRetirements,
  retireRows,
} from "#lib/links/link-rows";
import { quarantineDays } from "#lib/links/link-rows/schema";
import { recordLinkEvents } from "#lib/links/presenting";
import {
  type CacheChange,
  publishChanges,
  recordChanges,
  takeRevision,
} from "#lib/platform/cache-sync";
import { type Connection, transaction } from "#lib/platform/postgres";
import { recordAudit } from "#lib/tenancy/audit";
import type { RetirementRules } from "#lib/tenancy/plans";
import {
  type Dated,
  dropShares,
  listDatedAfter,
  listMoved,
  listUndated,
  savePosition,
} from "./store.ts";

/** Longer than any transaction that inserts links, so that none appears behind the position. */
const settledMs = 3_600_000;
/** Links get their date this long before it, which is longer than the warning period. */
const datedAheadDays = 60;

/** Limits pauses, so that a briefly slow disk does not stop a round for minutes. */
const pauseMaxMs = 2_000;

/** Comparing dates is cheaper than retiring, so these batches are larger. */
const comparedFactor = 10;

export interface RoundOptions {
  batch: number;
  /** Pause after a batch, as a multiple of its time: a busy database gets longer pauses. */
  pauseShare: number;
}

export interface RoundContext extends RoundOptions {
  workspacePk: number;
  rules: RetirementRules;
  now: Date;
  leasedUntil: Date;
}

function daysAfter(now: Date, days: number): Date {
  return new Date(now.getTime() + days * dayMs);
}

/** Repeats `work` until a batch is not full. Returns the number of written rows. */
async function runBatches(
  { batch, pauseShare }: RoundOptions,
  work: (batch: number) => Promise<{ read: number; written: number }>,
): Promise<number> {
  for (let written = 0; ; ) {
    const from = performance.now();
    const part = await work(batch);
    written += part.written;
    if (part.read < batch) return written;
    await sleep(Math.min((performance.now() - from) * pauseShare, pauseMaxMs));
  }
}

function comparing(context: RoundContext): RoundContext {
  return { ...context, batch: context.batch * comparedFactor };
}

/** Gives dates to links in the order of their creation, from the position of the last round. */
export async function dateLinks(context: RoundContext, from: string | null): Promise<number> {
  const untilId = firstUuidAt(lastCreated(context));
  let afterId = from;
  return await runBatches(comparing(context), (batch) =>
    transaction(async (tx) => {
      const { workspacePk, rules, now, leasedUntil } = context;
      const links = await listUndated(tx, workspacePk, afterId, untilId, batch);
      const written = await planRetirements(tx, pksOf(links), rules, now);
      afterId = links.at(-1)?.id ?? afterId;
      await savePosition(tx, workspacePk, afterId, leasedUntil);
      return { read: links.length, written };
    }),
  );
}

function lastCreated({ rules, now }: RoundContext): number {
  const days = [rules.apiDays, rules.peopleDays].filter((one) => one > 0);
  if (days.length === 0) return 0;
  const close = now.getTime() - (Math.min(...days) - datedAheadDays) * dayMs;
  return Math.min(close, now.getTime() - settledMs);
}

function pksOf(links: readonly { pk: number }[]): number[] {
  return links.map(({ pk }) => pk);
}

export async function recheckDates(context: RoundContext): Promise<number> {
  const { workspacePk, rules, now } = context;
  let last: Dated | undefined;
  return await runBatches(comparing(context), (batch) =>
    transaction(async (tx) => {
      const links = await listDatedAfter(tx, workspacePk, last, batch);
      last = links.at(-1);
      // Skips links that a transaction is changing: it sets their date, or the next comparison does.
      const free = await lockFreeLinks(tx, pksOf(links));
      return { read: links.length, written: await planRetirements(tx, free, rules, now) };
    }),
  );
}

/** Moves the dates of links that were visited or got a QR design after their date was set. Only these are locked. */
export async function recheckWarned(context: RoundContext, until: Date): Promise<number> {
  const { workspacePk, rules, now } = context;
  let last: Dated | undefined;
  return await runBatches(comparing(context), async (batch) => {
    const links = await listMoved(workspacePk, { after: last, until, rules, max: batch });
    last = links.at(-1);
    const moved = pksOf(links.filter((link) => link.moved));
    const written =
      moved.length === 0 ? 0 : await transaction((tx) => planRetirements(tx, moved, rules, now));
    return { read: links.length, written };
  });
}

export async function retireDue(context: RoundContext): Promise<number> {
  let last: Position | undefined;
  return await runBatches(context, async () => {
    const done = await transaction((tx) => retireBatch(tx, context, last));
    last = done.last;
    await publishChanges(done.changes);
    return done;
  });
}

interface BatchDone {
  read: number;
  written: number;
  last: Position | undefined;
  changes: CacheChange[];
}

async function retireBatch(
  tx: Connection,
  { workspacePk, rules, now, batch }: RoundContext,
  after: Position | undefined,
): Promise<BatchDone> {
  const { links, read, last } = await lockDue(tx, workspacePk, now, { after, max: batch });
  if (links.length === 0) return { read, written: 0, last, changes: [] };
  await planRetirements(tx, links, rules, now);
  const revision = await takeRevision(tx);
  const retired = await retireRows(tx, links, now, revision);
  const changes = retired.map((link) => ({
    entry: targetEntry(link.domain_pk, link.key),
    revision,
  }));
  await recordChanges(tx, changes);
  const entries = retired.map(({ id }) => {
    const subject = presentId("link", id);
    return { workspacePk, actor: "system", action: "link.retire" as const, subject };
  });
  await recordAudit(tx, entries);
  return { read, written: retired.length, last, changes };
}

export async function deleteRetired(context: RoundContext, recycles: boolean): Promise<number> {
  let last: Position | undefined;
  return await runBatches(context, async () => {
    const done = await transaction((tx) => deleteBatch(tx, context, { recycles, after: last }));
    last = done.last;
    await publishChanges(done.changes);
    return done;
  });
}

async function deleteBatch(
  tx: Connection,
  { workspacePk, now, batch }: RoundContext,
  { recycles, after }: { recycles: boolean; after: Position | undefined },
): Promise<BatchDone> {
  const {
    links: ended,
    read,
    last,
  } = await lockEnded(tx, workspacePk, daysAfter(now, -quarantineDays), { after, max: batch });
  if (ended.length === 0) return { read, written: 0, last, changes: [] };
  const pks = pksOf(ended);
  await dropShares(tx, workspacePk, pks);
  await recordLinkEvents(tx, workspacePk, "link.deleted", pks);
  await deleteLinks(tx, pks, { workspacePk });
  if (recycles) {
    const freed = ended.filter(({ recyclable }) => recyclable);
    await addRecycledCodes(tx, freed, now);
  }
  const revision = await takeRevision(tx);
  const changes = ended.map((link) => ({ entry: targetEntry(link.domain_pk, link.key), revision }));
  await recordChanges(tx, changes);
  await recordAudit(tx, [
    { workspacePk, actor: "system", action: "link.delete", details: { retired: ended.length } },
  ]);
  return { read, written: ended.length, last, changes };
}

export function warnedAt(now: Date): Date {
  return daysAfter(now, warningDays);
}
