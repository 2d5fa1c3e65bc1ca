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
 * Adding texts takes the workspace’s lock until the commit: a new era starts after all existing
 * ids, and no link is added to an era that ended.
 */
import { type Connection, extendTimeout, query, sql, transaction } from "#lib/platform/postgres";
import { foldText, rareGrams, type SearchTerm } from "./search-term.ts";

export { type SearchTerm, searchTerm } from "./search-term.ts";

/** Larger eras make common terms slower, smaller ones rare terms. */
const eraLinksMax = 65_536;
const eraLock = 20_261_121;
const firstId = "00000000-0000-0000-0000-000000000000";

interface Searchable {
  row: { pk: number; id: string; workspace_pk: number };
  /** Undefined: the link is only found by its exact key, URL or externalId. */
  search: string | undefined;
}

interface LinkText {
  pk: number;
  id: string;
  text: string;
}

export async function insertSearch(tx: Connection, drafts: readonly Searchable[]): Promise<void> {
  const byWorkspace = new Map<number, LinkText[]>();
  for (const { row, search } of drafts) {
    if (search === undefined) continue;
    const rows = byWorkspace.get(row.workspace_pk) ?? [];
    rows.push({ pk: row.pk, id: row.id, text: search });
    byWorkspace.set(row.workspace_pk, rows);
  }
  // Sort, so that two batches cannot deadlock.
  for (const [workspacePk, rows] of [...byWorkspace].sort(([a], [b]) => a - b)) {
    await openEra(tx, workspacePk, rows.length);
    await insertTexts(tx, workspacePk, rows);
  }
}

async function openEra(tx: Connection, workspacePk: number, links: number): Promise<void> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(${eraLock}, ${workspacePk})`);
  // Answered by search_era_after.
  const [newest] = await tx.query<{ pk: number; full: boolean }>(sql`
    UPDATE search_era
    SET links = links + ${links}
    WHERE pk = (
      SELECT pk
      FROM search_era
      WHERE workspace_pk = ${workspacePk}
      ORDER BY after_id DESC
      LIMIT 1)
    RETURNING pk, links > ${eraLinksMax} AS full`);
  if (newest && !newest.full) return;
  // A link that is older than the end of the full era belongs to it. Answered by link_search_grams.
  await tx.query(sql`
    INSERT INTO search_era (workspace_pk, after_id, links)
    SELECT ${workspacePk}, coalesce((
      SELECT id
      FROM link_search
      WHERE era_pk = ${newest?.pk ?? 0}
      ORDER BY id DESC
      LIMIT 1), ${firstId}::uuid), ${links}
    ON CONFLICT (workspace_pk, after_id) DO NOTHING`);
}

async function insertTexts(tx: Connection, workspacePk: number, rows: readonly LinkText[]) {
  await tx.query(sql`
    INSERT INTO link_search (link_pk, workspace_pk, era_pk, id, text, grams)
    SELECT new.pk, ${workspacePk}, era.pk, new.id, new.text, new.grams
    FROM json_to_recordset(${textsJson(rows)}::json)
      AS new (pk bigint, id uuid, text text, grams text[])
    CROSS JOIN LATERAL (
      SELECT pk
      FROM search_era
      WHERE workspace_pk = ${workspacePk}
        AND after_id < new.id
      ORDER BY after_id DESC
      LIMIT 1
    ) AS era
    ON CONFLICT (link_pk) DO NOTHING`);
}

/** JSON, because arrays of grams as parameters would all need the same length. */
function textsJson(rows: readonly { pk: number; id?: string; text: string }[]): string {
  return JSON.stringify(
    rows.map(({ pk, id, text }) => {
      const folded = foldText(text);
      return { pk, id, text: folded, grams: rareGrams(folded) };
    }),
  );
}

/** Updates the texts of changed links. Links without a text stay without one. */
export async function updateSearch(tx: Connection, rows: readonly { pk: number; text: string }[]) {
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

/** Texts without trigrams or rare grams are read one by one: this many take 0.2 seconds. */
const scannedErasMax = 8;
export const scannedLinksMax = scannedErasMax * eraLinksMax;

/** False if the index cannot look the term up, and there are too many links to read them. */
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

export async function dropTexts(tx: Connection, linkPks: readonly number[]): Promise<void> {
  // Answered by link_search_pkey.
  await tx.query(sql`DELETE FROM link_search WHERE link_pk = ANY(${linkPks}::bigint[])`);
}

export async function moveTexts(tx: Connection, linkPks: readonly number[], workspacePk: number) {
  await tx.query(sql`SELECT pg_advisory_xact_lock(${eraLock}, ${workspacePk})`);
  await tx.query(sql`
    INSERT INTO search_era (workspace_pk, after_id, links)
    VALUES (${workspacePk}, ${firstId}, 0)
    ON CONFLICT (workspace_pk, after_id) DO NOTHING`);
  // Answered by link_search_pkey and search_era_after.
  await tx.query(sql`
    UPDATE link_search
    SET workspace_pk = ${workspacePk},
      era_pk = (
        SELECT pk
        FROM search_era
        WHERE search_era.workspace_pk = ${workspacePk}
          AND search_era.after_id < link_search.id
        ORDER BY after_id DESC
        LIMIT 1
      )
    WHERE link_pk = ANY(${linkPks}::bigint[])`);
}

export async function dropEras(tx: Connection, workspacePk: number): Promise<void> {
  // Answered by search_era_after.
  await tx.query(sql`DELETE FROM search_era WHERE workspace_pk = ${workspacePk}`);
}
