/**
 * Edits many links of a workspace at once, with outbox rows and audit entries in one transaction.
 * The rows are locked in the order of their pks before anything is decided, so that edits cannot
 * deadlock or overwrite changes that they did not read.
 */
import { presentId } from "#lib/basics/ids";
import {
  findCrossedDates,
  findForbiddenFrame,
  findRefusedUrl,
  type LinkFailure,
  type Lookups,
  linkFailure,
  noDomain,
  readBody,
  type TagRow,
} from "#lib/links/fields";
import type { EditLink } from "#lib/links/fields/schema";
import { readOnlyFolderPks } from "#lib/links/folders";
import { parseKey, parseNewKey, rootKey } from "#lib/links/keys";
import { encodeTarget, targetEntry, targetOfColumns } from "#lib/links/link-cache";
import { columnList, type LinkColumn } from "#lib/links/link-columns/schema";
import { changedColumns, renameLink, updateLinks } from "#lib/links/link-rows";
import { findLockedUse } from "#lib/links/plan-uses";
import { type FoundLink, findRows, listTagRows, recordLinkEvents } from "#lib/links/presenting";
import { searchText } from "#lib/links/search/schema";
import { variantsAfter, withEditedParameters } from "#lib/links/utm";
import { isVisible, visibleLinks } from "#lib/links/visible-links";
import {
  type CacheChange,
  publishChanges,
  recordChanges,
  takeRevision,
} from "#lib/platform/cache-sync";
import { type Connection, sql, transaction } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type AuditEntry, recordAudit } from "#lib/tenancy/audit";
import { limitsFirstLinks, takeFirstLinks } from "#lib/tenancy/quotas";
import { type LinkPlace, outOfReach } from "#lib/tenancy/reach";

export type EditOutcome =
  | { ok: true; row: FoundLink; tags: TagsChange | undefined; changed: boolean }
  | LinkFailure;

export interface TagsChange {
  from: readonly TagRow[];
  to: readonly TagRow[];
}

/** Undefined if the tags are the same in another order. */
export function tagsChange(from: readonly TagRow[], to: readonly TagRow[]): TagsChange | undefined {
  const had = new Set(from.map(({ pk }) => pk));
  return from.length === to.length && to.every(({ pk }) => had.has(pk)) ? undefined : { from, to };
}

export interface EditResult {
  outcomes: (EditOutcome & { id: string })[];
  published: CacheChange[];
}

/** Unknown and hidden links get no outcome. `seenRevision`: edit only this revision. */
export async function updateRows(
  scope: WorkspaceScope,
  ids: readonly string[],
  body: EditLink,
  lookups: Lookups,
  seenRevision?: number,
): Promise<EditResult> {
  const access = await accessOf(scope);
  return await transaction(async (tx) => {
    const found = access.visible(await findRows(scope.workspacePk, ids, tx));
    const tags = hasTagFields(body) ? await listTagRows(pksOf(found), tx) : undefined;
    const prepared = found.map((before) => ({
      before,
      edited:
        access.failureOf(before) ??
        findStale(before, seenRevision) ??
        prepareEdit(before, tags?.get(before.pk), body, lookups),
    }));
    return await writeEdits(tx, scope, prepared, body.key ?? undefined);
  });
}

function findStale({ revision }: FoundLink, seenRevision: number | undefined) {
  if (seenRevision === undefined || seenRevision === revision) return undefined;
  return changedMeanwhile();
}

export function changedMeanwhile(): LinkFailure {
  return linkFailure(
    "changed_meanwhile",
    "The link was changed in the meantime. Reload it and try again.",
  );
}

function hasTagFields({ tagId, tagIds, tagNames }: EditLink): boolean {
  return tagId !== undefined || tagIds !== undefined || tagNames !== undefined;
}

export function pksOf(rows: readonly FoundLink[]): number[] {
  return rows.map(({ pk }) => pk);
}

export interface PreparedEdit {
  before: FoundLink;
  edited: EditOutcome;
}

/** Writes prepared edits of locked rows. `requestedKey` is the key as the caller wrote it. */
export async function writeEdits(
  tx: Connection,
  scope: WorkspaceScope,
  prepared: readonly PreparedEdit[],
  requestedKey?: string,
): Promise<EditResult> {
  const changes: RowChange[] = [];
  const outcomes: EditResult["outcomes"] = [];
  for (const { before, edited } of prepared) {
    if (edited.ok && edited.changed) {
      const refused =
        findLockedUse(scope, before, edited.row) ??
        (await refusePlace(tx, scope, before, edited.row, requestedKey));
      if (refused) {
        outcomes.push({ ...refused, id: before.id });
        continue;
      }
      changes.push({ before, after: edited.row, tags: edited.tags });
    }
    outcomes.push({ ...edited, id: before.id });
  }
  const published = await writeChanges(tx, scope, changes);
  return { outcomes, published };
}

export interface LinkAccess {
  visible: <Row extends LinkPlace>(rows: readonly Row[]) => Row[];
  failureOf: (row: LinkPlace) => LinkFailure | undefined;
}

export async function accessOf(scope: WorkspaceScope): Promise<LinkAccess> {
  const seen = await visibleLinks(scope);
  const readOnly = new Set<number | null>(await readOnlyFolderPks(scope));
  return {
    visible: (rows) => rows.filter((row) => isVisible(seen, row)),
    failureOf: (row) =>
      readOnly.has(row.folder_pk)
        ? linkFailure(
            "folder_forbidden",
            "You can view the links in this folder, but not edit them.",
          )
        : undefined,
  };
}

interface RowChange {
  before: FoundLink;
  after: FoundLink;
  tags: TagsChange | undefined;
}

function prepareEdit(
  before: FoundLink,
  tagsBefore: readonly TagRow[] | undefined,
  body: EditLink,
  lookups: Lookups,
): EditOutcome {
  const refused = findRefusedUrl(body, lookups, before);
  if (refused) return refused;
  const reading = readBody(body, lookups);
  if (!reading.ok) return reading;
  const after: FoundLink = { ...before, ...reading.columns };
  if (body.folderId !== undefined) after.folder_id = body.folderId || null;
  after.url = withEditedParameters(before.url, body.url, body);
  after.test_variants = variantsOf(before, after, body);
  const misnamed = rename(before, after, body, lookups) ?? findMovedRoot(before, after);
  if (misnamed) return misnamed;
  const invalid = findMissingUrl(after) ?? findCrossedDates(after) ?? findNewFrame(before, after);
  if (invalid) return invalid;
  return editOutcome(before, after, reading.tags && tagsChange(tagsBefore ?? [], reading.tags));
}

/** Variants follow the destination. Variants in the body only follow its UTM fields. */
function variantsOf(before: FoundLink, after: FoundLink, body: EditLink) {
  const variants = after.test_variants;
  const url = body.testVariants ? (body.url ?? before.url) : before.url;
  return variants && url !== after.url ? variantsAfter(variants, url, after.url) : variants;
}

export function editOutcome(
  before: FoundLink,
  after: FoundLink,
  tags: TagsChange | undefined,
): EditOutcome {
  const changed = tags !== undefined || changedColumns(before, after).length > 0;
  return { ok: true, row: after, tags, changed };
}

/** Forms send the present names too, even of a link on the public host, which takes no new names. */
function isRenamed({ slug, key }: FoundLink, body: EditLink): boolean {
  return (body.domain ?? slug) !== slug || Boolean(body.key && body.key !== key);
}

function rename(before: FoundLink, after: FoundLink, body: EditLink, lookups: Lookups) {
  if (!isRenamed(before, body)) return undefined;
  const domain = lookups.domains.get(body.domain ?? "");
  if (!domain) {
    return linkFailure("domain_unknown", noDomain(body.domain));
  }
  after.domain_pk = domain.pk;
  after.slug = domain.slug;
  if (body.key || domain.pk !== before.domain_pk) {
    const key = body.key || before.key;
    const parsed = (key === before.key ? parseKey : parseNewKey)(key, domain);
    if (!parsed.ok) return linkFailure("key_invalid", `key: ${parsed.message}`);
    after.key = parsed.key;
  }
  // A generated code stays generated on another domain, unless it would be ambiguous there.
  after.alias = before.alias || after.key !== before.key || domain.caseInsensitive;
  return undefined;
}

/** The root link belongs to its domain: it cannot be renamed, moved or deleted. */
export function rootFailure(slug: string): LinkFailure {
  const message = `This is the root link of ${slug}. It keeps its key and domain, and is deleted with the domain; remove its url instead.`;
  return linkFailure("root_link", message, { domain: slug });
}

function findNewFrame(before: FoundLink, after: FoundLink): LinkFailure | undefined {
  const isNew = !before.rewrite || before.slug !== after.slug;
  return isNew ? findForbiddenFrame(after, after.slug) : undefined;
}

function findMissingUrl({ url, key }: FoundLink): LinkFailure | undefined {
  if (url !== "" || key === rootKey) return undefined;
  return linkFailure("url_missing", "url: Enter the destination URL.");
}

function findMovedRoot(before: FoundLink, after: FoundLink): LinkFailure | undefined {
  const stays = after.key === before.key && after.domain_pk === before.domain_pk;
  // defence: root-link-not-moved
  return before.key === rootKey && !stays ? rootFailure(before.slug) : undefined;
}

export type EditAuthor = Pick<WorkspaceScope, "workspacePk" | "actor">;

export async function writeChanges(
  tx: Connection,
  scope: EditAuthor,
  changes: readonly RowChange[],
): Promise<CacheChange[]> {
  if (changes.length === 0) return [];
  const revision = await takeRevision(tx);
  const now = new Date();
  for (const { after } of changes) {
    after.revision = revision;
    after.updated_at = now;
  }
  const updates = changes.map(({ before, after, tags }) => {
    const tagPks = tags && { from: tags.from.map(({ pk }) => pk), to: tags.to.map(({ pk }) => pk) };
    return { before, after, tags: tagPks, text: searchText(after) };
  });
  await updateLinks(tx, updates);
  const entries = new Set(
    changes.flatMap(({ before, after }) => [
      targetEntry(before.domain_pk, before.key),
      targetEntry(after.domain_pk, after.key),
    ]),
  );
  const published = [...entries].map((entry) => ({ entry, revision }));
  await recordChanges(tx, published);
  const pks = changes.map(({ after }) => after.pk);
  await recordLinkEvents(tx, scope.workspacePk, "link.updated", pks);
  const audited = changes.map((change) => auditEntryOf(scope, change));
  await recordAudit(tx, audited);
  return published;
}

/** The log only says that a password changed. */
function auditEntryOf(scope: EditAuthor, { before, after, tags }: RowChange): AuditEntry {
  return {
    workspacePk: scope.workspacePk,
    actor: scope.actor,
    action: "link.edit",
    subject: presentId("link", after.id),
    details: fieldsChanged(before, after, tags, changedColumns(before, after)),
  };
}

const fieldOf = new Map(columnList.map((field) => [field.column, field]));

function valueIn(row: FoundLink, column: LinkColumn, name: string): unknown {
  if (name === "domain") return row.slug;
  if (name === "folderId") return row.folder_id;
  if (name === "retiresAt") return row.retires_own ? row.retires_at : "default";
  return row[column];
}

function fieldsChanged(
  before: FoundLink,
  after: FoundLink,
  tags: TagsChange | undefined,
  columns: readonly LinkColumn[],
): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  for (const column of columns) {
    const { name, sealed, history = name } = fieldOf.get(column) ?? {};
    if (!history) continue;
    details[history] = sealed
      ? true
      : { from: valueIn(before, column, history), to: valueIn(after, column, history) };
  }
  if (tags) details.tagIds = { from: idsOf(tags.from), to: idsOf(tags.to) };
  return details;
}

function idsOf(tags: readonly TagRow[]): string[] {
  return tags.map(({ id }) => id);
}

/** Claims domain, key and folder of an edited link. After a failure it keeps its old ones. */
async function refusePlace(
  tx: Connection,
  scope: WorkspaceScope,
  before: FoundLink,
  after: FoundLink,
  requestedKey = before.key,
): Promise<LinkFailure | undefined> {
  const unreached = outOfReach(scope, after);
  if (unreached) return linkFailure("folder_forbidden", unreached);
  if (!(await renameLink(tx, before, after))) return keyTaken(requestedKey, after.slug);
  // defence: moved-link-counts-as-first
  const overLimit = await takeSharedMove(tx, scope, before, after);
  if (overLimit) await renameLink(tx, after, before);
  return overLimit;
}

/** Moving a link to a shared domain counts against the same limit as creating it there. */
async function takeSharedMove(
  tx: Connection,
  scope: WorkspaceScope,
  before: FoundLink,
  after: FoundLink,
): Promise<LinkFailure | undefined> {
  if (after.domain_pk === before.domain_pk || !limitsFirstLinks(scope)) return undefined;
  // Answered by domain_pkey.
  const shared = await tx.query(
    sql`SELECT FROM domain WHERE pk = ${after.domain_pk} AND workspace_pk IS NULL`,
  );
  const taken = await takeFirstLinks(tx, scope, shared.length);
  return taken.ok ? undefined : linkFailure("first_links_used_up", taken.message, taken.details);
}

function keyTaken(key: string, slug: string): LinkFailure {
  return linkFailure("key_taken", `key: "${key}" is already taken on ${slug}. Choose another one.`);
}

export async function publishEdits({ outcomes, published }: EditResult): Promise<void> {
  const values = new Map<string, string>();
  for (const edited of outcomes) {
    if (!edited.ok || !edited.changed) continue;
    const { row } = edited;
    values.set(targetEntry(row.domain_pk, row.key), encodeTarget(targetOfColumns(row)));
  }
  await publishChanges(published, values);
}
