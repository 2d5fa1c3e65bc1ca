/** Each slice is one transaction under the lock of the eras. */
import { firstUuidAt, uuidBefore, uuidTime } from "#lib/basics/ids";
import { addSlice, deferSearchFlush, dropSlice, lockEras } from "#lib/links/search";
import { type Direction, isKeyLink, type KeyLink, searchText } from "#lib/links/search/schema";
import { type Connection, sql, transaction } from "#lib/platform/postgres";

export interface SliceOptions {
  sliceLinks: number;
  overlapMs: number;
  linksMax: number;
}

export interface SliceResult {
  added: number;
  dropped: number;
  more: boolean;
}

interface Progress {
  workspace_pk: number;
  floor_id: string;
  settled_id: string;
  seen_id: string;
  links: number;
}

interface Pass {
  horizonId: string;
  /** Where the first reading of each workspace continues in this run. */
  positions: Map<number, string>;
}

const firstId = firstUuidAt(0);
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const nothing: SliceResult = { added: 0, dropped: 0, more: false };

/** Reads the next new links: those behind the horizon a second time, then the newest. */
export function addNew(workspacePk: number, pass: Pass, options: SliceOptions) {
  return inSlice(workspacePk, (tx, progress) =>
    progress.settled_id < pass.horizonId
      ? settle(tx, progress, pass.horizonId, options)
      : readNewest(tx, progress, pass.positions, options),
  );
}

/** Drops texts above the maximum, or adds those of older links below it. */
export function balance(workspacePk: number, options: SliceOptions) {
  return inSlice(workspacePk, (tx, progress) =>
    progress.links > options.linksMax
      ? raiseFloor(tx, progress, options)
      : lowerFloor(tx, progress, options),
  );
}

/** The progress is read under the lock, so two workers never add the same slice. */
function inSlice(
  workspacePk: number,
  work: (tx: Connection, progress: Progress) => Promise<SliceResult>,
): Promise<SliceResult> {
  return transaction(async (tx) => {
    await deferSearchFlush(tx);
    await lockEras(tx, [workspacePk]);
    // Answered by search_progress_pkey.
    const [progress] = await tx.query<Progress>(sql`
      SELECT workspace_pk, floor_id, settled_id, seen_id, links
      FROM search_progress
      WHERE workspace_pk = ${workspacePk}`);
    return progress ? await work(tx, progress) : nothing;
  });
}

async function settle(
  tx: Connection,
  { workspace_pk, settled_id }: Progress,
  horizonId: string,
  { sliceLinks }: SliceOptions,
): Promise<SliceResult> {
  const rows = await readUp(tx, workspace_pk, { after: settled_id, to: horizonId }, sliceLinks);
  const more = rows.length === sliceLinks;
  const settledId = more ? idOfLast(rows) : horizonId;
  const ofKeys = rows.filter(isKeyLink);
  const added = await addTexts(tx, workspace_pk, ofKeys, "up");
  await tx.query(sql`
    UPDATE search_progress
    SET settled_id = ${settledId},
      seen_id = greatest(seen_id, ${settledId}::uuid),
      links = links + ${ofKeys.length}
    WHERE workspace_pk = ${workspace_pk}`);
  // There is more, because the newest links are read next.
  return { added, dropped: 0, more: true };
}

async function readNewest(
  tx: Connection,
  { workspace_pk, settled_id, seen_id }: Progress,
  positions: Map<number, string>,
  { sliceLinks, overlapMs }: SliceOptions,
): Promise<SliceResult> {
  const overlap = firstUuidAt(uuidTime(seen_id) - overlapMs);
  const after = positions.get(workspace_pk) ?? (overlap > settled_id ? overlap : settled_id);
  const rows = await readUp(tx, workspace_pk, { after, to: lastId }, sliceLinks);
  if (rows.length === 0) return nothing;
  const added = await addTexts(tx, workspace_pk, rows.filter(isKeyLink), "up");
  positions.set(workspace_pk, idOfLast(rows));
  // Not later than now: if the clock of one front is ahead, links of other fronts would seem old.
  const [seenId] = [idOfLast(rows), firstUuidAt(Date.now())].sort();
  await tx.query(sql`
    UPDATE search_progress
    SET seen_id = ${seenId}
    WHERE workspace_pk = ${workspace_pk}
      AND seen_id < ${seenId}::uuid`);
  return { added, dropped: 0, more: rows.length === sliceLinks };
}

/** Drops the texts of links of API keys, oldest first, until no more than the maximum are left. */
async function raiseFloor(
  tx: Connection,
  { workspace_pk, floor_id, settled_id, links }: Progress,
  { sliceLinks, linksMax }: SliceOptions,
): Promise<SliceResult> {
  const rows = await readUp(tx, workspace_pk, { after: floor_id, to: settled_id }, sliceLinks);
  const { part, ofKeys } = upToKeyLinks(rows, links - linksMax);
  const pks = ofKeys.map(({ pk }) => pk);
  await dropSlice(tx, pks);
  const isEmpty = part.length === 0;
  const floorId = isEmpty ? settled_id : idOfLast(part);
  // If no link is left, the count was too high.
  await tx.query(sql`
    UPDATE search_progress
    SET floor_id = ${floorId}, links = CASE WHEN ${isEmpty} THEN 0 ELSE links - ${pks.length}::int END
    WHERE workspace_pk = ${workspace_pk}`);
  return { added: 0, dropped: pks.length, more: !isEmpty && links - pks.length > linksMax };
}

async function lowerFloor(
  tx: Connection,
  { workspace_pk, floor_id, links }: Progress,
  { sliceLinks, linksMax }: SliceOptions,
): Promise<SliceResult> {
  if (links >= linksMax || floor_id === firstId) return nothing;
  // Answered by link_workspace, backwards.
  const rows = await tx.query<ReadLink>({
    text: `
      SELECT ${readColumns}
      FROM link
      WHERE workspace_pk = $1
        AND id <= $2
      ORDER BY id DESC
      LIMIT $3`,
    values: [workspace_pk, floor_id, sliceLinks],
  });
  const { part, ofKeys } = upToKeyLinks(rows, linksMax - links);
  const isEnd = part.length === rows.length && rows.length < sliceLinks;
  const floorId = isEnd ? firstId : uuidBefore(idOfLast(part));
  const added = await addTexts(tx, workspace_pk, ofKeys, "down");
  await tx.query(sql`
    UPDATE search_progress
    SET floor_id = ${floorId}, links = links + ${ofKeys.length}
    WHERE workspace_pk = ${workspace_pk}`);
  return { added, dropped: 0, more: !isEnd && links + ofKeys.length < linksMax };
}

interface ReadLink extends KeyLink {
  key: string;
  url: string;
  title: string | null;
  comments: string | null;
  indexed: boolean;
}

// A subquery, because a join might read all texts. Only links of keys need it.
const readColumns = `link.pk, link.id, link.workspace_pk, link.key, link.url, link.title, link.comments,
        CASE WHEN link.url <> '' THEN link.api_key_pk END AS api_key_pk, link.external_id,
        CASE WHEN link.api_key_pk IS NOT NULL THEN (
          SELECT true
          FROM link_search
          WHERE link_search.link_pk = link.pk) END IS NOT NULL AS indexed`;

function readUp(
  tx: Connection,
  workspacePk: number,
  { after, to }: { after: string; to: string },
  max: number,
): Promise<ReadLink[]> {
  return tx.query<ReadLink>({
    // Answered by link_workspace, then link_search_pkey.
    text: `
      SELECT ${readColumns}
      FROM link
      WHERE workspace_pk = $1
        AND id > $2
        AND id <= $3
      ORDER BY id
      LIMIT $4`,
    values: [workspacePk, after, to, max],
  });
}

/** The rows before the first link of an API key that exceeds `max`. */
function upToKeyLinks(rows: readonly ReadLink[], max: number) {
  const ofKeys = rows.filter(isKeyLink);
  const surplus = ofKeys[max];
  const part = surplus ? rows.slice(0, rows.indexOf(surplus)) : rows;
  return { part, ofKeys: ofKeys.slice(0, max) };
}

function addTexts(
  tx: Connection,
  workspacePk: number,
  links: readonly ReadLink[],
  direction: Direction,
): Promise<number> {
  const missing = links.filter(({ indexed }) => !indexed);
  const texts = missing.map((link) => ({ pk: link.pk, id: link.id, text: searchText(link) }));
  return addSlice(tx, workspacePk, texts, direction);
}

function idOfLast(rows: readonly ReadLink[]): string {
  const last = rows.at(-1);
  if (!last) throw new Error("The slice is empty");
  return last.id;
}
