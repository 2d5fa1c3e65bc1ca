/**
 * Links whose making is one transaction with what somebody else writes about it: an import keeps its place and the
 * outcome of each row with the links themselves, so that neither is ever without the other.
 *
 * Preparing is apart from writing: the next rows are prepared while the database writes the ones before.
 */

import { type Lookups, lookUp, noDomain } from "#lib/links/fields";
import type { NewLink } from "#lib/links/fields/schema";
import { keepServing } from "#lib/links/hosts";
import { showById } from "#lib/links/reading";
import { leaveSearchUnsettled } from "#lib/links/search";
import type { Draft } from "#lib/links/writing";
import {
  aliasChanges,
  insertFull,
  insertUnmatched,
  isExternalIdTaken,
  type Matched,
  RefusedPks,
  renewPks,
  takeCodes,
} from "#lib/links/writing";
import { publishChanges, takeRevision } from "#lib/platform/cache-sync";
import { log } from "#lib/platform/log";
import { type Connection, transaction, writeApart } from "#lib/platform/postgres";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import type { RowOutcome } from "./bulk.ts";
import { present, reuseSeconds } from "./create.ts";
import { type Maker, type OneMaker, type Prepared, prepareLink } from "./draft.ts";
import { isFailure, mapInSlices, parseRow, type RowFailure } from "./rows.ts";

const pkTriesMax = 5;
/** Rounds in which keys that were drawn and are taken are drawn anew. */
const drawsMax = 8;

/** What is done with a row whose key is taken. */
export type OnTakenKey = "refuse" | "generate";

interface Entry {
  body: NewLink;
  prepared: Prepared;
  /** Makes the link anew, with a generated key. */
  redraw: (() => void) | undefined;
}

/** Rows on their way: each is an entry, or refused already. */
export interface PreparedRows {
  scope: WorkspaceScope;
  entries: (Entry | RowFailure)[];
}

/** Finds what rows name and makes them ready to be written. */
export async function prepareRows(
  scope: WorkspaceScope,
  rows: readonly unknown[],
  maker: Maker,
  onTakenKey: OnTakenKey,
): Promise<PreparedRows> {
  assertMay(scope, "links.write");
  const parsed = await mapInSlices(rows, parseRow);
  const bodies = parsed.filter((one): one is NewLink => !isFailure(one));
  const [codes, lookups] = await Promise.all([takeCodes(bodies.length), lookUp(scope, bodies)]);
  let next = 0;
  const entries = await mapInSlices(parsed, (body) => {
    if (isFailure(body)) return body;
    const code = codes[next];
    next += 1;
    if (!code) throw new Error("The pool answered too few codes");
    return prepareEntry(scope, body, lookups, { ...maker, code, part: 0 }, onTakenKey);
  });
  return { scope, entries };
}

function prepareEntry(
  scope: WorkspaceScope,
  body: NewLink,
  lookups: Lookups,
  maker: OneMaker,
  onTakenKey: OnTakenKey,
): Entry | RowFailure {
  const prepared = prepareLink(scope, body, lookups, maker);
  if (!prepared.ok) return prepared;
  const { draft } = prepared;
  const { draw } = draft;
  if (draw) {
    const redraw = () => {
      draft.row.key = draw();
    };
    return { body, prepared, redraw };
  }
  if (!body.key || onTakenKey === "refuse") return { body, prepared, redraw: undefined };
  const redraw = () => {
    const other = prepareLink(scope, { ...body, key: null }, lookups, maker);
    if (!other.ok) return;
    // The same link in all but its key, and what follows from that.
    draft.row.key = other.draft.row.key;
    draft.row.alias = other.draft.row.alias;
    draft.search = other.draft.search;
  };
  return { body, prepared, redraw };
}

/** What is written with the links. */
export interface Surroundings {
  /** Before them; throwing leaves nothing written. */
  begin: (tx: Connection) => Promise<void>;
  /** Behind them: one outcome for each row, in their order. */
  record: (tx: Connection, outcomes: readonly RowOutcome[]) => Promise<void>;
}

/** Writes rows in one transaction; a row that is refused harms no other. */
export async function writeRows(
  { scope, entries }: PreparedRows,
  { begin, record }: Surroundings,
): Promise<RowOutcome[]> {
  const wanted = entries.filter((entry): entry is Entry => !isFailure(entry));
  for (let tries = 0; tries < pkTriesMax; tries++) {
    try {
      const { outcomes, written } = await transaction(async (tx) => {
        await begin(tx);
        await leaveSearchUnsettled(tx);
        const revision = await takeRevision(tx);
        const results = await refuseGone(tx, scope, wanted);
        const left = wanted.filter((entry) => !results.has(entry));
        await insertRounds(tx, scope, left, revision, results);
        const all = await outcomesOf(tx, scope, entries, results);
        await record(tx, all);
        return { outcomes: all, written: newDrafts(results) };
      });
      await publishChanges(aliasChanges(written));
      return outcomes;
    } catch (error) {
      if (!(error instanceof RefusedPks)) throw error;
      await renewPks(
        wanted.map(({ prepared }) => prepared.draft),
        error.pks,
      );
    }
  }
  throw new Error(`No free pk in ${pkTriesMax} tries`);
}

type Results = Map<Entry, Matched | RowFailure>;

function newDrafts(results: Results): Draft[] {
  return [...results].flatMap(([{ prepared }, result]) =>
    result.ok && "isNew" in result && result.isNew ? [prepared.draft] : [],
  );
}

/**
 * Refuses entries whose domain went since they were prepared, and keeps the others' domains where they are: the links of
 * a domain that is deleted or moved are all of its links.
 */
async function refuseGone(
  tx: Connection,
  { workspacePk }: WorkspaceScope,
  entries: readonly Entry[],
): Promise<Results> {
  const results: Results = new Map();
  // That of the installation never goes.
  const own = entries.filter(({ prepared: { domain } }) => domain.workspacePk !== undefined);
  if (own.length === 0) return results;
  const pks = [...new Set(own.map(({ prepared: { domain } }) => domain.pk))];
  const serving = await keepServing(tx, workspacePk, pks);
  for (const entry of own) {
    const { pk, slug } = entry.prepared.domain;
    if (serving.has(pk)) continue;
    results.set(entry, { ok: false, code: "domain_unknown", message: noDomain(slug) });
  }
  return results;
}

/** Inserts entries, and those again whose key was taken and can be another. */
async function insertRounds(
  tx: Connection,
  scope: WorkspaceScope,
  entries: readonly Entry[],
  revision: number,
  results: Results,
): Promise<void> {
  let left = entries;
  for (let draws = 0; left.length > 0; draws++) {
    await insertApart(tx, scope, left, revision, results);
    left = left.filter((entry) => {
      const result = results.get(entry);
      return result?.ok === false && result.code === "key_taken" && entry.redraw !== undefined;
    });
    if (draws === drawsMax) {
      for (const entry of left) results.set(entry, { ok: false, code: "keys_used_up" });
      break;
    }
    for (const { redraw } of left) redraw?.();
  }
}

/** Those that may be links that are there already go their own way. */
async function insertApart(
  tx: Connection,
  scope: WorkspaceScope,
  entries: readonly Entry[],
  revision: number,
  results: Results,
): Promise<void> {
  const [fresh, matched]: [Entry[], Entry[]] = [[], []];
  for (const entry of entries) {
    (reuseSeconds(scope, entry.body) === undefined ? fresh : matched).push(entry);
  }
  await insertEntries(tx, fresh, results, (some) =>
    insertFull(
      tx,
      some.map(({ prepared }) => prepared.draft),
      revision,
    ),
  );
  await insertEntries(tx, matched, results, (some) => {
    const matches = some.map(({ body, prepared: { draft, domain } }) => ({
      draft,
      within: reuseSeconds(scope, body),
      domainPk: domain.pk,
    }));
    return insertUnmatched(tx, matches, revision);
  });
}

/** Inserts entries; those that the database refuses are results of their own. */
async function insertEntries(
  tx: Connection,
  entries: readonly Entry[],
  results: Results,
  insert: (entries: readonly Entry[]) => Promise<Matched[]>,
): Promise<void> {
  await writeApart(
    tx,
    entries,
    async (some) => {
      const written = await insert(some);
      for (const [at, entry] of some.entries()) {
        const result = written[at];
        if (!result) throw new Error("An insert answered too few outcomes");
        results.set(entry, result);
      }
    },
    (entry, error) => {
      results.set(entry, refusedAlone(error));
    },
  );
}

function refusedAlone(error: unknown): Matched | RowFailure {
  if (isExternalIdTaken(error)) return { ok: false, code: "external_id_taken" };
  log.error({ event: "links.row_failed", error: String(error) });
  return { ok: false, code: "failed", message: "This link could not be saved." };
}

async function outcomesOf(
  tx: Connection,
  scope: WorkspaceScope,
  entries: PreparedRows["entries"],
  results: Results,
): Promise<RowOutcome[]> {
  const found = [...results.values()].flatMap((result) =>
    result.ok && "found" in result ? [result.found] : [],
  );
  const met = await showById(scope, found, tx);
  return entries.map((entry) => {
    if (isFailure(entry)) return entry;
    const result = results.get(entry);
    if (!result) throw new Error("A row has no result");
    if (!result.ok && "message" in result) return result;
    const outcome = present(scope, entry.body, entry.prepared, result);
    if (!("found" in outcome)) return outcome;
    const shown = met.get(outcome.found);
    return shown
      ? { ok: true, ...shown }
      : { ok: false, code: "failed", message: "The link of this url was deleted meanwhile." };
  });
}
