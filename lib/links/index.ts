/**
 * Links: (domain, key) → url.
 *
 * Creating is always a batch: authorize → domains → codes from the pool → group commit (links, outbox) → publish → one
 * outcome a row. The mechanisms are in ranges.ts (pks), pool.ts (ready codes) and commit.ts (the two lanes).
 */
import { publishChanges } from "#lib/coherence";
import { openDomains } from "#lib/domains";
import { AppError } from "#lib/errors";
import { parseId, presentId } from "#lib/ids";
import { onClose } from "#lib/lifetime";
import { assertMay, type WorkspaceScope } from "#lib/workspaces";
import type { Refusal } from "./body.ts";
import { drainCommits } from "./commit.ts";
import { makeLinks, makeUnmatched, metIds } from "./create.ts";
import type { Maker } from "./draft.ts";
import { deleteRows, updateRows } from "./edit.ts";
import { countRows, findRows, type ListFilter, listRows } from "./list.ts";
import { lookUp } from "./lookups.ts";
import { openPool } from "./pool.ts";
import { presentFound, showById } from "./present.ts";
import { publishEdits } from "./publish.ts";
import { presentLink } from "./row.ts";
import type { EditLink, Link, ListLinks, NewLink } from "./schema.ts";

export {
  createLinksInBulk,
  deleteLinksInBulk,
  editLinksInBulk,
  type RowOutcome,
} from "./bulk.ts";
export type { Maker } from "./draft.ts";
export { findBulkJob, findBulkOutcomes, linkJobs, startBulkJob } from "./jobs.ts";
export type { Shown } from "./present.ts";
export { presentBriefly, presentLink } from "./row.ts";
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

function missingLink(id: string): AppError {
  return new AppError("not_found", `There is no link "${id}" in this workspace.`);
}

/** A link with its pk, for rooms that keep numbers about it. Throws not_found. */
export async function getLink(
  scope: WorkspaceScope,
  id: string,
): Promise<{ pk: number; link: Link }> {
  assertMay(scope, "links.read");
  const [row] = await findRows(scope.workspacePk, [uuidOf(id)]);
  if (!row) throw missingLink(id);
  const [link] = await presentFound(scope, [row]);
  if (!link) throw missingLink(id);
  return { pk: row.pk, link };
}

function filterOf(asked: ListLinks): ListFilter {
  const { search, domain, tagId, showArchived } = asked;
  return { search: search || undefined, domain, tagId, showArchived };
}

/** A page of links, newest first. */
export async function listLinks(scope: WorkspaceScope, asked: ListLinks): Promise<Link[]> {
  assertMay(scope, "links.read");
  const rows = await listRows(scope.workspacePk, filterOf(asked), {
    size: asked.pageSize,
    startingAfter: asked.startingAfter ? uuidOf(asked.startingAfter) : undefined,
    endingBefore: asked.endingBefore ? uuidOf(asked.endingBefore) : undefined,
  });
  return presentFound(scope, rows);
}

export function countLinks(scope: WorkspaceScope, asked: ListLinks): Promise<number> {
  assertMay(scope, "links.read");
  return countRows(scope.workspacePk, filterOf(asked));
}

/** Changes a link. Visitors everywhere meet the change within a second. */
export async function editLink(
  scope: WorkspaceScope,
  id: string,
  body: EditLink,
): Promise<LinkOutcome> {
  assertMay(scope, "links.write");
  const named = await withDomain(scope, id, body);
  const lookups = await lookUp(scope, [named]);
  const edits = await updateRows(scope, [uuidOf(id)], named, lookups);
  const [outcome] = edits.outcomes;
  if (!outcome) throw missingLink(id);
  if (!outcome.ok) return outcome;
  await publishEdits(edits);
  const [link] = await presentFound(scope, [outcome.row]);
  if (!link) throw missingLink(id);
  return { ok: true, link };
}

/** What a key may be depends on its domain; an edit that names only the key means the domain that the link has. */
async function withDomain(scope: WorkspaceScope, id: string, body: EditLink): Promise<EditLink> {
  if (!body.key || body.domain) return body;
  const [row] = await findRows(scope.workspacePk, [uuidOf(id)]);
  return row ? { ...body, domain: row.slug } : body;
}

/** Deletes a link; visitors everywhere meet a 404 within a second. */
export async function deleteLink(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "links.write");
  const { ids, published } = await deleteRows(scope, [uuidOf(id)]);
  const [deleted] = ids;
  if (deleted === undefined) throw missingLink(id);
  await publishChanges(published);
  return { id: presentId("link", deleted) };
}
