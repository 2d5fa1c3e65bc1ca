import type { AbuseReason } from "#lib/basics/abuse/schema";
import { replaceDestinations } from "#lib/destinations/reputation";
import { type LinkColumn, plainNames } from "#lib/links/link-columns/schema";
import { updateSearch } from "#lib/links/search";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { changeExternalIds } from "./apart.ts";
import { type OwnerMove, recordMoves } from "./move.ts";
import { claimNames, dropNames, findTakenName } from "./name-claims.ts";
import { columnsJson, type LinkRow, recordsOf } from "./row.ts";

export interface RowChange {
  before: LinkRow;
  after: LinkRow;
  /** pks of tags. Undefined: unchanged. */
  tags: { from: readonly number[]; to: readonly number[] } | undefined;
  text: string;
}

const comparedColumns: LinkColumn[] = ["key", "url", "alias", "domain_pk", ...plainNames];
const writtenColumns: LinkColumn[] = ["revision", "updated_at", ...comparedColumns];

export function changedColumns(before: LinkRow, after: LinkRow): LinkColumn[] {
  return comparedColumns.filter(
    (column) => JSON.stringify(before[column]) !== JSON.stringify(after[column]),
  );
}

/** Claims the new name of a link and releases the old one. False if the new one is taken. */
export async function renameLink(
  tx: Connection,
  before: LinkRow,
  after: LinkRow,
): Promise<boolean> {
  if (after.key === before.key && after.domain_pk === before.domain_pk) return true;
  const taken = after.alias
    ? (await claimNames(tx, [after])).size > 0
    : await findTakenName(tx, after);
  if (taken) return false;
  await dropNames(tx, [before]);
  return true;
}

export async function updateLinks(tx: Connection, changes: readonly RowChange[]): Promise<void> {
  const rows = changes.map(({ after }) => after);
  await changeExternalIds(tx, changes);
  await tx.query({
    // Answered by link_pkey.
    text: `
      UPDATE link
      SET ${writtenColumns.map((column) => `${column} = new.${column}`).join(", ")}
      FROM ${recordsOf("$1", ["pk", ...writtenColumns])}
      WHERE link.pk = new.pk
        AND link.pk = ANY($2::bigint[])`,
    values: [columnsJson(rows, ["pk", ...writtenColumns]), rows.map(({ pk }) => pk)],
  });
  await recordMoves(tx, "folder", changes.flatMap(folderMoves));
  await replaceTags(tx, changes);
  // defence: edited-destination-checked
  await replaceDestinations(tx, rows);
  const texts = changes.map(({ after, text }) => ({ link: after, text }));
  await updateSearch(tx, texts);
}

function folderMoves({ before, after }: RowChange): OwnerMove[] {
  if (before.folder_pk === after.folder_pk) return [];
  return [...moveOf(after.pk, before.folder_pk, -1), ...moveOf(after.pk, after.folder_pk, 1)];
}

function moveOf(linkPk: number, ownerPk: number | null, step: 1 | -1): OwnerMove[] {
  return ownerPk === null ? [] : [{ linkPk, ownerPk, step }];
}

async function replaceTags(tx: Connection, changes: readonly RowChange[]): Promise<void> {
  const moves = changes.flatMap(({ after, tags }): OwnerMove[] => [
    ...without(tags?.from, tags?.to).map(
      (pk): OwnerMove => ({ linkPk: after.pk, ownerPk: pk, step: -1 }),
    ),
    ...without(tags?.to, tags?.from).map(
      (pk): OwnerMove => ({ linkPk: after.pk, ownerPk: pk, step: 1 }),
    ),
  ]);
  const taken = moves.filter(({ step }) => step === -1);
  const given = moves.filter(({ step }) => step === 1);
  if (taken.length > 0) {
    await tx.query(sql`
      DELETE FROM link_tag
      USING unnest(
        ${taken.map(({ linkPk }) => linkPk)}::bigint[],
        ${taken.map(({ ownerPk }) => ownerPk)}::int[]
      ) AS taken (link_pk, tag_pk)
      WHERE link_tag.link_pk = taken.link_pk
        AND link_tag.tag_pk = taken.tag_pk
        AND link_tag.link_pk = ANY(${taken.map(({ linkPk }) => linkPk)}::bigint[])`);
  }
  if (given.length > 0) {
    await addTags(tx, given);
  }
  await recordMoves(tx, "tag", moves);
}

/** Adds tags to links. Waits for a tag that is being deleted, and omits it. */
export async function addTags(tx: Connection, given: readonly OwnerMove[]): Promise<void> {
  // Answered by tag_pkey.
  await tx.query(sql`
    INSERT INTO link_tag (link_pk, tag_pk)
    SELECT given.link_pk, tag.pk
    FROM unnest(
      ${given.map(({ linkPk }) => linkPk)}::bigint[],
      ${given.map(({ ownerPk }) => ownerPk)}::int[]
    ) AS given (link_pk, tag_pk)
    JOIN tag ON tag.pk = given.tag_pk
    ORDER BY tag.pk
    FOR KEY SHARE OF tag`);
}

function without(pks: readonly number[] = [], others: readonly number[] = []): number[] {
  const left = new Set(others);
  return pks.filter((pk) => !left.has(pk));
}

interface BackdatedLink {
  url: string;
  uuid: string;
  at: Date;
}

/** Gives demo links the age of their clicks. Call it before any id is used. */
export function backdateLinks(
  workspacePk: number,
  dated: readonly BackdatedLink[],
): Promise<{ url: string; linkPk: number; domainPk: number }[]> {
  return query(sql`
    UPDATE link
    SET id = new.id,
      created_at = new.at,
      updated_at = new.at
    FROM unnest(
      ${dated.map(({ url }) => url)}::text[],
      ${dated.map(({ uuid }) => uuid)}::uuid[],
      ${dated.map(({ at }) => at)}::timestamptz[]
    ) AS new (url, id, at)
    WHERE link.workspace_pk = ${workspacePk}
      AND link.url = new.url
    RETURNING link.url, link.pk AS "linkPk", link.domain_pk AS "domainPk"`);
}

/** Bans a link, or lifts its ban (null). Undefined: the link was deleted. */
export async function markBanned(
  tx: Connection,
  { pk, id }: { pk: number; id: string },
  reason: AbuseReason | null,
  revision: number,
): Promise<{ domain_pk: number; key: string } | undefined> {
  const bannedAt = reason === null ? null : new Date();
  // Answered by link_pkey. Another link may have got the pk of a deleted one.
  const [row] = await tx.query<{ domain_pk: number; key: string }>(sql`
    UPDATE link
    SET banned_at = ${bannedAt},
      ban_reason = ${reason}::text,
      revision = ${revision}
    WHERE pk = ${pk}
      AND id = ${id}::uuid
    RETURNING domain_pk, key`);
  // Answered by deleted_link_pkey.
  // defence: ban-ends-for-deleted-link
  await tx.query(sql`
    UPDATE deleted_link
    SET link = link || jsonb_build_object(
      'banned_at', ${bannedAt}::timestamptz,
      'ban_reason', ${reason}::text
    )
    WHERE link_pk = ${pk}
      AND link ->> 'id' = ${id}`);
  return row;
}
