/**
 * Adds recipients: their links, their rows and the counts of the campaign, in one transaction per
 * slice of rows. The lookup before the transaction decides which links are prepared. The
 * transaction locks the campaign and the list of opt-outs and finds what was committed since:
 * phones that opted out are looked up again, and unique indexes refuse messages and phones that
 * another call has added. Then the slice starts over. So a message that is sent twice at the same
 * time makes one recipient, and a phone that opts out is either refused or opts out after the
 * commit.
 */
import { presentId } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { dryRunRows, prepareRows, writeRows } from "#lib/links/creating";
import { shortUrl } from "#lib/links/hosts";
import { findOptedOut, holdList } from "#lib/outreach/opt-outs";
import { seesPeople } from "#lib/outreach/people";
import { mapInSlices, slicesOf } from "#lib/platform/batches";
import { AppError } from "#lib/platform/errors";
import { budgets, takeAmount } from "#lib/platform/limits";
import { exposeCounters } from "#lib/platform/log";
import type { Connection } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { assertFeatureOn } from "#lib/tenancy/features";
import { holdVersion, withPeopleKeys } from "#lib/tenancy/people-keys";
import { assertIncluded } from "#lib/tenancy/quotas";
import { type Candidate, openTemplates, readRow } from "./candidates.ts";
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
    // The error is thrown below, after the next slice has failed with it.
    added.catch(() => undefined);
    slices.push(added);
    await before;
  }
  return (await Promise.all(slices)).flat();
}

/** A link as long as the campaign’s links. Throws a 422 if they can’t be created. */
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
  // Wait, because otherwise a unique index would refuse the slice, and it would be written twice.
  if (repeatsRecent(call.recent, entries)) await call.before;
  return await addEntries(call, entries, present);
}

/** If a slice repeats a message, the repetition is added after the first one. */
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
  const message = "Other requests are adding the same recipients. Send the request again.";
  throw new AppError("service_unavailable", message, { retryAfterSeconds: 1 });
}

/** A phone has opted out since the lookup. */
class Outdated extends Error {}

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
  const options = { source: "campaign", prefill: false } as const;
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
    const message =
      "This campaign was deleted, or its personal data was erased. Create another one.";
    throw new AppError("conflict", message);
  }
  const optedOut = await findOptedOut(call.keys.workspacePk, hashesOf(entries), tx);
  // defence: opt-outs-looked-up-at-write
  if (optedOut.size > 0) throw new Outdated();
}

interface ToRecord {
  written: ReadonlyMap<Candidate, Written>;
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

function linkBodyOf(
  { link, link_days: days }: Pick<CampaignRow, "link" | "link_days">,
  url: string,
): Record<string, unknown> {
  const expiry =
    days === null ? {} : { expiresAt: new Date(Date.now() + days * dayMs).toISOString() };
  return { ...link, ...expiry, url, reuse: false };
}

/**
 * These rows make no link, but reveal that a phone opted out, is a recipient, or belongs to a
 * message. Members who only see masks could try all numbers that fit one, hence a daily budget.
 */
async function takeTelling(call: Call, plan: readonly Planned[]): Promise<void> {
  await take(call, plan.filter(tells).length);
}

function tells({ kind, entry }: Planned): boolean {
  if (kind !== "refused") return kind === "repeat";
  return entry.code === "opted_out" || entry.code === "phone_duplicate";
}

/** A row whose link was refused has no message, but reveals that the phone did not opt out. */
async function takeRefusedLinks(
  call: Call,
  written: ReadonlyMap<Candidate, Written>,
): Promise<void> {
  await take(call, [...written.values()].filter(({ ok }) => !ok).length);
}

async function take({ scope, source }: Call, rows: number): Promise<void> {
  if (rows === 0 || seesPeople(scope)) return;
  const seconds = await takeAmount(
    "tellingRowsPerActor",
    `${scope.workspacePk} ${scope.actor}`,
    rows,
  );
  if (seconds === 0) return;
  const { max } = budgets.tellingRowsPerActor;
  const message = `Without the permission people.view, up to ${max} rows a day can be repeated or refused because of their phone. Use a key that has it, or ask an admin.`;
  // Without a time to retry, a file fails instead of waiting for a day.
  throw new AppError("rate_limit_exceeded", message, {
    retryAfterSeconds: source.pk === null ? seconds : undefined,
  });
}
