/** Creates links only if their URL has none yet. A lock per URL serializes callers. */
import { type Connection, sql } from "#lib/platform/postgres";
import type { Draft, ReuseRule, WriteOutcome } from "./drafts.ts";
import { digestOf } from "./idempotency.ts";
import { findAny, findRecent } from "./matching-links.ts";

export interface MatchingDraft {
  draft: Draft;
  match: ReuseRule;
}

type InsertUnmatched = (drafts: readonly Draft[]) => Promise<WriteOutcome[]>;

/** Gives each draft its matching link or a new one. Returns one outcome each, in order. */
export async function insertUnmatched(
  tx: Connection,
  matchings: readonly MatchingDraft[],
  insert: InsertUnmatched,
): Promise<WriteOutcome[]> {
  const urls = matchings.map(({ draft }) => digestOf(`${draft.row.workspace_pk} ${draft.row.url}`));
  await lockUrls(tx, urls);
  const found = new Map([
    ...(await findAny(tx, matchings)),
    ...(await findRecent(tx, matchings, urls)),
  ]);
  // The first of equal drafts in this batch is created, and returned for the others who may see it.
  const firsts = new Map<string, MatchingDraft>();
  const firstOf = matchings.map((one, at) => {
    const name = `${urls[at]} ${one.match.domainPk ?? ""}`;
    const first = found.has(one) ? one : (firsts.get(name) ?? one);
    if (!found.has(one)) firsts.set(name, first);
    return first;
  });
  const unsure = matchings.filter((one, at) => !seesLinkOf(one, firstOf[at] ?? one));
  const wanted = [...firsts.values()];
  const written = await insert(wanted.map(({ draft }) => draft));
  await recordUses(tx, wanted, written);
  const outcomeOf = new Map(wanted.map((one, at) => [one, written[at]]));
  // The links of the first drafts exist now, with their folders.
  const later = unsure.length > 0 ? await insertUnmatched(tx, unsure, insert) : [];
  for (const [at, one] of unsure.entries()) outcomeOf.set(one, later[at]);
  return matchings.map((one, at) => {
    const id = found.get(one);
    if (id !== undefined) return { ok: true, found: id };
    const first = outcomeOf.has(one) ? one : (firstOf[at] ?? one);
    const outcome = outcomeOf.get(first);
    if (!outcome) throw new Error("An insert returned too few outcomes");
    if (first === one || !outcome.ok || "found" in outcome) return outcome;
    return { ok: true, found: outcome.row.id };
  });
}

/** Whether the author of a draft can certainly see the link that another draft becomes. */
function seesLinkOf({ match }: MatchingDraft, { draft, match: other }: MatchingDraft): boolean {
  const limited = match.onlyDomains !== null || match.onlyFolders !== null;
  const sameLimits =
    match.onlyDomains === other.onlyDomains && match.onlyFolders === other.onlyFolders;
  if (limited && !sameLimits) return false;
  return (
    // defence: batch-shares-visible-links
    draft.row.folder_pk === null || match.readerPk === null || match.readerPk === other.readerPk
  );
}

/** Waits for concurrent creates with these URLs. Sorted, so that transactions cannot deadlock. */
async function lockUrls(tx: Connection, digests: readonly string[]): Promise<void> {
  const numbers = new Set(digests.map((digest) => BigInt.asIntN(64, BigInt(`0x${digest}`))));
  const sorted = [...numbers].sort((a, b) => (a < b ? -1 : 1)).map(String);
  await tx.query(sql`
    SELECT pg_advisory_xact_lock(number)
    FROM unnest(${sorted}::bigint[]) AS number`);
}

async function recordUses(
  tx: Connection,
  matchings: readonly MatchingDraft[],
  written: readonly WriteOutcome[],
): Promise<void> {
  const created = matchings.filter(
    ({ match }, at) => match.within !== undefined && written[at]?.ok,
  );
  if (created.length === 0) return;
  const rows = created.map(({ draft }) => draft.row);
  await tx.query(sql`
    INSERT INTO link_reuse (workspace_pk, domain_pk, digest, link_pk)
    SELECT *
    FROM unnest(
      ${rows.map((row) => row.workspace_pk)}::int[],
      ${rows.map((row) => row.domain_pk)}::int[],
      ${rows.map((row) => digestOf(`${row.workspace_pk} ${row.url}`))}::uuid[],
      ${rows.map((row) => row.pk)}::bigint[]
    )
    ON CONFLICT (workspace_pk, domain_pk, digest) DO UPDATE
    SET link_pk = excluded.link_pk, used_at = now()`);
}
