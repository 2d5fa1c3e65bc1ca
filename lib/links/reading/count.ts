import { query, SqlValues } from "#lib/platform/postgres";
import { linkConditions, searchConditions, searchMatches } from "./conditions.ts";
import type { LinkFilter } from "./filter.ts";
import type { CountLinks, LinkCounts } from "./schema.ts";

const groupsMax = 1_000;

/** Joins the matches of a search, because a condition would collect all of them before counting the first. */
export async function countPks(filter: LinkFilter, max?: number): Promise<number> {
  const values = new SqlValues();
  const where = linkConditions(filter, values);
  const matches = searchMatches(filter, values);
  const from =
    matches === undefined
      ? "link"
      : `(${matches}) AS matched
        JOIN link ON link.pk = matched.link_pk`;
  const limit = max === undefined ? "" : `LIMIT ${values.place(max)}`;
  const [row] = await query<{ count: number }>({
    text: `
      SELECT count(*) AS count
      FROM (
        SELECT 1
        FROM ${from}
        WHERE ${where.join("\n          AND ")}
        ${limit}
      ) AS counted`,
    values: values.list,
  });
  return row?.count ?? 0;
}

/**
 * All links of a workspace, possibly millions. Only the row says whether a link is archived, but
 * archived links have their own index, so two index-only counts are faster than one that reads
 * rows.
 */
export async function countAll(workspacePk: number, withArchived: boolean): Promise<number> {
  const archived = withArchived
    ? ""
    : "- (SELECT count(*) FROM link WHERE workspace_pk = $1 AND archived)";
  const retired = `- (
        SELECT count(*)
        FROM link
        WHERE workspace_pk = $1
          AND retired_at IS NOT NULL
          ${withArchived ? "" : "AND NOT archived"})`;
  const [row] = await query<{ count: number }>({
    // Answered by link_workspace, link_archived and link_retired; root links without a url by domain_claim and alias_pkey.
    text: `
      SELECT (SELECT count(*) FROM link WHERE workspace_pk = $1) ${archived} ${retired} - (
        SELECT count(*)
        FROM (
          SELECT alias.link_pk
          FROM domain
          JOIN alias ON alias.domain_pk = domain.pk AND alias.key = '_root'
          WHERE domain.workspace_pk = $1
        ) AS root
        JOIN link ON link.pk = root.link_pk
        WHERE link.url = ''
          ${withArchived ? "" : "AND NOT link.archived"}
      ) AS count`,
    values: [workspacePk],
  });
  return row?.count ?? 0;
}

const groups = {
  domain: { by: "link.domain_pk", from: "link", join: "domain", name: "slug" },
  folderId: { by: "link.folder_pk", from: "link", join: "folder", name: "id" },
  userId: { by: "link.user_pk", from: "link", join: "app_user", name: "id" },
  tagId: {
    by: "link_tag.tag_pk",
    from: "link JOIN link_tag ON link_tag.link_pk = link.pk",
    join: "tag",
    name: "id",
  },
};

export function countGroups(
  filter: LinkFilter,
  groupBy: NonNullable<CountLinks["groupBy"]>,
): Promise<LinkCounts> {
  const { by, from, join, name } = groups[groupBy];
  const values = new SqlValues();
  const where = [...linkConditions(filter, values), ...searchConditions(filter, values)];
  return query({
    text: `
      SELECT ${join}.${name} AS "${groupBy}", counted._count
      FROM (
        SELECT ${by} AS pk, count(*) AS _count
        FROM ${from}
        WHERE ${where.join("\n          AND ")}
        GROUP BY ${by}
        ORDER BY _count DESC
        LIMIT ${groupsMax}
      ) AS counted
      LEFT JOIN ${join} ON ${join}.pk = counted.pk
      ORDER BY counted._count DESC, counted.pk`,
    values: values.list,
  });
}
