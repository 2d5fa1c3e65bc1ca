/** Events of links that are still in the workspace: those of others are left out of every page. */
import { chooseForm } from "#lib/links/distribution";
import { pageApart } from "./apart.ts";
import type { EventRow, EventsPage } from "./events.ts";

/** Reads a page of the table `click`, joined with `join`. */
export type ReadPage<Row> = (page: EventsPage, join: string) => Promise<Row[]>;

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
