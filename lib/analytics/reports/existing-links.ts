/** Events of links that are still in the workspace: those of others are left out of every page. */
import { query, sql } from "#lib/platform/postgres";
import type { EventRow, EventsPage } from "./events.ts";

/** Reads parts in the order of the page until it is full. */
export async function pageOfExisting<Row extends EventRow>(
  workspacePk: number,
  page: EventsPage,
  readPart: (part: Omit<EventsPage, "skip">) => Promise<Row[]>,
): Promise<Row[]> {
  const needed = page.skip + page.limit;
  const shown: Row[] = [];
  for (let { after } = page; ; ) {
    const rows = await readPart({ ascending: page.ascending, after, limit: needed });
    const existing = await findExisting(workspacePk, rows);
    shown.push(...rows.filter(({ link_pk }) => existing.has(link_pk)));
    const last = rows.at(-1);
    if (!last || rows.length < needed || shown.length >= needed) {
      return shown.slice(page.skip, needed);
    }
    after = { at: last.at, id: last.id };
  }
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
