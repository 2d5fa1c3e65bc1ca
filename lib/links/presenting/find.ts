import { parseId } from "#lib/basics/ids";
import { linkColumns } from "#lib/links/link-columns/schema";
import { type LinkRow, lockLinks } from "#lib/links/link-rows";
import type { Tag } from "#lib/links/tags/schema";
import { AppError } from "#lib/platform/errors";
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type RetirementSettings, retirementColumns } from "#lib/tenancy/plans";

export interface FoundLink extends LinkRow, RetirementSettings {
  slug: string;
  user_id: string | null;
  folder_id: string | null;
  clicks: number;
  scans: number;
  last_click_at: Date | null;
  leads: number;
  conversions: number;
  sales: number;
  sale_amount: number;
}

/** OFFSET 0 makes PostgreSQL read links and counters from other servers before the other joins. */
function selectFound(where: string): string {
  return `
    SELECT found.*, domain.slug, app_user.id AS user_id, folder.id AS folder_id,
      workspace.plan, ${retirementColumns}
    FROM (
      SELECT ${linkColumns.map((column) => `link.${column}`).join(", ")},
        coalesce(link_stat.clicks, 0) AS clicks, coalesce(link_stat.scans, 0) AS scans,
        link_stat.last_click_at,
        coalesce(link_stat.leads, 0) AS leads, coalesce(link_stat.conversions, 0) AS conversions,
        coalesce(link_stat.sales, 0) AS sales, coalesce(link_stat.sale_amount, 0) AS sale_amount
      FROM link
      LEFT JOIN link_stat ON link_stat.link_pk = link.pk
      WHERE ${where}
      OFFSET 0
    ) AS found
    JOIN domain ON domain.pk = found.domain_pk
    JOIN workspace ON workspace.pk = found.workspace_pk
    LEFT JOIN app_user ON app_user.pk = found.user_pk
    LEFT JOIN folder ON folder.pk = found.folder_pk`;
}

/** The links with these ids, in the order of their pks. Locked, if there is a transaction. */
export async function findRows(
  workspacePk: number,
  ids: readonly string[],
  tx?: Connection,
): Promise<FoundLink[]> {
  if (tx) await lockRows(tx, workspacePk, ids);
  return await query.on(tx).query<FoundLink>({
    // Answered by link_workspace.
    text: `
      ${selectFound("link.workspace_pk = $1 AND link.id = ANY($2::uuid[])")}
      ORDER BY found.pk`,
    values: [workspacePk, ids],
  });
}

async function lockRows(tx: Connection, workspacePk: number, ids: readonly string[]) {
  // Answered by link_workspace.
  const found = await tx.query<{ pk: number }>(sql`
    SELECT pk
    FROM link
    WHERE workspace_pk = ${workspacePk}
      AND id = ANY(${ids}::uuid[])`);
  const pks = found.map(({ pk }) => pk);
  await lockLinks(tx, pks, "update");
}

/** The links with these pks, in the given order, without deleted ones. Answered by link_pkey. */
export async function findByPks(
  workspacePk: number,
  pks: readonly number[],
  tx?: Connection,
): Promise<FoundLink[]> {
  if (pks.length === 0) return [];
  const text = selectFound("link.workspace_pk = $1 AND link.pk = ANY($2::bigint[])");
  const rows = await query.on(tx).query<FoundLink>({ text, values: [workspacePk, pks] });
  const rowOf = new Map(rows.map((row) => [row.pk, row]));
  return pks.flatMap((pk) => rowOf.get(pk) ?? []);
}

/** Answered by link_external. */
export function findByExternalIds(
  workspacePk: number,
  externalIds: readonly string[],
): Promise<{ pk: number; id: string; external_id: string }[]> {
  return query({
    text: `
      SELECT pk, id, external_id
      FROM link
      WHERE workspace_pk = $1
        AND external_id = ANY($2::text[])`,
    values: [workspacePk, externalIds],
  });
}

export async function listTagsOf(pks: number[], tx?: Connection): Promise<Map<number, Tag[]>> {
  // Answered by link_tag_pkey.
  const rows = await query.on(tx).query<Tag & { link_pk: number }>(sql`
    SELECT link_tag.link_pk, tag.id, tag.name, tag.color
    FROM link_tag
    JOIN tag ON tag.pk = link_tag.tag_pk
    WHERE link_tag.link_pk = ANY(${pks}::bigint[])
    ORDER BY tag.name`);
  const tags = new Map<number, Tag[]>();
  for (const { link_pk, ...tag } of rows) tags.set(link_pk, [...(tags.get(link_pk) ?? []), tag]);
  return tags;
}

/** The tags that this transaction sees. Answered by link_tag_pkey. */
export async function listTagRows(
  pks: readonly number[],
  tx: Connection,
): Promise<Map<number, (Tag & { pk: number })[]>> {
  const rows = await tx.query<Tag & { pk: number; link_pk: number }>(sql`
    SELECT link_tag.link_pk, tag.pk, tag.id, tag.name, tag.color
    FROM link_tag
    JOIN tag ON tag.pk = link_tag.tag_pk
    WHERE link_tag.link_pk = ANY(${pks}::bigint[])
    ORDER BY tag.name`);
  const tags = new Map<number, (Tag & { pk: number })[]>(pks.map((pk) => [pk, []]));
  for (const { link_pk, ...tag } of rows) tags.get(link_pk)?.push(tag);
  return tags;
}

const externalPrefix = "ext_";

/** The id itself takes precedence, because it may start with the prefix. */
export async function findByExternalId(
  scope: WorkspaceScope,
  text: string,
): Promise<{ pk: number; id: string } | undefined> {
  const ids = text.startsWith(externalPrefix) ? [text, text.slice(externalPrefix.length)] : [text];
  const rows = await findByExternalIds(scope.workspacePk, ids);
  return ids.flatMap((id) => rows.find((row) => row.external_id === id) ?? [])[0];
}

function uuidOf(id: string): string {
  const uuid = parseId("link", id);
  if (uuid) return uuid;
  throw missingLink(id);
}

/** Links are named by their id, or by `ext_` and their externalId. */
export async function resolveLinkUuid(scope: WorkspaceScope, id: string): Promise<string> {
  if (!id.startsWith(externalPrefix)) return uuidOf(id);
  const found = await findByExternalId(scope, id);
  if (!found) throw missingLink(id);
  return found.id;
}

export function missingLink(id: string): AppError {
  return new AppError("not_found", `Link "${id}" not found in this workspace.`);
}
