/** The SQL of links: finding them. Every question carries the workspace in its WHERE clause. */
import { pkOfCode } from "#lib/codes";
import { type Connection, query } from "#lib/postgres";
import { type LinkRow, linkColumns, type Tag } from "./row.ts";

/** A link with what other tables know about it. */
export interface FoundLink extends LinkRow {
  slug: string;
  user_id: string | null;
  folder_id: string | null;
  clicks: number;
  last_click_at: Date | null;
}

const foundColumns = `${linkColumns.map((column) => `link.${column}`).join(", ")},
  domain.slug, app_user.id AS user_id, folder.id AS folder_id,
  coalesce(link_stat.clicks, 0) AS clicks, link_stat.last_click_at`;

const foundJoins = `
  JOIN domain ON domain.pk = link.domain_pk
  LEFT JOIN app_user ON app_user.pk = link.user_pk
  LEFT JOIN folder ON folder.pk = link.folder_pk
  LEFT JOIN link_stat ON link_stat.link_pk = link.pk`;

/** The links with these ids, in the order of their pks, locked when a transaction asks. Answered by link_workspace. */
export function findRows(
  workspacePk: number,
  ids: readonly string[],
  tx?: Connection,
): Promise<FoundLink[]> {
  return query<FoundLink>(
    {
      text: `
        SELECT ${foundColumns}
        FROM link ${foundJoins}
        WHERE link.workspace_pk = $1 AND link.id = ANY($2::uuid[])
        ORDER BY link.pk
        ${tx ? "FOR UPDATE OF link" : ""}`,
      values: [workspacePk, ids],
    },
    tx,
  );
}

/** The ids of the links that a workspace knows by these names of its own. Answered by link_external. */
export async function findIdsOfExternal(
  workspacePk: number,
  externalIds: readonly string[],
): Promise<string[]> {
  const rows = await query<{ id: string }>({
    text: `
      SELECT id
      FROM link
      WHERE workspace_pk = $1 AND external_id = ANY($2::text[])`,
    values: [workspacePk, externalIds],
  });
  return rows.map(({ id }) => id);
}

export interface ListFilter {
  search: string | undefined;
  domain: string | undefined;
  tagId: string | undefined;
  showArchived: boolean;
}

export interface Page {
  size: number;
  /** id of the last link of the page before, or of the first link of the page after */
  startingAfter: string | undefined;
  endingBefore: string | undefined;
}

function conditions(
  workspacePk: number,
  filter: ListFilter,
): { where: string[]; values: unknown[] } {
  const values: unknown[] = [workspacePk];
  const where = ["link.workspace_pk = $1"];
  const add = (value: unknown, condition: (place: string) => string) => {
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  if (!filter.showArchived) where.push("NOT link.archived");
  if (filter.domain) add(filter.domain, (place) => `domain.slug = ${place}`);
  if (filter.tagId) {
    add(
      filter.tagId,
      (place) => `link.pk IN (
        SELECT link_tag.link_pk
        FROM link_tag JOIN tag ON tag.pk = link_tag.tag_pk
        WHERE tag.workspace_pk = $1 AND tag.id = ${place})`,
    );
  }
  if (filter.search) {
    values.push(`%${filter.search.replace(/[\\%_]/g, "\\$&")}%`, pkOfCode(filter.search) ?? -1);
    // The text of links that people made, by link_search_text; a generated code of any link, by its pk.
    where.push(`link.pk IN (
      SELECT link_pk
      FROM link_search
      WHERE link_search.workspace_pk = $1 AND link_search.text ILIKE $${values.length - 1}
      UNION ALL
      SELECT $${values.length}::bigint)`);
  }
  return { where, values };
}

/** A page of links, newest first. Answered by link_workspace, which holds them in that order. */
export async function listRows(
  workspacePk: number,
  filter: ListFilter,
  page: Page,
): Promise<FoundLink[]> {
  const { where, values } = conditions(workspacePk, filter);
  const backwards = page.endingBefore !== undefined && page.startingAfter === undefined;
  const cursor = page.startingAfter ?? page.endingBefore;
  if (cursor !== undefined) {
    values.push(cursor);
    where.push(`link.id ${backwards ? ">" : "<"} $${values.length}::uuid`);
  }
  values.push(page.size);
  const rows = await query<FoundLink>({
    text: `
      SELECT ${foundColumns}
      FROM link ${foundJoins}
      WHERE ${where.join("\n        AND ")}
      ORDER BY link.id ${backwards ? "ASC" : "DESC"}
      LIMIT $${values.length}`,
    values,
  });
  return backwards ? rows.reverse() : rows;
}

export async function countRows(workspacePk: number, filter: ListFilter): Promise<number> {
  const { where, values } = conditions(workspacePk, filter);
  const [row] = await query<{ count: number }>({
    text: `
      SELECT count(*) AS count
      FROM link JOIN domain ON domain.pk = link.domain_pk
      WHERE ${where.join("\n        AND ")}`,
    values,
  });
  return row?.count ?? 0;
}

/** The tags of each of these links, by name. */
export async function listTagsOf(pks: number[]): Promise<Map<number, Tag[]>> {
  const rows = await query<Tag & { link_pk: number }>({
    // Answered by link_tag_pkey.
    text: `
      SELECT link_tag.link_pk, tag.id, tag.name, tag.color
      FROM link_tag
      JOIN tag ON tag.pk = link_tag.tag_pk
      WHERE link_tag.link_pk = ANY($1::bigint[])
      ORDER BY tag.name`,
    values: [pks],
  });
  const tags = new Map<number, Tag[]>();
  for (const { link_pk, ...tag } of rows) tags.set(link_pk, [...(tags.get(link_pk) ?? []), tag]);
  return tags;
}

/** The tags of a workspace by id and by name, for links that name them. */
export function findTags(
  workspacePk: number,
  ids: string[],
  names: string[],
): Promise<(Tag & { pk: number })[]> {
  return query({
    // Answered by tag_workspace_pk_name_key.
    text: `
      SELECT pk, id, name, color
      FROM tag
      WHERE workspace_pk = $1
        AND (id = ANY($2::text[]) OR lower(name) = ANY($3::text[]))`,
    values: [workspacePk, ids, names],
  });
}

export async function findFolderPks(
  workspacePk: number,
  ids: string[],
): Promise<Map<string, number>> {
  const rows = await query<{ id: string; pk: number }>({
    // Answered by folder_id_key.
    text: `
      SELECT id, pk
      FROM folder
      WHERE workspace_pk = $1
        AND id = ANY($2::text[])`,
    values: [workspacePk, ids],
  });
  return new Map(rows.map(({ id, pk }) => [id, pk]));
}
