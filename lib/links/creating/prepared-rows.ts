/**
 * Creates links in one transaction with other rows: an import stores its position and outcomes with
 * the links, so that they never disagree. Preparing is separate from writing, so that the next rows
 * are prepared while the database writes the previous ones.
 */
import { type Lookups, noDomain } from "#lib/links/fields";
import type { NewLink } from "#lib/links/fields/schema";
import { lockServedDomains } from "#lib/links/hosts";
import { alreadyImported, isExternalIdTaken, lockOrigins } from "#lib/links/link-rows";
import { findWithContext } from "#lib/links/presenting";
import { deferSearchFlush } from "#lib/links/search";
import { commitTogether, type WriteOutcome } from "#lib/links/writing";
import { mapInSlices, type RowResult } from "#lib/platform/batches";
import { log } from "#lib/platform/log";
import type { Connection } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import type { RowOutcome } from "./bulk.ts";
import { loadWithCodes } from "./codes.ts";
import { present } from "./create.ts";
import {
  type CreateOptions,
  type PreparedLink,
  prepareLink,
  type SingleCreateOptions,
} from "./prepared-link.ts";
import { isFailure, parseRow, type RowFailure } from "./rows.ts";

export type OnTakenKey = "refuse" | "generate";

interface PreparedRow {
  body: NewLink;
  prepared: PreparedLink;
}

export interface PreparedRows {
  scope: WorkspaceScope;
  entries: (PreparedRow | RowFailure)[];
}

export async function prepareRows(
  scope: WorkspaceScope,
  rows: readonly unknown[],
  options: CreateOptions,
  onTakenKey: OnTakenKey,
): Promise<PreparedRows> {
  assertMay(scope, "links.write");
  const parsed = await mapInSlices(rows, parseRow);
  const bodies = parsed.filter((one): one is NewLink => !isFailure(one));
  const { codes, lookups } = await loadWithCodes(scope, bodies);
  let next = 0;
  const entries = await mapInSlices(parsed, (body) => {
    if (isFailure(body)) return body;
    const code = codes[next];
    next += 1;
    if (!code) throw new Error("The code pool returned too few codes");
    return prepareRow(scope, body, lookups, { ...options, code, part: 0 }, onTakenKey);
  });
  return { scope, entries };
}

function prepareRow(
  scope: WorkspaceScope,
  body: NewLink,
  lookups: Lookups,
  options: SingleCreateOptions,
  onTakenKey: OnTakenKey,
): PreparedRow | RowFailure {
  const prepared = prepareLink(scope, body, lookups, options);
  if (!prepared.ok) return prepared;
  const { draft } = prepared;
  if (body.key && onTakenKey === "generate") {
    draft.redraw = () => {
      const other = prepareLink(scope, { ...body, key: null }, lookups, options);
      if (!other.ok) return;
      // The same link except for its key and what follows from the key.
      draft.row.key = other.draft.row.key;
      draft.row.alias = other.draft.row.alias;
      draft.search = other.draft.search;
    };
  }
  return { body, prepared };
}

export interface RowHooks {
  /** Runs before the links are written; throwing rolls everything back. */
  begin: (tx: Connection) => Promise<void>;
  /** Runs after the links are written, with one outcome per row. */
  record: (tx: Connection, outcomes: readonly RowOutcome[]) => Promise<void>;
}

export async function writeRows(
  { scope, entries }: PreparedRows,
  { begin, record }: RowHooks,
): Promise<RowOutcome[]> {
  const wanted = entries.filter((entry): entry is PreparedRow => !isFailure(entry));
  return await commitTogether(async (tx, insert) => {
    await begin(tx);
    await deferSearchFlush(tx);
    const results = await refuseDeletedDomains(tx, scope, wanted);
    await refuseImported(tx, scope, wanted, results);
    const left = wanted.filter((entry) => !results.has(entry));
    const written = await insert(left.map(({ prepared }) => prepared.draft));
    for (const [at, entry] of left.entries()) results.set(entry, resultOf(written[at]));
    const outcomes = await outcomesOf(tx, scope, entries, results);
    await record(tx, outcomes);
    return outcomes;
  });
}

type RowResults = Map<PreparedRow, WriteOutcome | RowFailure>;

async function refuseDeletedDomains(
  tx: Connection,
  { workspacePk }: WorkspaceScope,
  entries: readonly PreparedRow[],
): Promise<RowResults> {
  const results: RowResults = new Map();
  // The instance's own domain is never deleted.
  const own = entries.filter(({ prepared: { domain } }) => domain.workspacePk !== undefined);
  if (own.length === 0) return results;
  const pks = [...new Set(own.map(({ prepared: { domain } }) => domain.pk))];
  const served = await lockServedDomains(tx, workspacePk, pks);
  for (const entry of own) {
    const { pk, slug } = entry.prepared.domain;
    if (served.has(pk)) continue;
    results.set(entry, { ok: false, code: "domain_unknown", message: noDomain(slug) });
  }
  return results;
}

/** Refuses links that another import has created meanwhile, and duplicates among the rows. */
async function refuseImported(
  tx: Connection,
  { workspacePk }: WorkspaceScope,
  entries: readonly PreparedRow[],
  results: RowResults,
): Promise<void> {
  const coming = entries.flatMap((entry) => {
    const link = entry.prepared.draft.row.origin?.shortLink;
    return link && !results.has(entry) ? [{ entry, link }] : [];
  });
  const links = coming.map(({ link }) => link);
  const known = await lockOrigins(tx, workspacePk, links);
  for (const { entry, link } of coming) {
    const message = alreadyImported(link);
    // defence: links-of-two-imports-once
    if (known.has(link)) {
      results.set(entry, { ok: false, code: "already_imported", message, details: { link } });
    }
    known.add(link);
  }
}

function resultOf(outcome: RowResult<WriteOutcome> | undefined): WriteOutcome | RowFailure {
  if (!outcome) throw new Error("An insert returned too few outcomes");
  if (outcome.ok) return outcome.value;
  if (isExternalIdTaken(outcome.error)) return { ok: false, code: "external_id_taken" };
  log.error({ event: "links.row_failed", error: String(outcome.error) });
  return { ok: false, code: "failed", message: "This link couldn’t be saved. Send it again." };
}

async function outcomesOf(
  tx: Connection,
  scope: WorkspaceScope,
  entries: PreparedRows["entries"],
  results: RowResults,
): Promise<RowOutcome[]> {
  const found = [...results.values()].flatMap((result) =>
    result.ok && "found" in result ? [result.found] : [],
  );
  const existing = await findWithContext(scope, found, tx);
  return entries.map((entry) => {
    if (isFailure(entry)) return entry;
    const result = results.get(entry);
    if (!result) throw new Error("A row has no outcome");
    if (!result.ok && "message" in result) return result;
    const outcome = present(scope, entry.body, entry.prepared, result);
    if (!("found" in outcome)) return outcome;
    const shown = existing.get(outcome.found);
    return shown
      ? { ok: true, ...shown, reused: true }
      : { ok: false, code: "failed", message: "The existing link for this url was just deleted." };
  });
}
