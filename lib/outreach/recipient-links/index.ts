/** Reads links on any server. Pks of deleted links are used again, so ids must match too. */
import { type Connection, query, sql } from "#lib/platform/postgres";

export interface LinkedRow {
  link_pk: number | null;
  link_id: string | null;
}

interface FoundLink {
  pk: number;
  id: string;
}

interface LinkName {
  slug: string;
  key: string;
}

export async function withLinkNames<Row extends LinkedRow>(
  rows: readonly Row[],
  on?: Connection,
): Promise<(Row & (LinkName | { slug: null; key: null }))[]> {
  // Answered by link_pkey and domain_pkey.
  const found = await query.on(on).query<FoundLink & LinkName>(sql`
    SELECT link.pk, link.id, domain.slug, link.key
    FROM link
    JOIN domain ON domain.pk = link.domain_pk
    WHERE link.pk = ANY(${pksOf(rows)}::bigint[])`);
  const linkOf = matching(found);
  return rows.map((row) => {
    const link = linkOf(row);
    return { ...row, ...(link ? { slug: link.slug, key: link.key } : { slug: null, key: null }) };
  });
}

export interface LinkClicks {
  clicks: number;
  /** The logarithm of the clicks; null without clicks. */
  level: number | null;
  last_click_at: Date | null;
}

export async function withLinkClicks<Row extends LinkedRow>(
  rows: readonly Row[],
): Promise<(Row & { visits: LinkClicks | undefined })[]> {
  // Answered by link_pkey and link_stat_pkey.
  const found = await query<FoundLink & LinkClicks>(sql`
    SELECT link.pk, link.id, link_stat.clicks, link_stat.level, link_stat.last_click_at
    FROM link
    JOIN link_stat ON link_stat.link_pk = link.pk
    WHERE link.pk = ANY(${pksOf(rows)}::bigint[])`);
  const linkOf = matching(found);
  return rows.map((row) => ({ ...row, visits: linkOf(row) }));
}

/** Rows of people who clicked, or of those who did not, without bots. */
export async function withClicked<Row extends LinkedRow>(
  rows: readonly Row[],
  clicked: boolean | undefined,
): Promise<readonly Row[]> {
  if (clicked === undefined) return rows;
  const visited = await withLinkClicks(rows);
  return visited.filter(({ visits }) => hasClicked(visits) === clicked);
}

export function hasClicked(visits: LinkClicks | undefined): boolean {
  return (visits?.level ?? 0) > 0;
}

function pksOf(rows: readonly LinkedRow[]): number[] {
  return rows.flatMap((row) => row.link_pk ?? []);
}

function matching<Link extends FoundLink>(
  found: readonly Link[],
): (row: LinkedRow) => Link | undefined {
  const byPk = new Map(found.map((link) => [link.pk, link]));
  return ({ link_pk, link_id }) => {
    const link = link_pk === null ? undefined : byPk.get(link_pk);
    return link?.id === link_id ? link : undefined;
  };
}
