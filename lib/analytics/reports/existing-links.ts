/** Events of links that are still in the workspace: those of others are left out of every page. */
import { fillPage } from "#lib/links/visible-links";
import { query, sql } from "#lib/platform/postgres";
import type { ResolvedQuery } from "./ask.ts";
import type { EventRow, EventsPage } from "./events.ts";

type Selection = ResolvedQuery["selection"];

/** Joins the events of the table `click` with their links, unless these are apart. */
export function joinExisting({ linksApart }: Selection): string {
  return linksApart
    ? ""
    : "JOIN link AS shown ON shown.pk = click.link_pk AND shown.workspace_pk = click.workspace_pk";
}

/** A page, which `read` answers where links are not apart; otherwise it reads parts until the page is full. */
export async function pageOfExisting<Row extends EventRow>(
  { workspacePk, linksApart }: Selection,
  page: EventsPage,
  read: (page: EventsPage) => Promise<Row[]>,
): Promise<Row[]> {
  if (!linksApart) return await read(page);
  const { ascending, after, skip } = page;
  const shown = await fillPage(
    skip + page.limit,
    (last: Row | undefined, limit) =>
      read({ ascending, after: last ? { at: last.at, id: last.id } : after, skip: 0, limit }),
    async (rows) => {
      const existing = await findExisting(workspacePk, rows);
      return rows.filter(({ link_pk }) => existing.has(link_pk));
    },
  );
  return shown.slice(skip);
}

async function findExisting(workspacePk: number, rows: readonly EventRow[]): Promise<Set<number>> {
  const pks = [...new Set(rows.map(({ link_pk }) => link_pk))];
  // Answered by link_pkey.
  const found = await query<{ pk: number }>(sql`
    SELECT pk
    FROM link
    WHERE pk = ANY(${pks}::bigint[])
      AND workspace_pk = ${workspacePk}`);
  return new Set(found.map(({ pk }) => pk));
}
