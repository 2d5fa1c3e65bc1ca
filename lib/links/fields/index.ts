/** Converts the body of a create or an edit to columns, or to a failure with its message. */
import { dayMs } from "#lib/basics/time/schema";
import { findRefused, type RefusedDestination, refusalMessage } from "#lib/destinations/lists";
import { dashboardHost, isOwnAddress } from "#lib/links/hosts";
import {
  type ColumnField,
  columnList,
  type LinkColumn,
  type PlainColumn,
  warningDays,
} from "#lib/links/link-columns/schema";
import type { LinkRow } from "#lib/links/link-rows";
import { storedDesign } from "#lib/links/qr-design";
import type { Tag } from "#lib/links/tags/schema";
import { type Destinations, hostOf, type Lookups, tagIdsOf, urlsOf } from "./lookups.ts";
import { type EditLink, listOf, passwordMask } from "./schema.ts";

export { hostsOf, type Lookups, loadLookups } from "./lookups.ts";

export function externalIdTaken(id: string | null | undefined): string {
  return `externalId: "${id}" is already used by another link. Choose another one.`;
}

export const repeatDiffers =
  "This Idempotency-Key was already used with a different request body. Use a new key.";

export function noDomain(slug: string | null | undefined): string {
  return `domain: This workspace has no verified domain "${slug}". Add or verify it first.`;
}

type Columns = Partial<Pick<LinkRow, PlainColumn>>;
export type TagRow = Tag & { pk: number };

interface ReadBody {
  ok: true;
  columns: Columns;
  tags: TagRow[] | undefined;
}

/** Why a destination is refused: it loops, or a list forbids it. Lists do not apply to destinations that the link already has. */
export function findRefusedUrl(
  body: Destinations,
  { shortHosts, destinations }: Pick<Lookups, "shortHosts" | "destinations">,
  row?: DestinationColumns,
): LinkFailure | undefined {
  const urls = urlsOf(body);
  const loops = urls.some(
    // defence: own-address-loops
    (url) => (shortHosts.size > 0 && shortHosts.has(hostOf(url))) || isOwnAddress(url),
  );
  if (loops) {
    return linkFailure(
      "url_loops",
      "A destination is a short link itself. Use its destination URL instead.",
    );
  }
  const before = row ? urlsOfRow(row) : [];
  const added = before.length === 0 ? urls : urls.filter((url) => !before.includes(url));
  const refused = findRefused(destinations, added, hostOf);
  return refused && destinationRefused(refused);
}

function destinationRefused(refused: RefusedDestination): LinkFailure {
  const { host, list, owner } = refused;
  return linkFailure("destination_refused", refusalMessage(refused), { host, list, owner });
}

export function urlsOfRow(row: DestinationColumns): string[] {
  const { expired_url: expiredUrl, test_variants: testVariants, ...rest } = row;
  return urlsOf({ ...rest, expiredUrl, testVariants });
}

type DestinationColumns = Pick<
  LinkRow,
  "url" | "expired_url" | "ios" | "android" | "geo" | "test_variants" | "rules"
>;

export function readBody(body: EditLink, lookups: Lookups): ReadBody | LinkFailure {
  const tags = readTags(body, lookups);
  if (tags && !Array.isArray(tags)) return tags;
  const folder = body.folderId ? lookups.folders.get(body.folderId) : undefined;
  if (folder && !folder.ok) return folder;
  const logoId = body.qr?.logoId;
  if (logoId && !lookups.logos.has(logoId)) {
    const message = `qr.logoId: This workspace has no logo "${logoId}". Upload it first, or use null.`;
    return linkFailure("logo_unknown", message, { logo: logoId });
  }
  if (body.formId && !lookups.forms.has(body.formId)) {
    const message = `formId: This workspace has no form "${body.formId}". Create it first, or use null.`;
    return linkFailure("form_unknown", message, { form: body.formId });
  }
  const missing = body.webhookIds?.find((id) => !lookups.webhooks.has(id));
  if (missing !== undefined) {
    const message = `webhookIds: This workspace has no webhook "${missing}". Create it first, or remove it.`;
    return linkFailure("webhook_unknown", message, { webhook: missing });
  }
  return { ok: true, columns: columnsOf(body, lookups), tags };
}

function readTags(body: EditLink, lookups: Lookups): TagRow[] | LinkFailure | undefined {
  const { tagId, tagIds, tagNames } = body;
  if (tagId === undefined && tagIds === undefined && tagNames === undefined) return undefined;
  const found = new Map<number, TagRow>();
  for (const name of [...tagIdsOf(body), ...listOf(tagNames)]) {
    const tag = lookups.tagsById.get(name) ?? lookups.tagsByName.get(name.toLowerCase());
    if (!tag) {
      const message = `This workspace has no tag "${name}". Create it first, or remove it.`;
      return linkFailure("tag_unknown", message, { tag: name });
    }
    found.set(tag.pk, tag);
  }
  return [...found.values()];
}

type Reader<C extends PlainColumn> = (body: EditLink, lookups: Lookups) => LinkRow[C] | undefined;

/** Columns that need a reader of their own. Undefined: the column stays unchanged. */
const specialReaders: { [C in PlainColumn]?: Reader<C> } = {
  folder_pk: ({ folderId }, lookups) => folderPkOf(folderId, lookups),
  geo: ({ geo }) => (geo && Object.keys(geo).length === 0 ? null : geo),
  rules: ({ rules }) => (rules?.length === 0 ? null : rules),
  // A test without a start starts now.
  test_started_at: ({ testVariants, testStartedAt }) =>
    testVariants && !testStartedAt ? new Date() : momentOf(testStartedAt),
  retires_at: ({ retiresAt }) =>
    retiresAt === "default" ? provisionalDate() : momentOf(retiresAt),
  retires_own: ({ retiresAt }) => (retiresAt === undefined ? undefined : retiresAt !== "default"),
  // Editing the date brings a retired link back.
  retired_at: ({ retiresAt }) => (retiresAt === undefined ? undefined : null),
  password_hash: ({ password }, lookups) => passwordHashOf(password, lookups),
  disabled_at: ({ disabled }) =>
    disabled ? new Date() : nullOrUndefined(disabled === false ? null : disabled),
  qr: ({ qr }) => qr && storedDesign(qr),
};

const readers = columnList.flatMap((field) => {
  const read = readerOf(field);
  return read ? [[field.column, read] as const] : [];
});

/** Reads a column according to its kind. Null resets it to the value of a new link. */
function readerOf({ name, column, kind, form, usual }: ColumnField) {
  const special = new Map(Object.entries<Reader<PlainColumn>>(specialReaders)).get(column);
  if (special || !form || usual === undefined) return special;
  return (body: EditLink) => {
    const value = anyFieldOf(body, name);
    if (value === null) return usual;
    return kind === "moment" && typeof value === "string" ? new Date(value) : value;
  };
}

/** Sound because every object can be read by any name. */
function anyFieldOf(body: EditLink, name: string): unknown {
  return (body as Readonly<Record<string, unknown>>)[name];
}

/** The columns of a body. Sound because each reader returns a value of its column. */
function columnsOf(body: EditLink, lookups: Lookups): Columns {
  const columns: Partial<Record<LinkColumn, unknown>> = {};
  for (const [column, read] of readers) {
    const value = read(body, lookups);
    if (value !== undefined) columns[column] = value;
  }
  return columns as Columns;
}

function folderPkOf(id: string | null | undefined, lookups: Lookups): number | null | undefined {
  const folder = id ? lookups.folders.get(id) : undefined;
  return folder?.ok ? folder.pk : nullOrUndefined(id);
}

function nullOrUndefined(value: unknown): null | undefined {
  return value === null ? null : undefined;
}

function momentOf(text: string | null | undefined): Date | null | undefined {
  return typeof text === "string" ? new Date(text) : text;
}

/** The next check of the workspace decides the date. */
function provisionalDate(): Date {
  return new Date(Date.now() + (warningDays + 1) * dayMs);
}

function passwordHashOf(password: string | null | undefined, lookups: Lookups) {
  // A link that is sent back unchanged keeps its password.
  if (!password || password === passwordMask) return nullOrUndefined(password);
  return lookups.passwordHashes.get(password);
}

type Dates = Pick<LinkRow, "starts_at" | "expires_at" | "test_started_at" | "test_completed_at">;

export function findCrossedDates(row: Dates): LinkFailure | undefined {
  if (isAfter(row.starts_at, row.expires_at)) {
    return linkFailure("dates_crossed", "expiresAt: Use a time after startsAt.");
  }
  if (isAfter(row.test_started_at, row.test_completed_at)) {
    return linkFailure("dates_crossed", "testCompletedAt: Use a time after testStartedAt.");
  }
  return undefined;
}

function isAfter(start: Date | null, end: Date | null): boolean {
  return start !== null && end !== null && start >= end;
}

/** On the host of the dashboard, a frame could imitate the sign-in page. */
export function findForbiddenFrame(
  row: Pick<LinkRow, "rewrite">,
  host: string,
): LinkFailure | undefined {
  // defence: no-cloaking-on-dashboard-host
  if (!row.rewrite || host !== dashboardHost()) return undefined;
  return linkFailure(
    "frame_forbidden",
    `rewrite: Links on ${host} can’t be cloaked, because the dashboard uses this domain. Use another domain.`,
    { host },
  );
}

export type LinkFailureCode =
  | "already_imported"
  | "external_id_taken"
  | "key_taken"
  | "keys_used_up"
  | "repeat_differs"
  | "quota_used_up"
  | "first_links_used_up"
  | "plan_limit"
  | "jobs_waiting"
  | "key_invalid"
  | "domain_unknown"
  | "url_loops"
  | "destination_refused"
  | "tag_unknown"
  | "folder_unknown"
  | "folder_forbidden"
  | "root_link"
  | "url_missing"
  | "dates_crossed"
  | "tags_too_many"
  | "frame_forbidden"
  | "changed_meanwhile"
  | "logo_unknown"
  | "form_unknown"
  | "webhook_unknown";

export interface LinkFailure {
  ok: false;
  code: LinkFailureCode;
  message: string;
  /** Values of the message that the body does not contain. */
  details?: Readonly<Record<string, string | number>>;
}

export function linkFailure(
  code: LinkFailureCode,
  message: string,
  details?: LinkFailure["details"],
): LinkFailure {
  return { ok: false, code, message, ...(details ? { details } : {}) };
}
