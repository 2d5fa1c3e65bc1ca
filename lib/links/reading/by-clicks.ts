/**
 * Lists by clicks, by the last click and by sales.
 *
 * The counters have no index by value: each click would have to update it, which halved the rate of
 * updates. Instead, the indexes contain coarser values in the same order that rarely change: the
 * level of the clicks, and the day of the last one. Only the links of the levels or days that the
 * page needs are sorted. Sales are rare and have an index by amount.
 */
import { SqlValues, type Statement, sql, transaction } from "#lib/platform/postgres";
import { direction, listCreated, type PageRange } from "./by-creation.ts";
import { linkConditions, pksOf, searchConditions, searchProbe } from "./conditions.ts";
import type { LinkFilter } from "./filter.ts";

interface RankColumn {
  column: string;
  kind: string;
  /** The indexed coarse value, and its formula for a cursor value. */
  step: string;
  stepOf: (value: string) => string;
  ranked: string;
  valueOf: (cursor: LinkCursor) => number | Date | null;
  /** All clicked links have this counter. */
  isClicked: boolean;
}

const ranks = {
  clicks: {
    column: "link_stat.clicks",
    kind: "bigint",
    step: "link_stat.level",
    stepOf: (value) => `click_level(${value})`,
    ranked: "link_stat.level > 0",
    valueOf: ({ clicks }) => clicks,
    isClicked: true,
  },
  lastClicked: {
    column: "link_stat.last_click_at",
    kind: "timestamptz",
    step: "link_stat.clicked_on",
    stepOf: (value) => `(${value} AT TIME ZONE 'UTC')::date`,
    ranked: "link_stat.clicked_on IS NOT NULL",
    valueOf: ({ last_click_at }) => last_click_at,
    isClicked: true,
  },
  saleAmount: {
    column: "link_stat.sale_amount",
    kind: "bigint",
    step: "link_stat.sale_amount",
    stepOf: (value) => value,
    ranked: "link_stat.sale_amount > 0",
    valueOf: ({ sale_amount }) => sale_amount,
    isClicked: false,
  },
} satisfies Record<string, RankColumn>;

/**
 * Ranked links come first, the others follow by creation. The others have no clicks or sales, so they come first in ascending
 * order. By last click, they always come last.
 */
async function listRanked(
  filter: LinkFilter,
  sort: keyof typeof ranks,
  { skip, limit, ascending }: PageRange,
  page: LinkPage,
): Promise<number[]> {
  const rank: RankColumn = ranks[sort];
  const { cursor } = page;
  if (filter.clicked === false) {
    return listCreated(filter, { skip, limit, ascending, cursorId: cursor?.id, only: undefined });
  }
  const restFirst = (sort !== "lastClicked" && page.ascending) !== page.backwards;
  const place = cursor && (rank.valueOf(cursor) ? "ranked" : "rest");
  const found: number[] = [];
  const needed = skip + limit;
  for (const stretch of partsFrom(place, restFirst, rank, filter)) {
    const wanted = { skip: 0, limit: needed - found.length, ascending };
    const behind = stretch === place ? cursor : undefined;
    found.push(
      ...(stretch === "ranked"
        ? await listClicked(filter, { rank, wanted, cursor: behind })
        : await listUnclicked(filter, rank, wanted, behind)),
    );
    if (found.length >= needed) break;
  }
  return found.slice(skip);
}

type ListPart = "ranked" | "rest";

function partsFrom(
  place: ListPart | undefined,
  restFirst: boolean,
  { isClicked }: RankColumn,
  { clicked }: LinkFilter,
): readonly ListPart[] {
  if (clicked && isClicked) return ["ranked"];
  const whole: ListPart[] = restFirst ? ["rest", "ranked"] : ["ranked", "rest"];
  return place ? whole.slice(whole.indexOf(place)) : whole;
}

function listUnclicked(
  filter: LinkFilter,
  { ranked }: RankColumn,
  wanted: PageRange,
  cursor?: LinkCursor,
) {
  const only = `NOT EXISTS (
          SELECT 1
          FROM link_stat
          WHERE link_stat.link_pk = link.pk
            AND ${ranked})`;
  return listCreated(filter, { ...wanted, cursorId: cursor?.id, only });
}

interface RankedQuery {
  rank: RankColumn;
  wanted: PageRange;
  cursor: LinkCursor | undefined;
}

/** If a filter leaves at most this many links, their counters are sorted. */
const narrowMax = 20_000;
/** How many more counters than links are read before filtering. */
const candidatesMore = 1_000;
const candidatesMany = 20_000;

/**
 * The first links by a counter. The first counters usually belong to matching links. If too few do,
 * the result of a narrow filter is sorted. Otherwise more counters are read, and finally those of
 * all matching links.
 */
async function listClicked(filter: LinkFilter, ranking: RankedQuery): Promise<readonly number[]> {
  const { limit } = ranking.wanted;
  const first = await listTop(filter, ranking, limit + candidatesMore);
  if (first.length === limit) return first;
  if (mayBeNarrow(filter)) {
    const all = { skip: 0, limit: narrowMax + 1, ascending: false };
    const pks = await listCreated(filter, { ...all, cursorId: undefined, only: undefined });
    if (pks.length <= narrowMax) return listOf(filter.workspacePk, pks, ranking);
  }
  const more = await listTop(filter, ranking, limit + candidatesMany);
  return more.length === limit ? more : listAll(filter, ranking);
}

function mayBeNarrow(filter: LinkFilter): boolean {
  const { pks, search, tagPks, folderPk, tenantId, status, feature, importId } = filter;
  const { createdFrom, createdUntil } = filter;
  const isSpecial = feature !== undefined || (status !== undefined && status !== "active");
  return (
    isSpecial ||
    typeof folderPk === "number" ||
    [pks, search, tagPks, tenantId, importId, createdFrom, createdUntil].some(
      (given) => given !== undefined,
    )
  );
}

function counters(workspacePk: number, { rank, wanted, cursor }: RankedQuery, values: SqlValues) {
  const { place } = values;
  const where = [`link_stat.workspace_pk = ${place(workspacePk)}`, rank.ranked];
  if (cursor) {
    const value = `${place(rank.valueOf(cursor))}::${rank.kind}`;
    const sign = wanted.ascending ? ">" : "<";
    where.push(
      `${rank.step} ${sign}= ${rank.stepOf(value)}`,
      `(${rank.column}, link_stat.link_pk) ${sign} (${value}, ${place(cursor.pk)})`,
    );
  }
  const columns = [rank.step, rank.column, "link_stat.link_pk"];
  const order = columns.map((column) => `${column} ${direction(wanted)}`).join(", ");
  return { where, order: `ORDER BY ${order}` };
}

/** Answered by link_stat_pkey. */
function listOf(workspacePk: number, pks: readonly number[], ranking: RankedQuery) {
  const values = new SqlValues();
  const { where, order } = counters(workspacePk, ranking, values);
  return pksOf({
    text: `
      SELECT link_stat.link_pk AS pk
      FROM link_stat
      WHERE link_stat.link_pk = ANY(${values.place(pks)}::bigint[])
        AND ${where.join("\n        AND ")}
      ${order}
      LIMIT ${values.place(ranking.wanted.limit)}`,
    values: values.list,
  });
}

function listTop(
  filter: LinkFilter,
  ranking: RankedQuery,
  candidates: number,
): Promise<readonly number[]> {
  const values = new SqlValues();
  const { place } = values;
  const { where, order } = counters(filter.workspacePk, ranking, values);
  return pksWithoutWorkers({
    // Answered by link_stat_level, link_stat_clicked_on or link_stat_sales and sorts within their
    // steps, then link_pkey and link_search_pkey, until the page is full.
    text: `
      SELECT link_stat.link_pk AS pk
      FROM (
        SELECT link_stat.*
        FROM (
          SELECT link_stat.link_pk, link_stat.level, link_stat.clicks, link_stat.clicked_on,
            link_stat.last_click_at, link_stat.sale_amount
          FROM link_stat
          WHERE ${where.join("\n            AND ")}
          ${order}
          LIMIT ${place(candidates)}
        ) AS link_stat
        JOIN link ON link.pk = link_stat.link_pk
        WHERE ${linkConditions(filter, values).join("\n          AND ")}
        ${order}
        LIMIT ${place(candidates)}
      ) AS link_stat
      WHERE ${searchProbe(filter, "link_stat.link_pk", values)}
      ${order}
      LIMIT ${place(ranking.wanted.limit)}`,
    values: values.list,
  });
}

/**
 * Disables PostgreSQL’s parallel workers. They would divide a step, find too little in their share
 * and read the next one too, which is a hundred times as large: 205 ms instead of 14 among three
 * million counters.
 */
function pksWithoutWorkers(statement: Statement): Promise<number[]> {
  return transaction(async (tx) => {
    await tx.query(sql`SELECT set_config('max_parallel_workers_per_gather', '0', true)`);
    return await pksOf(statement, tx);
  });
}

function listAll(filter: LinkFilter, ranking: RankedQuery) {
  const values = new SqlValues();
  const { where, order } = counters(filter.workspacePk, ranking, values);
  where.push(...linkConditions(filter, values), ...searchConditions(filter, values));
  return pksOf({
    text: `
      SELECT link.pk
      FROM link
      JOIN link_stat ON link_stat.link_pk = link.pk
      WHERE ${where.join("\n        AND ")}
      ${order}
      LIMIT ${values.place(ranking.wanted.limit)}`,
    values: values.list,
  });
}

/** A page is read as pks first. Its cursor is the link at the edge of the neighboring page. */
interface LinkPage {
  sort: "createdAt" | "clicks" | "lastClicked" | "saleAmount";
  ascending: boolean;
  skip: number;
  size: number;
  cursor: LinkCursor | undefined;
  /** The page ends before the cursor instead of starting after it. */
  backwards: boolean;
}

/** The position of a link in each of the orders. */
export interface LinkCursor {
  pk: number;
  id: string;
  clicks: number;
  last_click_at: Date | null;
  sale_amount: number;
}

export async function listPks(filter: LinkFilter, page: LinkPage): Promise<number[]> {
  const ascending = page.ascending !== page.backwards;
  const wanted = { skip: page.skip, limit: page.size, ascending };
  const pks =
    page.sort === "createdAt"
      ? await listCreated(filter, { ...wanted, cursorId: page.cursor?.id, only: undefined })
      : await listRanked(filter, page.sort, wanted, page);
  return page.backwards ? pks.reverse() : pks;
}
