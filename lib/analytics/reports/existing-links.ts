/** Events of links that are still in the workspace; others are left out of every page. */
import { chooseForm } from "#lib/links/distribution";
import { fillPage } from "#lib/links/visible-links";
import { query, sql } from "#lib/platform/postgres";
import type { EventRow, EventsPage } from "./events.ts";

type ReadPage<Row> = (page: EventsPage, join: string) => Promise<Row[]>;

const existing =
  "JOIN link AS shown ON shown.pk = click.link_pk AND shown.workspace_pk = click.workspace_pk";
const choosePage = chooseForm({ one: pageJoined, apart: pageApart });

export async function pageOfExisting<Row extends EventRow>(
  workspacePk: number,
  page: EventsPage,
  read: ReadPage<Row>,
): Promise<Row[]> {
  const pageOf = await choosePage();
  return await pageOf(workspacePk, page, read);
}

function pageJoined<Row extends EventRow>(
  _workspacePk: number,
  page: EventsPage,
  read: ReadPage<Row>,
): Promise<Row[]> {
  return read(page, existing);
}

/** Citus cannot join events with links on other servers: reads until the page is full. */
async function pageApart<Row extends EventRow>(
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
  // Answered by link_pkey.
  const found = await query<{ pk: number }>(sql`
    SELECT pk
    FROM link
    WHERE pk = ANY(${pks}::bigint[])
      AND workspace_pk = ${workspacePk}`);
  return new Set(found.map(({ pk }) => pk));
}
