/**
 * Links as a file, newest first, with the filters of a list. One page is in memory at a time. The
 * next page starts after the last link of the previous one, so that concurrent changes skip no
 * link.
 */
import { parseId } from "#lib/basics/ids";
import { groupLinksMax, type Link, listOf } from "#lib/links/fields/schema";
import { fieldList } from "#lib/links/link-columns/schema";
import { findByPks, findRows, presentFound } from "#lib/links/presenting";
import { type Cell, recordsFile, type SentFile, withExportSlot } from "#lib/platform/downloads";
import { AppError } from "#lib/platform/errors";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { listCreated } from "./by-creation.ts";
import { type LinkFilter, resolveFilter } from "./filter.ts";
import type { ExportLinks, LinkFilters } from "./schema.ts";

const rowsAtOnce = 1_000;

export async function exportLinks(scope: WorkspaceScope, request: ExportLinks): Promise<SentFile> {
  assertMay(scope, "links.read");
  const { format, linkIds, ...filters } = request;
  // Errors must be thrown here, because none can be sent once the file has started.
  const filter = await restrictTo(scope, listOf(linkIds), await resolveFilter(scope, filters));
  const pages = () => (filter ? pagesOf(scope, filter) : noPages());
  return withExportSlot(recordsFile({ name: "fuxi-links", format, columns, cellsOf, pages }));
}

async function* noPages(): AsyncGenerator<Link[]> {}

export async function* pagesOfLinks(
  scope: WorkspaceScope,
  request: LinkFilters,
): AsyncGenerator<Link[]> {
  assertMay(scope, "links.read");
  const filter = await resolveFilter(scope, request);
  if (filter) yield* pagesOf(scope, filter);
}

async function* pagesOf(scope: WorkspaceScope, filter: LinkFilter): AsyncGenerator<Link[]> {
  const stretch = { skip: 0, limit: rowsAtOnce, ascending: false, only: undefined };
  let cursorId: string | undefined;
  do {
    const pks = await listCreated(filter, { ...stretch, cursorId });
    const rows = await findByPks(scope.workspacePk, pks);
    if (rows.length > 0) yield await presentFound(scope, rows);
    // If links were deleted between the two queries, the list is not over yet.
    cursorId = pks.length === rowsAtOnce ? rows.at(-1)?.id : undefined;
  } while (cursorId !== undefined);
}

async function restrictTo(
  scope: WorkspaceScope,
  linkIds: readonly string[],
  filter: LinkFilter | undefined,
): Promise<LinkFilter | undefined> {
  if (linkIds.length === 0 || !filter) return filter;
  if (linkIds.length > groupLinksMax) {
    throw new AppError("unprocessable_entity", `linkIds: Use at most ${groupLinksMax} ids.`);
  }
  const uuids = linkIds.flatMap((id) => parseId("link", id) ?? []);
  const named = (await findRows(scope.workspacePk, uuids)).map(({ pk }) => pk);
  const before = filter.pks;
  const pks = before ? named.filter((pk) => before.includes(pk)) : named;
  return { ...filter, pks };
}

const exported = fieldList
  .flatMap(({ name, csv }) => (csv ? [{ name, csv }] : []))
  .sort((a, b) => a.csv - b.csv);
const columns = exported.map(({ name }) => name);

function cellsOf(link: Link): Cell[] {
  const values = new Map<string, unknown>(Object.entries(link));
  return columns.map((name) => {
    if (name === "tags") return link.tags.map((tag) => tag.name).join(", ");
    const value = values.get(name);
    return typeof value === "number" ? value : value == null ? null : String(value);
  });
}
