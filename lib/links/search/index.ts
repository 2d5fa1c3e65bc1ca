/**
 * The search index: texts of links, divided into eras.
 *
 * An era is a range of a workspace’s links in the order of their ids. One GIN index holds era,
 * trigrams and rare grams. The cost of a lookup depends on the size of the era, not on other eras
 * and workspaces. A search goes from the newest era back and stops when its page is full: the first
 * era answers a common term, a rare one takes a short lookup in each era.
 *
 * The index collects entries of new texts in a pending list before it merges them. A search reads
 * that whole list for each era, so `flushSearch` empties it soon.
 *
 * Adding texts takes the workspace’s lock until the commit. A text belongs to the era whose range contains its id, even if it is
 * added late. An era that becomes too large is then split.
 *
 * People’s links get their texts in the transaction that creates them. Those of API keys get them
 * later, from links/indexing.
 */
import { type Connection, extendTimeout, query, sql, transaction } from "#lib/platform/postgres";
import { addNewest, ensureEra, type LinkText, lockEras, textsJson } from "./eras.ts";
import { awaitSlices, countKeyTexts, takeKeyLinks } from "./key-texts.ts";
import { type KeyLink, scannedErasMax, searchText } from "./schema.ts";
import type { SearchTerm } from "./search-term.ts";

export { addSlice, dropSlice, lockEras } from "./eras.ts";
export { type SearchTerm, searchTerm } from "./search-term.ts";

interface Searchable {
  row: { pk: number; id: string; workspace_pk: number };
  /** Undefined: links/indexing adds it, or the link is only found by its exact names. */
  search: string | undefined;
}

export async function insertSearch(tx: Connection, drafts: readonly Searchable[]): Promise<void> {
  const byWorkspace = new Map<number, LinkText[]>();
  for (const { row, search } of drafts) {
    if (search === undefined) continue;
    const rows = byWorkspace.get(row.workspace_pk) ?? [];
    rows.push({ pk: row.pk, id: row.id, text: search });
    byWorkspace.set(row.workspace_pk, rows);
  }
  await lockEras(tx, byWorkspace.keys());
  for (const [workspacePk, rows] of byWorkspace) await addNewest(tx, workspacePk, rows);
}

/** Updates the texts of changed links. Links without a text stay without one. */
export async function updateSearch(
  tx: Connection,
  changes: readonly { link: KeyLink; text: string }[],
): Promise<void> {
  await awaitSlices(
    tx,
    changes.map(({ link }) => link),
  );
  const rows = changes.map(({ link, text }) => ({ pk: link.pk, text }));
  // Answered by link_search_pkey.
  await tx.query(sql`
    UPDATE link_search
    SET text = new.text,
        grams = new.grams
    FROM json_to_recordset(${textsJson(rows)}::json) AS new (pk bigint, text text, grams text[])
    WHERE link_search.link_pk = new.pk
      AND link_search.text <> new.text`);
}

/** The conditions of texts that contain the term. The index answers all but the last. */
export function textConditions(term: SearchTerm, place: (value: unknown) => string): string[] {
  const conditions = term.anchors.map((word) => `link_search.text LIKE ${place(`%${word}%`)}`);
  if (term.grams.length > 0) conditions.push(`link_search.grams @> ${place(term.grams)}::text[]`);
  conditions.push(`strpos(link_search.text, ${place(term.folded)}) > 0`);
  return conditions;
}

/** False if the index cannot look the term up, and there are too many links to read one by one. */
export async function isSearchable(workspacePk: number, term: SearchTerm): Promise<boolean> {
  if (term.anchors.length > 0 || term.grams.length > 0) return true;
  // Answered by search_era_after.
  const eras = await query(sql`
    SELECT
    FROM search_era
    WHERE workspace_pk = ${workspacePk}
    LIMIT ${scannedErasMax + 1}`);
  return eras.length <= scannedErasMax;
}

/** Far more than one transaction adds. The setting is in kilobytes. */
const pendingKilobytesMax = 65_536;

/** Leaves the list to `flushSearch`: a transaction with many texts would merge it itself. */
export async function deferSearchFlush(tx: Connection): Promise<void> {
  const limit = String(pendingKilobytesMax);
  await tx.query(sql`SELECT set_config('gin_pending_list_limit', ${limit}, true)`);
}

/** Merging a list that many transactions added to takes long. */
const flushTimeoutMs = 120_000;
let flushing: Promise<void> | undefined;
let flushAgain = false;

/** Merges the pending list. Concurrent callers share one run. A failure loses nothing. */
export function flushSearch(): Promise<void> {
  if (flushing !== undefined) {
    flushAgain = true;
    return flushing;
  }
  flushing = flush().finally(() => {
    flushing = undefined;
  });
  return flushing;
}

async function flush(): Promise<void> {
  do {
    flushAgain = false;
    await transaction(async (tx) => {
      await extendTimeout(tx, flushTimeoutMs);
      const text = "SELECT gin_clean_pending_list('link_search_grams')";
      await tx.query({ text, values: [], query_timeout: flushTimeoutMs });
    });
  } while (flushAgain);
}

export async function dropTexts(tx: Connection, links: readonly KeyLink[]): Promise<void> {
  await awaitSlices(tx, links);
  const pks = links.map(({ pk }) => pk);
  // Answered by link_search_pkey.
  const dropped = await tx.query<{ link_pk: number }>(sql`
    DELETE FROM link_search
    WHERE link_pk = ANY(${pks}::bigint[])
    RETURNING link_pk`);
  const gone = new Set(dropped.map(({ link_pk }) => link_pk));
  await countKeyTexts(
    tx,
    links.filter(({ pk }) => gone.has(pk)),
    -1,
  );
}

/** Adds the texts of links that were deleted and are back, with the ids they had. */
export async function restoreTexts(
  tx: Connection,
  links: readonly (KeyLink & Parameters<typeof searchText>[0])[],
): Promise<void> {
  await insertSearch(
    tx,
    links.map((row) => ({ row, search: searchText(row) })),
  );
  await countKeyTexts(tx, links, 1);
}

/** Called before the links are moved. */
export async function moveTexts(
  tx: Connection,
  linkPks: readonly number[],
  { from, to }: { from: number; to: number },
): Promise<void> {
  await lockEras(tx, [from, to]);
  const missing = await takeKeyLinks(tx, linkPks);
  await ensureEra(tx, to);
  // Answered by link_search_pkey and search_era_after.
  await tx.query(sql`
    UPDATE link_search
    SET workspace_pk = ${to},
      era_pk = (
        SELECT pk
        FROM search_era
        WHERE search_era.workspace_pk = ${to}
          AND search_era.after_id < link_search.id
        ORDER BY after_id DESC
        LIMIT 1
      )
    WHERE link_pk = ANY(${linkPks}::bigint[])`);
  await insertSearch(
    tx,
    missing.map((row) => ({ row: { ...row, workspace_pk: to }, search: searchText(row) })),
  );
}

export async function dropEras(tx: Connection, workspacePk: number): Promise<void> {
  // Answered by search_era_after.
  await tx.query(sql`DELETE FROM search_era WHERE workspace_pk = ${workspacePk}`);
}
