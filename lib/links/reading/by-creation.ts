import { type SearchTerm, textConditions } from "#lib/links/search";
import { query, SqlValues } from "#lib/platform/postgres";
import { linkConditions, pksOf, searchConditions, searchProbe } from "./conditions.ts";
import type { LinkFilter } from "./filter.ts";

export interface PageRange {
  skip: number;
  limit: number;
  ascending: boolean;
}

interface CreationQuery extends PageRange {
  cursorId: string | undefined;
  only: string | undefined;
}

export async function listCreated(filter: LinkFilter, wanted: CreationQuery): Promise<number[]> {
  if (!filter.search?.term) return listPlain(filter, wanted);
  const near = wanted.skip + wanted.limit > nearMax ? [] : await listNear(filter, wanted);
  return near.length === wanted.limit ? near : listFound(filter, filter.search.term, wanted);
}

/** Scans this many links before it uses the search index, which reads a whole era. */
const nearMax = 500;
/** How many texts of an era are read first, and by which factor each further read grows. */
const textsMin = 1_000;
const textsGrowth = 8;

function listNear(filter: LinkFilter, wanted: CreationQuery): Promise<number[]> {
  const values = new SqlValues();
  const { place } = values;
  const order = direction(wanted);
  const first = [
    `link.workspace_pk = ${place(filter.workspacePk)}`,
    ...beyondCursor("link.id", wanted, values),
  ];
  const where = [...linkConditions(filter, values), ...(wanted.only ? [wanted.only] : [])];
  return pksOf({
    // Answered by link_workspace, then link_pkey and link_search_pkey, until the page is full.
    text: `
      SELECT link.pk
      FROM (
        SELECT link.pk, link.id
        FROM (
          SELECT link.pk
          FROM link
          WHERE ${first.join("\n            AND ")}
          ORDER BY link.id ${order}
          LIMIT ${place(nearMax)}
        ) AS near
        JOIN link ON link.pk = near.pk
        WHERE ${where.join("\n          AND ")}
        ORDER BY link.id ${order}
        LIMIT ${place(nearMax)}
      ) AS link
      WHERE ${searchProbe(filter, "link.pk", values)}
      ORDER BY link.id ${order}
      LIMIT ${place(wanted.limit)}
      OFFSET ${place(wanted.skip)}`,
    values: values.list,
  });
}

/** Answered by link_workspace, link_folder or link_tenant. */
function listPlain(filter: LinkFilter, wanted: CreationQuery): Promise<number[]> {
  const values = new SqlValues();
  const where = [
    ...linkConditions(filter, values),
    ...searchConditions(filter, values),
    ...beyondCursor("link.id", wanted, values),
    ...(wanted.only ? [wanted.only] : []),
  ];
  return pksOf({
    text: `
      SELECT link.pk
      FROM link
      WHERE ${where.join("\n        AND ")}
      ORDER BY link.id ${direction(wanted)}
      LIMIT ${values.place(wanted.limit)}
      OFFSET ${values.place(wanted.skip)}`,
    values: values.list,
  });
}

interface Hit {
  pk: number;
  id: string;
}

/**
 * Links that match a term: from the texts of as many eras as the page needs, and links that the
 * term names exactly. Eras are in the order of their links. They are read one, two, four at a time,
 * so few are read beyond the page.
 */
async function listFound(filter: LinkFilter, term: SearchTerm, wanted: CreationQuery) {
  const needed = wanted.skip + wanted.limit;
  const eras = await listEras(filter.workspacePk, wanted);
  const found: Hit[] = [];
  for (let at = 0, size = 1; at < eras.length && found.length < needed; at += size, size *= 2) {
    const part = eras.slice(at, at + size);
    found.push(...(await listInEras(filter, { term, eras: part }, wanted, needed - found.length)));
  }
  found.push(...(await shownOf(filter, wanted, filter.search?.pks ?? [])));
  const sign = wanted.ascending ? 1 : -1;
  const sorted = [...new Map(found.map(({ pk, id }) => [pk, id]))].sort(([, a], [, b]) =>
    a < b ? -sign : sign,
  );
  return sorted.slice(wanted.skip, needed).map(([pk]) => pk);
}

function listEras(workspacePk: number, wanted: CreationQuery): Promise<number[]> {
  const values = new SqlValues();
  const where = [`workspace_pk = ${values.place(workspacePk)}`];
  // In descending order, an era that starts after the cursor has no matches.
  if (!wanted.ascending) where.push(...beyondCursor("after_id", wanted, values));
  return pksOf({
    // Answered by search_era_after.
    text: `
      SELECT pk
      FROM search_era
      WHERE ${where.join(" AND ")}
      ORDER BY after_id ${direction(wanted)}`,
    values: values.list,
  });
}

/** At least `needed` matches, or all. Reads growing parts of the texts. */
async function listInEras(
  filter: LinkFilter,
  { term, eras }: { term: SearchTerm; eras: readonly number[] },
  wanted: CreationQuery,
  needed: number,
): Promise<Hit[]> {
  const found: Hit[] = [];
  let { cursorId } = wanted;
  for (let size = Math.max(textsMin, needed); ; size *= textsGrowth) {
    const values = new SqlValues();
    const { place } = values;
    const where = [
      `era_pk = ANY(${place(eras)}::int[])`,
      ...textConditions(term, place),
      ...beyondCursor("id", { ...wanted, cursorId }, values),
    ];
    const texts = await query<Hit>({
      // Answered by link_search_grams.
      text: `
        SELECT link_pk AS pk, id
        FROM link_search
        WHERE ${where.join("\n          AND ")}
        ORDER BY id ${direction(wanted)}
        LIMIT ${place(size)}`,
      values: values.list,
    });
    const pks = texts.map(({ pk }) => pk);
    found.push(...(await shownOf(filter, wanted, pks)));
    if (texts.length < size || found.length >= needed) return found;
    cursorId = texts.at(-1)?.id;
  }
}

async function shownOf(filter: LinkFilter, wanted: CreationQuery, pks: readonly number[]) {
  if (pks.length === 0) return [];
  const values = new SqlValues();
  const where = [
    `link.pk = ANY(${values.place(pks)}::bigint[])`,
    ...linkConditions(filter, values),
    ...beyondCursor("link.id", wanted, values),
    ...(wanted.only ? [wanted.only] : []),
  ];
  return await query<Hit>({
    // Answered by link_pkey.
    text: `
      SELECT link.pk, link.id
      FROM link
      WHERE ${where.join("\n        AND ")}`,
    values: values.list,
  });
}

export function direction({ ascending }: { ascending: boolean }): string {
  return ascending ? "ASC" : "DESC";
}

function beyondCursor(
  column: string,
  { cursorId, ascending }: CreationQuery,
  { place }: SqlValues,
): string[] {
  return cursorId ? [`${column} ${ascending ? ">" : "<"} ${place(cursorId)}::uuid`] : [];
}
