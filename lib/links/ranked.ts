/**
 * The SQL of links: lists by clicks and by the last click.
 *
 * The counters have no index by their values: each click would have to renew it, which halved the rate of their updates.
 * The first of a workspace's counters are found by reading all of them, once; equal ones are in the order of their pks.
 */
import { linkConditions, pksOf, searchConditions, searchProbes, Values } from "./conditions.ts";
import { direction, listCreated, type Stretch } from "./created.ts";
import type { LinkFilter } from "./filter.ts";
import type { Cursor, Page } from "./list.ts";

const ranks = {
  clicks: { column: "link_stat.clicks", ranked: "link_stat.clicks > 0" },
  lastClicked: {
    column: "link_stat.last_click_at",
    ranked: "link_stat.last_click_at IS NOT NULL",
  },
};

type Rank = keyof typeof ranks;

/**
 * Links by their counters: those that were clicked, and the rest by creation. The rest has no clicks, so it is the
 * smallest by clicks; by the last click it has no place of its own and comes last both ways.
 */
export async function listRanked(
  filter: LinkFilter,
  sort: Rank,
  { skip, limit, ascending }: Stretch,
  page: Page,
): Promise<number[]> {
  const restFirst = (sort === "clicks" && page.ascending) !== page.backwards;
  const stretches = restFirst ? (["rest", "ranked"] as const) : (["ranked", "rest"] as const);
  const place = placeOf(sort, page.cursor);
  const found: number[] = [];
  const needed = skip + limit;
  for (const stretch of stretches.slice(place ? stretches.indexOf(place) : 0)) {
    const cursor = stretch === place ? page.cursor : undefined;
    const wanted = { skip: 0, limit: needed - found.length, ascending };
    found.push(
      ...(stretch === "ranked"
        ? await listClicked(filter, sort, wanted, cursor)
        : await listUnclicked(filter, sort, wanted, cursor)),
    );
    if (found.length >= needed) break;
  }
  return found.slice(skip);
}

function placeOf(sort: Rank, cursor: Cursor | undefined): "ranked" | "rest" | undefined {
  if (!cursor) return undefined;
  const value = sort === "clicks" ? cursor.clicks : cursor.last_click_at;
  return value ? "ranked" : "rest";
}

function listUnclicked(filter: LinkFilter, sort: Rank, wanted: Stretch, cursor?: Cursor) {
  const only = `NOT EXISTS (
          SELECT 1
          FROM link_stat
          WHERE link_stat.link_pk = link.pk
            AND ${ranks[sort].ranked})`;
  return listCreated(filter, { ...wanted, cursorId: cursor?.id, only });
}

/** A narrow filter leaves no more links than this; their counters are sorted. */
const narrowMax = 5_000;
/** How many more counters than links are read before it is asked which of the links are meant. */
const candidatesMore = 1_000;

/**
 * The first links by a counter. What a narrow filter leaves is sorted. Otherwise the first counters mostly belong to
 * links that are meant; when too few do, the counters of all links that are meant are.
 */
async function listClicked(filter: LinkFilter, sort: Rank, wanted: Stretch, cursor?: Cursor) {
  if (mayBeNarrow(filter)) {
    const all = { skip: 0, limit: narrowMax + 1, ascending: false };
    const pks = await listCreated(filter, { ...all, cursorId: undefined, only: undefined });
    if (pks.length <= narrowMax) return listOf(filter.workspacePk, pks, sort, wanted, cursor);
  }
  const first = await listTop(filter, sort, wanted, cursor);
  return first.length === wanted.limit ? first : listAll(filter, sort, wanted, cursor);
}

/** True when an index finds the links of the filter. */
function mayBeNarrow({ pks, search, tagPks, folderPk, tenantId }: LinkFilter): boolean {
  return [pks, search, tagPks, folderPk, tenantId].some((given) => given !== undefined);
}

function counters(
  workspacePk: number,
  sort: Rank,
  wanted: Stretch,
  values: Values,
  cursor?: Cursor,
) {
  const { column, ranked } = ranks[sort];
  const { place } = values;
  const where = [`link_stat.workspace_pk = ${place(workspacePk)}`, ranked];
  if (cursor) {
    const value = place(sort === "clicks" ? cursor.clicks : cursor.last_click_at);
    const kind = sort === "clicks" ? "bigint" : "timestamptz";
    const sign = wanted.ascending ? ">" : "<";
    where.push(`(${column}, link_stat.link_pk) ${sign} (${value}::${kind}, ${place(cursor.pk)})`);
  }
  const order = direction(wanted);
  return { where, order: `ORDER BY ${column} ${order}, link_stat.link_pk ${order}` };
}

/** Those of these links that have a counter. Answered by link_stat_pkey. */
function listOf(
  workspacePk: number,
  pks: readonly number[],
  sort: Rank,
  wanted: Stretch,
  cursor?: Cursor,
) {
  const values = new Values();
  const { where, order } = counters(workspacePk, sort, wanted, values, cursor);
  return pksOf({
    text: `
      SELECT link_stat.link_pk AS pk
      FROM link_stat
      WHERE link_stat.link_pk = ANY(${values.place(pks)}::bigint[])
        AND ${where.join("\n        AND ")}
      ${order}
      LIMIT ${values.place(wanted.limit)}`,
    values: values.list,
  });
}

function listTop(filter: LinkFilter, sort: Rank, wanted: Stretch, cursor?: Cursor) {
  const values = new Values();
  const { where, order } = counters(filter.workspacePk, sort, wanted, values, cursor);
  const conditions = [...linkConditions(filter, values), ...searchProbes(filter, values)];
  const candidates = wanted.limit + candidatesMore;
  return pksOf({
    // Answered by link_stat_workspace and a sort that keeps only the first, then link_pkey.
    text: `
      SELECT link.pk
      FROM (
        SELECT link_stat.link_pk, link_stat.clicks, link_stat.last_click_at
        FROM link_stat
        WHERE ${where.join("\n          AND ")}
        ${order}
        LIMIT ${values.place(candidates)}
      ) AS link_stat
      JOIN link ON link.pk = link_stat.link_pk
      WHERE ${conditions.join("\n        AND ")}
      ${order}
      LIMIT ${values.place(wanted.limit)}`,
    values: values.list,
  });
}

function listAll(filter: LinkFilter, sort: Rank, wanted: Stretch, cursor?: Cursor) {
  const values = new Values();
  const { where, order } = counters(filter.workspacePk, sort, wanted, values, cursor);
  where.push(...linkConditions(filter, values), ...searchConditions(filter, values));
  return pksOf({
    // Answered by the index of the filter, then link_stat_pkey.
    text: `
      SELECT link.pk
      FROM link
      JOIN link_stat ON link_stat.link_pk = link.pk
      WHERE ${where.join("\n        AND ")}
      ${order}
      LIMIT ${values.place(wanted.limit)}`,
    values: values.list,
  });
}
