/** The SQL of links: lists by creation, which is the order of their ids. */

import { type SearchTerm, textConditions } from "#lib/links/search";
import { SqlValues } from "#lib/platform/postgres";
import { linkConditions, pksOf, searchConditions, searchProbes } from "./conditions.ts";
import type { LinkFilter } from "./filter.ts";

export interface PageRange {
  skip: number;
  limit: number;
  ascending: boolean;
}

interface CreationQuery extends PageRange {
  cursorId: string | undefined;
  /** An additional condition on the link. */
  only: string | undefined;
}

export async function listCreated(filter: LinkFilter, wanted: CreationQuery): Promise<number[]> {
  if (!filter.search?.term) return listPlain(filter, wanted);
  const near = wanted.skip + wanted.limit > nearMax ? [] : await listNear(filter, wanted);
  return near.length === wanted.limit ? near : listFound(filter, filter.search.term, wanted);
}

/** This many links are scanned one by one before the search index is used, which reads a whole era. */
const nearMax = 500;

/** Matches among the first links: a full page, if the term is common. Answered by link_workspace, then pkeys. */
function listNear(filter: LinkFilter, wanted: CreationQuery): Promise<number[]> {
  const values = new SqlValues();
  const { place } = values;
  const order = direction(wanted);
  const first = [
    `link.workspace_pk = ${place(filter.workspacePk)}`,
    ...beyondCursor("link.id", wanted, values),
  ];
  const where = [
    ...linkConditions(filter, values),
    ...searchProbes(filter, values),
    ...(wanted.only ? [wanted.only] : []),
  ];
  return pksOf({
    text: `
      SELECT link.pk
      FROM (
        SELECT link.pk
        FROM link
        WHERE ${first.join("\n          AND ")}
        ORDER BY link.id ${order}
        LIMIT ${place(nearMax)}
      ) AS near
      JOIN link ON link.pk = near.pk
      WHERE ${where.join("\n        AND ")}
      ORDER BY link.id ${order}
      LIMIT ${place(wanted.limit)}
      OFFSET ${place(wanted.skip)}`,
    values: values.list,
  });
}

/** Links in the order of their ids. Answered by link_workspace, link_folder or link_tenant. */
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

/**
 * Links that match a term, in the order of their ids: from the texts of eras, as many as the page needs, and those
 * named exactly by the term. Eras are in the order of their links, so the sort reads no era beyond the page.
 */
function listFound(filter: LinkFilter, term: SearchTerm, wanted: CreationQuery): Promise<number[]> {
  const values = new SqlValues();
  const { place } = values;
  const order = direction(wanted);
  const link = [
    ...linkConditions(filter, values),
    ...beyondCursor("link.id", wanted, values),
    ...(wanted.only ? [wanted.only] : []),
  ].join("\n            AND ");
  const text = [...textConditions(term, place), ...beyondCursor("link_search.id", wanted, values)];
  const eras = [`search_era.workspace_pk = ${place(filter.workspacePk)}`];
  // Backwards, an era that starts after the cursor has no matches.
  if (!wanted.ascending) eras.push(...beyondCursor("search_era.after_id", wanted, values));
  const most = place(wanted.limit + wanted.skip);
  return pksOf({
    // Answered by search_era_after and link_search_grams, then link_pkey. OFFSET 0 keeps the planner from reading a
    // link for each text before sorting.
    text: `
      SELECT hit.pk
      FROM (
        (SELECT found.pk, found.id
        FROM search_era
        CROSS JOIN LATERAL (
          SELECT link.pk, link.id
          FROM (
            SELECT link_search.link_pk, link_search.id
            FROM link_search
            WHERE link_search.era_pk = search_era.pk
              AND ${text.join("\n              AND ")}
            ORDER BY link_search.id ${order}
            OFFSET 0
          ) AS candidate
          JOIN link ON link.pk = candidate.link_pk
          WHERE ${link}
          ORDER BY candidate.id ${order}
          LIMIT ${most}
        ) AS found
        WHERE ${eras.join(" AND ")}
        ORDER BY search_era.after_id ${order}, found.id ${order}
        LIMIT ${most})
        UNION
        SELECT link.pk, link.id
        FROM link
        WHERE link.pk = ANY(${place(filter.search?.pks ?? [])}::bigint[])
            AND ${link}
      ) AS hit
      ORDER BY hit.id ${order}
      LIMIT ${place(wanted.limit)}
      OFFSET ${place(wanted.skip)}`,
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
