/** Links that today’s lists of destinations would refuse. They still work: visits check no list. */
import { newUuid, parseId, presentId } from "#lib/basics/ids";
import { type DestinationRules, loadDestinationRules } from "#lib/destinations/lists";
import { findRefusedUrl } from "#lib/links/fields";
import { shortUrl } from "#lib/links/hosts";
import { type FoundLink, findRows } from "#lib/links/presenting";
import { listMatching } from "#lib/links/reading";
import { type LinkFilters, listLinksQuery } from "#lib/links/reading/schema";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { type RefusedLink, type RefusedLinks, type RefusedQuery, refusedMax } from "./schema.ts";

const stepLinks = 500;
/** Links per call: about a second. */
const checkedMax = 20_000;

/** Every link that visitors may know, including archived ones. */
export const allLinks: LinkFilters = listLinksQuery.parse({ showArchived: "true" });

export async function listRefusedLinks(
  scope: WorkspaceScope,
  { startingAfter }: RefusedQuery,
): Promise<RefusedLinks> {
  assertMay(scope, "links.read");
  const rules = await loadDestinationRules(scope.workspacePk);
  const links: RefusedLink[] = [];
  let checked = 0;
  let next: string | undefined = parseId("link", startingAfter ?? "") ?? newUuid();
  while (next !== undefined && checked < checkedMax && links.length < refusedMax) {
    const page: Page = await listMatching(scope, allLinks, { cursorId: next, limit: stepLinks });
    const refused = (await findRefusedRows(scope, page.ids, rules)).map(present);
    links.push(...refused);
    checked += page.ids.length;
    next = page.lastId;
  }
  const last = links[refusedMax - 1];
  if (last && links.length > refusedMax) {
    return { links: links.slice(0, refusedMax), checked, next: last.id };
  }
  return { links, checked, next: next === undefined ? null : presentId("link", next) };
}

type Page = Awaited<ReturnType<typeof listMatching>>;

export async function keepRefused(
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<string[]> {
  const rules = await loadDestinationRules(scope.workspacePk);
  const rows = await findRefusedRows(scope, ids, rules);
  return rows.map(({ row }) => presentId("link", row.id));
}

interface RefusedRow {
  row: FoundLink;
  details: Readonly<Record<string, string | number>>;
}

async function findRefusedRows(
  { workspacePk }: WorkspaceScope,
  ids: readonly string[],
  destinations: DestinationRules,
): Promise<RefusedRow[]> {
  const uuids = ids.flatMap((id) => parseId("link", id) ?? []);
  const rows = await findRows(workspacePk, uuids);
  const refused = rows.flatMap((row) => {
    const details = findRefusal(row, destinations);
    return details ? [{ row, details }] : [];
  });
  return refused.sort((a, b) => (a.row.id < b.row.id ? 1 : -1));
}

type DestinationColumns = Pick<
  FoundLink,
  "url" | "expired_url" | "ios" | "android" | "geo" | "test_variants" | "rules" | "disabled_at"
>;

/** Which list refuses a link now, and which host. Undefined: none, or the link is disabled. */
export function findRefusal(
  { expired_url: expiredUrl, test_variants: testVariants, ...rest }: DestinationColumns,
  destinations: DestinationRules,
): RefusedRow["details"] | undefined {
  // Ignores loops, because the list of links shows them.
  const lookups = { shortHosts: new Set<string>(), destinations };
  const failure = findRefusedUrl({ ...rest, expiredUrl, testVariants }, lookups);
  const isListed = failure?.code === "destination_refused" && rest.disabled_at === null;
  return isListed ? (failure.details ?? {}) : undefined;
}

function present({ row, details }: RefusedRow): RefusedLink {
  return {
    id: presentId("link", row.id),
    shortLink: shortUrl(row.slug, row.key),
    host: String(details["host"]),
    list: details["list"] === "block" ? "block" : "allow",
    owner: details["owner"] === "instance" ? "instance" : "workspace",
  };
}
