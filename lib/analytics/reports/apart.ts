/** Events of links that are on several servers, which Citus joins with no events: parts are read until the page is full. */
import { fillPage } from "#lib/links/visible-links";
import { query, sql } from "#lib/platform/postgres";
import type { EventRow, EventsPage } from "./events.ts";
import type { ReadPage } from "./existing-links.ts";

export async function pageApart<Row extends EventRow>(
  workspacePk: number,
  { ascending, after, skip, limit }: EventsPage,
  read: ReadPage<Row>,
): Promise<Row[]> {
  const shown = await fillPage(
    skip + limit,
    (last: Row | undefined, size) =>
      read(
        { ascending, after: last ? { at: last.at, id: last.id } : after, skip: 0, limit: size },
        "",
      ),
    async (rows) => {
      const existing = await findExisting(workspacePk, rows);
      return rows.filter(({ link_pk }) => existing.has(link_pk));
    },
  );
  return shown.slice(skip);
}

async function findExisting(workspacePk: number, rows: readonly EventRow[]): Promise<Set<number>> {
  const pks = [...new Set(rows.map(({ link_pk }) => link_pk))];
  const found = await query<{ pk: number }>(
    // Answered by link_pkey.
    sql`
      SELECT pk
      FROM link
      WHERE pk = ANY(${pks}::bigint[])
        AND workspace_pk = ${workspacePk}`,
  );
  return new Set(found.map(({ pk }) => pk));
}
