/**
 * Adds recipients: their links, their rows and the counts of the campaign in one transaction, a slice at a time.
 *
 *     read and check rows → look up messages, phones, opt-outs → prepare links
 *       → one transaction: lock the campaign, hold the list of opt-outs and look at it again, write
 *
 * The lookup before the transaction decides which links are prepared. What was committed since is found in it: phones that
 * opted out are looked up again, and unique indexes refuse messages and phones that another call has added. Then the
 * slice starts over. So a message that is sent twice at the same time makes one recipient, and a phone that opts out is
 * either refused or opts out after the commit.
 */

import { presentId } from "#lib/basics/ids";
import { dryRunRows, prepareRows, writeRows } from "#lib/links/creating";
import { shortUrl } from "#lib/links/hosts";
import { findOptedOut, holdList } from "#lib/outreach/opt-outs";
import { mapInSlices, slicesOf } from "#lib/platform/batches";
import { AppError } from "#lib/platform/errors";
import { exposeCounters } from "#lib/platform/log";
import type { Connection } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { assertFeatureOn } from "#lib/tenancy/features";
import { holdVersion, withPeopleKeys } from "#lib/tenancy/people-keys";
import { assertIncluded } from "#lib/tenancy/quotas";
import { type Candidate, openTemplates, readRow } from "./candidates.ts";
import { linkBodyOf } from "./links.ts";
import { takeRefusedLinks, takeTelling } from "./phone-budget.ts";
import {
  type Call,
  type Entry,
  hashesOf,
  type Known,
  lookUp,
  type Planned,
  planOf,
  type RowSource,
  repeatsRecent,
} from "./plan.ts";
import { deleteRefused, insertRecipients, isRecipientTaken } from "./recipient-rows.ts";
import {
  missingResult,
  type Present,
  refusedRow,
  rowOf,
  type Written,
  writtenOf,
} from "./results.ts";
import { type CampaignRow, countAdded, lockOpen } from "./store.ts";

/** Rows of one transaction. */
const sliceRows = 2_500;
/** Each further try means that another call committed the same message or phone. */
const triesMax = 8;

const counters = { ready: 0, refused: 0 };
exposeCounters("campaign_recipients", "Rows of recipients by outcome.", counters);

interface Rows<Result> {
  given: readonly unknown[];
  source: RowSource;
  present: Present<Result>;
}

/** One result per row, in order. */
export async function addRows<Result>(
  scope: WorkspaceScope,
  row: CampaignRow,
  { given, source, present }: Rows<Result>,
): Promise<Result[]> {
  assertMay(scope, "links.write");
  assertIncluded(scope, "bulk");
  await assertFeatureOn("bulk");
  const campaign = openTemplates(row);
  const sampleLink = await sampleLinkOf(scope, row);
  const { recent = { names: new Set() } } = source;
  const slices: Promise<Result[]>[] = [];
  for (const slice of slicesOf(given, sliceRows)) {
    const before = slices.at(-1) ?? source.before;
    const added = withPeopleKeys(scope.workspacePk, (keys) =>
      addSlice({ scope, campaign, keys, sampleLink, before, recent, source }, slice, present),
    );
    // Thrown below; the next slice fails with it.
    added.catch(() => undefined);
    slices.push(added);
    // While a slice is written, the next one is prepared.
    await before;
  }
  return (await Promise.all(slices)).flat();
}

/** As long as the links will be. Throws a 422 when links cannot be created as the campaign says. */
export async function sampleLinkOf(
  scope: WorkspaceScope,
  row: Pick<CampaignRow, "destination" | "link" | "link_days">,
): Promise<string> {
  const url = new URL(row.destination.replace(/\{[^}]*\}/g, "1")).href;
  const [tried] = await dryRunRows(scope, [linkBodyOf(row, url)], "refuse");
  if (tried?.ok) return shortUrl(tried.domain, "000000");
  const message = tried?.message ?? "The link can’t be created.";
  throw new AppError("unprocessable_entity", message, {
    problem: tried?.code,
    params: tried?.details,
  });
}

async function addSlice<Result>(
  call: Call,
  given: readonly unknown[],
  present: Present<Result>,
): Promise<Result[]> {
  const entries = await mapInSlices(given, (row) =>
    readRow(call.campaign, call.keys, call.sampleLink, row),
  );
  // Otherwise it would be written, refused by a unique index, and written again.
  if (repeatsRecent(call.recent, entries)) await call.before;
  return await addEntries(call, entries, present);
}

/** A message that is twice in a slice is added first, and found by its repetition then. */
async function addEntries<Result>(
  call: Call,
  entries: readonly Entry[],
  present: Present<Result>,
): Promise<Result[]> {
  const seen = new Set<string>();
  const isFirst = entries.map(({ messageId }) => {
    if (messageId === null || !seen.has(messageId)) {
      if (messageId !== null) seen.add(messageId);
      return true;
    }
    return false;
  });
  const first = await addUnique(
    call,
    entries.filter((_, at) => isFirst[at]),
    present,
  );
  const others = entries.filter((_, at) => !isFirst[at]);
  const later = others.length > 0 ? await addEntries(call, others, present) : [];
  const [firsts, laters] = [first.values(), later.values()];
  return isFirst.map((one) => (one ? firsts : laters).next().value ?? missingResult());
}

async function addUnique<Result>(
  call: Call,
  entries: readonly Entry[],
  present: Present<Result>,
): Promise<Result[]> {
  for (let tries = 0; tries < triesMax; tries++) {
    const known = await lookUp(call, entries);
    const plan = planOf(entries, known);
    // defence: telling-rows-budget
    await takeTelling(call, plan);
    const written = await write(call, plan, known);
    if (!written) continue;
    await takeRefusedLinks(call, written);
    return await present(call, plan, written);
  }
  throw new AppError(
    "service_unavailable",
    "Other requests are adding the same recipients. Send the request again.",
    { retryAfterSeconds: 1 },
  );
}

/** A phone has opted out since the lookup. */
class Outdated extends Error {}

/** The results of new rows, by their candidate; undefined: start over. */
async function write(
  call: Call,
  plan: readonly Planned[],
  known: Known,
): Promise<Map<Candidate, Written> | undefined> {
  const fresh = plan.flatMap((one) => (one.kind === "fresh" ? [one.entry] : []));
  const refused = plan.flatMap((one) => (one.kind === "refused" && one.stored ? [one.entry] : []));
  let written = new Map<Candidate, Written>();
  if (fresh.length + refused.length === 0) return written;
  const bodies = fresh.map(({ url, id }) => {
    return { ...linkBodyOf(call.campaign.row, url), externalId: presentId("rcp", id) };
  });
  const options = { source: "api", prefill: false } as const;
  const prepared = await prepareRows(call.scope, bodies, options, "refuse");
  await call.before;
  try {
    await writeRows(prepared, {
      begin: (tx) => begin(call, tx, fresh),
      record: async (tx, outcomes) => {
        written = new Map(fresh.map((entry, at) => [entry, writtenOf(entry, outcomes[at])]));
        await record(call, tx, plan, { written, refusedBefore: known.refused });
      },
    });
  } catch (error) {
    // defence: recipient-taken-starts-over
    if (error instanceof Outdated || isRecipientTaken(error)) return undefined;
    throw error;
  }
  return written;
}

async function begin(call: Call, tx: Connection, entries: readonly Candidate[]): Promise<void> {
  await call.source.assertOpen?.(tx);
  await holdVersion(tx, call.keys);
  // defence: opt-out-list-held
  await holdList(tx, call.keys.workspacePk);
  if (!(await lockOpen(tx, call.campaign.row.pk))) {
    throw new AppError(
      "conflict",
      "This campaign was deleted, or its personal data was erased. Create another one.",
    );
  }
  const optedOut = await findOptedOut(call.keys.workspacePk, hashesOf(entries), tx);
  // defence: opt-outs-looked-up-at-write
  if (optedOut.size > 0) throw new Outdated();
}

interface ToRecord {
  written: ReadonlyMap<Candidate, Written>;
  /** Messages whose rows are replaced. */
  refusedBefore: ReadonlySet<string>;
}

async function record(
  call: Call,
  tx: Connection,
  plan: readonly Planned[],
  { written, refusedBefore }: ToRecord,
): Promise<void> {
  const { row } = call.campaign;
  const planned = await mapInSlices(plan, (one) => {
    if (one.kind === "refused") return one.stored ? [refusedRow(one.entry)] : [];
    const result = one.kind === "fresh" ? written.get(one.entry) : undefined;
    return result && one.kind === "fresh" ? [rowOf(call, one.entry, result)] : [];
  });
  const rows = planned.flat();
  const again = rows.map(({ messageId }) => messageId).filter((id) => refusedBefore.has(id));
  const replaced = again.length > 0 ? await deleteRefused(tx, row.pk, again) : 0;
  const ready = rows.filter(({ state }) => state === "ready").length;
  const position = await countAdded(tx, row.pk, {
    recipients: ready,
    refused: rows.length - ready - replaced,
    rows: rows.length,
  });
  const { workspacePk, version: keyVersion } = call.keys;
  await insertRecipients(
    tx,
    { campaignPk: row.pk, workspacePk, keyVersion, position, sourcePk: call.source.pk },
    rows,
  );
  counters.ready += ready;
  counters.refused += rows.length - ready;
}
