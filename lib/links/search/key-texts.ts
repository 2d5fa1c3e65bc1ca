/**
 * Texts of links of API keys, which links/indexing adds in slices after the links were created. Each
 * slice holds the lock of the eras. Changes of such links wait for the slice that may have read them.
 */
import { areLinksApart } from "#lib/links/distribution";
import { type Connection, sql } from "#lib/platform/postgres";
import { lockEras } from "./eras.ts";
import { isKeyLink, type KeyLink } from "./schema.ts";

/** Called before the texts of links are changed or deleted. Afterwards, no slice adds an old one. */
export async function awaitSlices(tx: Connection, links: readonly KeyLink[]): Promise<void> {
  const ofKeys = links.filter(isKeyLink);
  if (ofKeys.length === 0) return;
  if ((await findIndexed(tx, ofKeys)).size === ofKeys.length) return;
  await lockEras(
    tx,
    ofKeys.map(({ workspace_pk }) => workspace_pk),
  );
}

/** Counts texts that were added (1) or deleted (-1) in the range that has been counted. */
export async function countKeyTexts(
  tx: Connection,
  links: readonly KeyLink[],
  step: 1 | -1,
): Promise<void> {
  const ofKeys = links.filter(isKeyLink);
  const workspacePks = [...new Set(ofKeys.map(({ workspace_pk }) => workspace_pk))];
  for (const workspacePk of workspacePks.sort((a, b) => a - b)) {
    const ids = ofKeys.flatMap(({ workspace_pk, id }) => (workspace_pk === workspacePk ? id : []));
    // Answered by search_progress_pkey.
    await tx.query(sql`
      UPDATE search_progress
      SET links = greatest(0, links + ${step}::int * (
        SELECT count(*)
        FROM unnest(${ids}::uuid[]) AS id
        WHERE id > search_progress.floor_id
          AND id <= search_progress.settled_id))
      WHERE workspace_pk = ${workspacePk}`);
  }
}

interface MovedLink extends KeyLink {
  key: string;
  url: string;
  title: string | null;
  comments: string | null;
}

/**
 * Called before links move to another workspace, where they no longer belong to a key. Returns
 * those without a text: no slice of the other workspace would add it.
 */
export async function takeKeyLinks(
  tx: Connection,
  linkPks: readonly number[],
): Promise<MovedLink[]> {
  // Answered by link_pkey.
  const links = await tx.query<MovedLink>(sql`
    SELECT pk, id, workspace_pk, api_key_pk, external_id, key, url, title, comments
    FROM link
    WHERE pk = ANY(${linkPks}::bigint[])
      AND api_key_pk IS NOT NULL
      AND url <> ''`);
  const indexed = await findIndexed(tx, links);
  await countKeyTexts(
    tx,
    links.filter(({ pk }) => indexed.has(pk)),
    -1,
  );
  if (await areLinksApart(tx)) return [];
  return links.filter((link) => isKeyLink(link) && !indexed.has(link.pk));
}

async function findIndexed(tx: Connection, links: readonly KeyLink[]): Promise<Set<number>> {
  const pks = links.map(({ pk }) => pk);
  // Answered by link_search_pkey.
  const texts = await tx.query<{ link_pk: number }>(
    sql`SELECT link_pk FROM link_search WHERE link_pk = ANY(${pks}::bigint[])`,
  );
  return new Set(texts.map(({ link_pk }) => link_pk));
}
