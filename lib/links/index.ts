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
import { encodeTarget, targetEntry, targetOfColumns } from "#lib/targets";
import { assertMay, type WorkspaceScope } from "#lib/workspaces";
import { commitLink, drainCommits } from "./commit.ts";
import { type Maker, parseKey, prepareLink, type RefusalCode } from "./draft.ts";
import { deleteRow, type LinkChanges, updateRow } from "./edit.ts";
import {
  countRows,
  type FoundLink,
  findRow,
  findTags,
  type ListFilter,
  listRows,
  listTagsOf,
} from "./list.ts";
import { openPool, takeCodes } from "./pool.ts";
import { presentLink, type Tag } from "./row.ts";
import type { EditLink, Link, ListLinks, NewLink } from "./schema.ts";

export type LinkOutcome =
  | { ok: true; link: Link }
  | { ok: false; code: RefusalCode; message: string };

/** Fills the pool of codes and makes the installation's own domain. */
export async function openLinks(): Promise<void> {
  await openDomains();
  await openPool();
  onClose("links", drainCommits);
}

/** Makes links; one outcome for each, in their order. An answered link is committed. */
export async function createLinks(
  scope: WorkspaceScope,
  bodies: readonly NewLink[],
  maker: Maker = { source: "api", prefill: true },
): Promise<LinkOutcome[]> {
  assertMay(scope, "links.write");
  const codes = await takeCodes(bodies.length);
  return Promise.all(
    bodies.map((body, at) => {
      const code = codes[at];
      if (!code) throw new Error("The pool answered too few codes");
      return createOne(scope, body, code, maker);
    }),
  );
}

async function createOne(
  scope: WorkspaceScope,
  body: NewLink,
  code: { pk: number; code: string },
  maker: Maker,
): Promise<LinkOutcome> {
  const tags = await resolveTags(scope, body);
  if (!tags.ok) return tags;
  const prepared = await prepareLink(
    scope,
    body,
    code,
    tags.tags.map(({ pk }) => pk),
    maker,
  );
  if (!prepared.ok) return prepared;
  const written = await commitLink(prepared.draft);
  if (!written.ok) {
    const message =
      written.code === "key_taken"
        ? `The key "${body.key}" is taken on ${prepared.domain.slug}. Choose another one.`
        : `Another link has the externalId "${body.externalId}". Each may be used once.`;
    return { ok: false, code: written.code, message };
  }
  return {
    ok: true,
    link: presentLink(written.row, {
      slug: prepared.domain.slug,
      workspaceId: scope.workspaceId,
      userId: scope.userId,
      tags: tags.tags.map(({ pk: _pk, ...tag }) => tag),
      clicks: 0,
      lastClickAt: null,
    }),
  };
}

function listOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  const items = Array.isArray(value) ? value : value.split(",");
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

type Resolved =
  | { ok: true; tags: (Tag & { pk: number })[] }
  | { ok: false; code: "tag_unknown"; message: string };

async function resolveTags(
  scope: WorkspaceScope,
  body: Pick<EditLink, "tagIds" | "tagNames">,
): Promise<Resolved> {
  const ids = listOf(body.tagIds);
  const names = listOf(body.tagNames);
  if (ids.length + names.length === 0) return { ok: true, tags: [] };
  const tags = await findTags(scope.workspacePk, ids, names);
  const missing =
    ids.find((id) => !tags.some((tag) => tag.id === id)) ??
    names.find((name) => !tags.some((tag) => tag.name === name));
  if (missing === undefined) return { ok: true, tags };
  return {
    ok: false,
    code: "tag_unknown",
    message: `This workspace has no tag "${missing}". Make it first, or leave it out.`,
  };
}

async function presentFound(scope: WorkspaceScope, rows: FoundLink[]): Promise<Link[]> {
  const tags = rows.length > 0 ? await listTagsOf(rows.map(({ pk }) => pk)) : new Map();
  return rows.map((row) =>
    presentLink(row, {
      slug: row.slug,
      workspaceId: scope.workspaceId,
      userId: row.user_id,
      tags: tags.get(row.pk) ?? [],
      clicks: row.clicks,
      lastClickAt: row.last_click_at,
    }),
  );
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
  const row = await findRow(scope.workspacePk, uuidOf(id));
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
  const key = body.key === undefined ? undefined : parseKey(body.key);
  if (key && !key.ok) return key;
  const tags = await resolveTags(scope, body);
  if (!tags.ok) return tags;
  const givesTags = body.tagIds !== undefined || body.tagNames !== undefined;
  const edited = await updateRow(
    scope.workspacePk,
    uuidOf(id),
    { ...changesOf(body), ...(key ? { key: key.key } : {}) },
    givesTags ? tags.tags.map(({ pk }) => pk) : undefined,
    deedOf(scope, "link.edit", id),
  );
  if (!edited.ok) {
    if (edited.code === "not_found") throw missingLink(id);
    return { ok: false, code: "key_taken", message: `The key "${body.key}" is taken.` };
  }
  const entry = targetEntry(edited.row.domain_pk, edited.row.key);
  const value = encodeTarget(targetOfColumns(edited.row));
  await publishChanges(edited.published, new Map([[entry, value]]));
  const [link] = await presentFound(scope, [edited.row]);
  if (!link) throw missingLink(id);
  return { ok: true, link };
}

/** Only what the body names is changed; null clears. */
function changesOf(body: EditLink): LinkChanges {
  return given({
    url: body.url,
    redirect_status: body.redirectStatus === null ? 0 : body.redirectStatus,
    archived: body.archived,
    track_conversion: body.trackConversion,
    do_index: body.doIndex,
    public_stats: body.publicStats,
    external_id: body.externalId,
    tenant_id: body.tenantId,
    comments: body.comments,
    title: body.title,
    description: body.description,
    starts_at: momentOf(body.startsAt),
    expires_at: momentOf(body.expiresAt),
    expired_url: body.expiredUrl,
  });
}

function momentOf(text: string | null | undefined): Date | null | undefined {
  return typeof text === "string" ? new Date(text) : text;
}

/** The properties that have a value. Sound because those that are undefined are left out. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function deedOf(scope: WorkspaceScope, action: string, subject: string) {
  return { workspacePk: scope.workspacePk, actor: scope.actor, action, subject };
}

/** Deletes a link; visitors everywhere meet a 404 within a second. */
export async function deleteLink(scope: WorkspaceScope, id: string): Promise<{ id: string }> {
  assertMay(scope, "links.write");
  const deleted = await deleteRow(scope.workspacePk, uuidOf(id), deedOf(scope, "link.delete", id));
  if (!deleted.ok) throw missingLink(id);
  await publishChanges(deleted.published);
  return { id: presentId("link", deleted.row.id) };
}
