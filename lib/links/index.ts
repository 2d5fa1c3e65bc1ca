/**
 * Links: (domain, key) → url.
 *
 * Creating is always a batch: authorize → domains → codes from the pool → group commit (links, outbox) → publish → one
 * outcome a row. The mechanisms are in ranges.ts (pks), pool.ts (ready codes) and commit.ts (the two lanes).
 */
import { publishChanges } from "#lib/coherence";
import { findDomain, openDomains } from "#lib/domains";
import { AppError } from "#lib/errors";
import { hiddenFolderPks } from "#lib/folders";
import { parseId, presentId } from "#lib/ids";
import { onClose } from "#lib/lifetime";
import { assertMay, type WorkspaceScope } from "#lib/workspaces";
import { externalIdTaken, type Refusal, refuse } from "./body.ts";
import { drainCommits } from "./commit.ts";
import { countAll, countGroups, countPks } from "./count.ts";
import { makeLinks, makeUnmatched, metIds } from "./create.ts";
import type { Maker } from "./draft.ts";
import { deleteRows, updateRows } from "./edit.ts";

import {
  externalPrefix,
  findByExternalId,
  isWhole,
  nameOn,
  pksOfExternalId,
  resolveFilter,
} from "./filter.ts";
import { type FoundLink, findByPks, findPksByNames, findRows } from "./find.ts";
import { type Cursor, listPks } from "./list.ts";

import { lookUp } from "./lookups.ts";
import { openPool } from "./pool.ts";
import { presentFound, showById } from "./present.ts";
import { publishEdits } from "./publish.ts";
import { presentLink } from "./row.ts";
import type {
  CountLinks,
  EditLink,
  Link,
  LinkCounts,
  LinkInfo,
  ListLinks,
  NewLink,
} from "./schema.ts";
import { isExternalIdTaken } from "./store.ts";

export { checkKey } from "./availability.ts";
export {
  createLinksInBulk,
  deleteLinksInBulk,
  editLinksInBulk,
  type RowOutcome,
} from "./bulk.ts";
export { listCreators } from "./creators.ts";
export type { Maker } from "./draft.ts";
export { duplicateLink } from "./duplicate.ts";
export { exportLinks, pagesOfLinks } from "./exports.ts";
export { changeGroup } from "./group.ts";
export { listHistory, restoreState } from "./history.ts";
export { findBulkJob, findBulkOutcomes, linkJobs, startBulkJob } from "./jobs.ts";
export type { Shown } from "./present.ts";
export { presentBriefly, presentLink } from "./row.ts";
export type { RowFailure } from "./rows.ts";
export { settleSearch } from "./search.ts";
export { type PreparedRows, prepareRows, writeRows } from "./together.ts";
export { discardLinks, restoreLinks } from "./trash.ts";
export { tryRows } from "./trial.ts";
export type LinkOutcome = { ok: true; link: Link } | Refusal;

/** Fills the pool of codes and makes the installation's own domain. */
export async function openLinks(): Promise<void> {
  await openDomains();
  await openPool();
  onClose("links", drainCommits);
}

const apiMaker = { source: "api", prefill: true } as const;

/** Makes links; one outcome for each, in their order. An answered link is committed. */
export async function createLinks(
  scope: WorkspaceScope,
  bodies: readonly NewLink[],
  maker: Maker = apiMaker,
): Promise<LinkOutcome[]> {
  assertMay(scope, "links.write");
  const outcomes = await Promise.all(await makeLinks(scope, bodies, maker));
  const met = await showById(scope, metIds(outcomes));
  return outcomes.map((outcome) => {
    if (!outcome.ok) return outcome;
    const shown = "found" in outcome ? met.get(outcome.found) : outcome;
    if (!shown) throw deletedMeanwhile();
    return { ok: true, link: presentLink(shown.row, shown.context) };
  });
}

function deletedMeanwhile(): AppError {
  const message = "The link for this url was deleted at the same moment. Send the request again.";
  return new AppError("conflict", message);
}

/** Changes the link of the workspace with this url, or makes one. Many callers at once get the same link. */
export async function upsertLink(scope: WorkspaceScope, body: NewLink): Promise<LinkOutcome> {
  assertMay(scope, "links.write");
  const outcome = await makeUnmatched(scope, body, apiMaker);
  if (!outcome.ok) return outcome;
  if ("found" in outcome) {
    const { keyLength: _length, prefix: _prefix, reuse: _reuse, ...edit } = body;
    return await editLink(scope, presentId("link", outcome.found), edit);
  }
  return { ok: true, link: presentLink(outcome.row, outcome.context) };
}

function uuidOf(id: string): string {
  const uuid = parseId("link", id);
  if (uuid) return uuid;
  throw missingLink(id);
}

/** Links are named by their id, or by `ext_` and the externalId that they were given. */
async function uuidNamed(scope: WorkspaceScope, id: string): Promise<string> {
  if (!id.startsWith(externalPrefix)) return uuidOf(id);
  const found = await findByExternalId(scope, id);
  if (!found) throw missingLink(id);
  return found.id;
}

function missingLink(id: string): AppError {
  return new AppError("not_found", `There is no link "${id}" in this workspace.`);
}

/** A link with its pk, for rooms that keep numbers about it. `ext_…` names it by its externalId. Throws not_found. */
export async function getLink(
  scope: WorkspaceScope,
  id: string,
): Promise<{ pk: number; link: Link }> {
  assertMay(scope, "links.read");
  const rows = await findRows(scope.workspacePk, [await uuidNamed(scope, id)]);
  const [row] = await visibleTo(scope, rows);
  const [link] = row ? await presentFound(scope, [row]) : [];
  if (!row || !link) throw missingLink(id);
  return { pk: row.pk, link };
}

/** The link that a query names in one of three ways. Throws not_found. */
export async function findLink(scope: WorkspaceScope, asked: LinkInfo): Promise<Link> {
  const { linkId, externalId, domain, key } = asked;
  if (linkId) return (await getLink(scope, linkId)).link;
  assertMay(scope, "links.read");
  const pks = externalId
    ? await pksOfExternalId(scope, externalId)
    : await findPksByName(scope, domain ?? "", key ?? "");
  const rows = await visibleTo(scope, await findByPks(scope.workspacePk, pks));
  const [link] = await presentFound(scope, rows);
  if (!link) throw missingLink(externalId ?? `${domain}/${key}`);
  return link;
}

/** A link in a folder that does not exist for the actor does not exist either. */
async function visibleTo(scope: WorkspaceScope, rows: FoundLink[]): Promise<FoundLink[]> {
  if (rows.every((row) => row.folder_pk === null)) return rows;
  const hidden = new Set(await hiddenFolderPks(scope));
  return rows.filter((row) => row.folder_pk === null || !hidden.has(row.folder_pk));
}

/** The link of the workspace that has this key there, if any, whoever may see it. */
export async function findPksByName(
  scope: WorkspaceScope,
  slug: string,
  key: string,
): Promise<number[]> {
  const domain = await findDomain(scope, slug);
  const name = domain && nameOn(domain, key);
  return name ? findPksByNames(scope.workspacePk, [name]) : [];
}

/** Links by their pks, for whoever was told of them already; those that are gone meanwhile are left out. */
export async function showLinks(
  scope: WorkspaceScope,
  pks: readonly number[],
): Promise<Map<number, Link>> {
  const rows = await findByPks(scope.workspacePk, pks);
  const links = await presentFound(scope, rows);
  return new Map(rows.flatMap(({ pk }, at) => (links[at] ? [[pk, links[at]]] : [])));
}

/** A page of links. */
export async function listLinks(scope: WorkspaceScope, asked: ListLinks): Promise<Link[]> {
  assertMay(scope, "links.read");
  const sort = sortOf(asked);
  const [cursor, filter] = await Promise.all([
    findCursor(scope, asked, sort === "createdAt"),
    resolveFilter(scope, asked),
  ]);
  if (!filter) return [];
  const pks = await listPks(filter, {
    sort,
    ascending: asked.sortOrder === "asc",
    skip: (asked.page - 1) * asked.pageSize,
    size: asked.pageSize,
    cursor,
    backwards: Boolean(asked.endingBefore),
  });
  return presentFound(scope, await findByPks(scope.workspacePk, pks));
}

function sortOf({ sort, sortBy }: ListLinks): "createdAt" | "clicks" | "lastClicked" {
  return sortBy === "saleAmount" ? "createdAt" : (sortBy ?? sort);
}

/** By creation an id is a place of its own, so a list goes on behind a link that was deleted meanwhile. */
async function findCursor(
  scope: WorkspaceScope,
  { startingAfter, endingBefore }: ListLinks,
  byCreation: boolean,
): Promise<Cursor | undefined> {
  const id = startingAfter || endingBefore;
  if (!id) return undefined;
  const uuid = parseId("link", id);
  if (uuid && byCreation) return { pk: 0, id: uuid, clicks: 0, last_click_at: null };
  const [row] = uuid ? await findRows(scope.workspacePk, [uuid]) : [];
  if (row) return row;
  const field = startingAfter ? "startingAfter" : "endingBefore";
  throw new AppError(
    "unprocessable_entity",
    `${field}: there is no link "${id}" in this workspace. Give the id of a link of the page before, or none.`,
  );
}

/** How many links there are; with `groupBy` the number of each group. */
export async function countLinks(
  scope: WorkspaceScope,
  asked: CountLinks,
): Promise<number | LinkCounts> {
  assertMay(scope, "links.read");
  const filter = await resolveFilter(scope, asked);
  if (asked.groupBy) return filter ? countGroups(filter, asked.groupBy) : [];
  if (!filter) return 0;
  return isWhole(filter) ? countAll(scope.workspacePk, filter.showArchived) : countPks(filter);
}

/** Changes a link. Visitors everywhere meet the change within a second. */
export async function editLink(
  scope: WorkspaceScope,
  id: string,
  body: EditLink,
): Promise<LinkOutcome> {
  assertMay(scope, "links.write");
  const uuid = await uuidNamed(scope, id);
  const named = await withDomain(scope, uuid, body);
  const lookups = await lookUp(scope, [named]);
  const edits = await updateRows(scope, [uuid], named, lookups).catch(asExternalIdTaken);
  if (!edits) return refuse("external_id_taken", externalIdTaken(body.externalId));
  const [outcome] = edits.outcomes;
  if (!outcome) throw missingLink(id);
  if (!outcome.ok) return outcome;
  await publishEdits(edits);
  const [link] = await presentFound(scope, [outcome.row]);
  if (!link) throw missingLink(id);
  return { ok: true, link };
}

/** Another link took the externalId at the same moment or before; nothing was changed. */
function asExternalIdTaken(error: unknown): undefined {
  if (!isExternalIdTaken(error)) throw error;
}

/** What a key may be depends on its domain; an edit that names only the key means the domain that the link has. */
async function withDomain(scope: WorkspaceScope, uuid: string, body: EditLink): Promise<EditLink> {
  if (!body.key || body.domain) return body;
  const [row] = await findRows(scope.workspacePk, [uuid]);
  return row ? { ...body, domain: row.slug } : body;
}

/** Deletes a link; visitors everywhere meet a 404 within a second. */
export async function deleteLink(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "links.write");
  const { ids, published, refusal } = await deleteRows(scope, [await uuidNamed(scope, id)]);
  const [deleted] = ids;
  if (refusal) throw new AppError("forbidden", refusal.message);
  if (deleted === undefined) throw missingLink(id);
  await publishChanges(published);
  return { id: presentId("link", deleted) };
}
