import { type VisibleLinks, visibleConditions } from "#lib/links/visible-links";
import { type Connection, query, SqlValues, sql } from "#lib/platform/postgres";
import { type ListTags, type Tag, type TagColor, tagColors } from "./schema.ts";

export async function countByColor(tx: Connection, workspacePk: number) {
  // Answered by tag_name, which starts with the workspace.
  const rows = await tx.query<{ color: string; tags: number }>(sql`
    SELECT color, count(*) AS tags
    FROM tag
    WHERE workspace_pk = ${workspacePk}
    GROUP BY color`);
  return new Map(
    tagColors.map((color) => [color, rows.find((row) => row.color === color)?.tags ?? 0]),
  );
}

/** The least used color, or the first of several in the list. */
export function leastUsedColor(used: ReadonlyMap<TagColor, number>): TagColor {
  return tagColors.reduce((best, color) =>
    (used.get(color) ?? 0) < (used.get(best) ?? 0) ? color : best,
  );
}

/** False if a tag of the workspace has that name. */
export async function insertRow(tx: Connection, workspacePk: number, tag: Tag): Promise<boolean> {
  const rows = await tx.query(sql`
    INSERT INTO tag (id, workspace_pk, name, color)
    VALUES (${tag.id}, ${workspacePk}, ${tag.name}, ${tag.color})
    ON CONFLICT (workspace_pk, lower(name)) DO NOTHING
    RETURNING pk`);
  return rows.length === 1;
}

const orders = {
  name: { asc: "lower(name)", desc: "lower(name) DESC" },
  createdAt: { asc: "pk", desc: "pk DESC" },
};

export function listRows(workspacePk: number, filter: ListTags): Promise<Tag[]> {
  const { search, ids, sortBy, sortOrder, page, pageSize } = filter;
  return query<Tag>({
    // Answered by tag_name, which also has the order of the names.
    text: `
      SELECT id, name, color
      FROM tag
      WHERE workspace_pk = $1
        AND ($2::text IS NULL OR name ILIKE $2)
        AND ($3::text[] IS NULL OR id = ANY($3))
      ORDER BY ${orders[sortBy][sortOrder]}
      LIMIT $4
      OFFSET $5`,
    values: [
      workspacePk,
      search ? `%${search.replace(/[\\%_]/g, "\\$&")}%` : null,
      ids ?? null,
      pageSize,
      (page - 1) * pageSize,
    ],
  });
}

export function lockRow(tx: Connection, workspacePk: number, id: string) {
  // Answered by tag_id_key.
  return tx.one<Tag>(sql`
    SELECT id, name, color
    FROM tag
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
    FOR UPDATE`);
}

export async function updateRow(tx: Connection, { id, name, color }: Tag): Promise<void> {
  await tx.query(sql`UPDATE tag SET name = ${name}, color = ${color} WHERE id = ${id}`);
}

export function isNameTaken(error: unknown): boolean {
  return error instanceof Error && "constraint" in error && error.constraint === "tag_name";
}

export async function findPk(workspacePk: number, id: string): Promise<number | undefined> {
  // Answered by tag_id_key.
  const [row] = await query<{ pk: number }>(
    sql`SELECT pk FROM tag WHERE id = ${id} AND workspace_pk = ${workspacePk}`,
  );
  return row?.pk;
}

/** Deletes a tag with its references. Undefined: it was deleted concurrently. */
export async function deleteRow(tx: Connection, workspacePk: number, pk: number) {
  const [row] = await tx.query<{ name: string }>(
    sql`DELETE FROM tag WHERE pk = ${pk} AND workspace_pk = ${workspacePk} RETURNING name`,
  );
  // Answered by link_tag_tag_pk_idx. Links on several servers have no foreign keys.
  if (row) await tx.query(sql`DELETE FROM link_tag WHERE tag_pk = ${pk}`);
  return row?.name;
}

export async function countLinksOf(
  workspacePk: number,
  ids: readonly string[],
  seen: VisibleLinks,
  max: number,
): Promise<{ id: string; links: number }[]> {
  // Answered by tag_id_key.
  const tags = await query<{ pk: number; id: string }>(
    sql`SELECT pk, id FROM tag WHERE id = ANY(${ids}::text[]) AND workspace_pk = ${workspacePk}`,
  );
  return await Promise.all(
    tags.map(async ({ pk, id }) => ({ id, links: await countLinksWith(pk, seen, max) })),
  );
}

async function countLinksWith(tagPk: number, seen: VisibleLinks, max: number): Promise<number> {
  const { list: values, place } = new SqlValues();
  const where = visibleConditions(seen, place);
  const visible =
    where.length === 0
      ? ""
      : `AND EXISTS (
          SELECT 1
          FROM link
          WHERE link.pk = link_tag.link_pk
            AND ${where.join(" AND ")})`;
  // Answered by link_tag_tag_pk_idx, and by link_pkey if links are hidden.
  const text = `
    SELECT count(*) AS links
    FROM (
      SELECT 1
      FROM link_tag
      WHERE tag_pk = ${place(tagPk)}
        ${visible}
      LIMIT ${place(max)}
    ) AS part`;
  const [row] = await query<{ links: number }>({ text, values });
  return row?.links ?? 0;
}

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
