import { presentId } from "#lib/basics/ids";
import { type Link, type LinkBrief, passwordMask } from "#lib/links/fields/schema";
import { shortUrl } from "#lib/links/hosts";
import {
  type FieldsWith,
  type NamedField,
  type OwnName,
  ownFieldList,
} from "#lib/links/link-columns/schema";
import { dueDate, type LinkRow } from "#lib/links/link-rows";
import { presentDesign, signDesign } from "#lib/links/qr-design";
import type { Tag } from "#lib/links/tags/schema";
import { utmOf } from "#lib/links/utm";
import { config } from "#lib/platform/config";
import type { RetirementRules } from "#lib/tenancy/plans";

export interface LinkContext {
  slug: string;
  workspaceId: string;
  userId: string | null;
  folderId: string | null;
  tags: Tag[];
  clicks: number;
  scans: number;
  retirement: RetirementRules;
  lastClickAt: Date | null;
  converted?: ConversionCounts;
}

interface ConversionCounts {
  leads: number;
  conversions: number;
  sales: number;
  saleAmount: number;
}

const nothing: ConversionCounts = { leads: 0, conversions: 0, sales: 0, saleAmount: 0 };

function iso(moment: Date | null): string | null {
  return moment === null ? null : moment.toISOString();
}

export function presentLink(row: LinkRow, context: LinkContext): Link {
  const shortLink = shortUrl(context.slug, row.key);
  return {
    id: presentId("link", row.id),
    domain: context.slug,
    key: row.key,
    url: row.url,
    shortLink,
    qrCode: qrCodeUrl(shortLink, row),
    externalId: row.external_id,
    tenantId: row.tenant_id,
    programId: null,
    partnerId: null,
    trackConversion: row.track_conversion,
    archived: row.archived,
    expiresAt: iso(row.expires_at),
    expiredUrl: row.expired_url,
    disabledAt: iso(row.disabled_at),
    password: row.password_hash === null ? null : passwordMask,
    proxy: row.proxy,
    title: row.title,
    description: row.description,
    image: row.image,
    video: row.video,
    rewrite: row.rewrite,
    doIndex: row.do_index,
    ios: row.ios,
    android: row.android,
    geo: row.geo,
    publicStats: row.public_stats,
    tags: context.tags,
    folderId: context.folderId,
    comments: row.comments,
    ...utmOf(row.url),
    testVariants: row.test_variants,
    testStartedAt: iso(row.test_started_at),
    testCompletedAt: iso(row.test_completed_at),
    userId: context.userId,
    workspaceId: context.workspaceId,
    clicks: context.clicks,
    ...(context.converted ?? nothing),
    lastClicked: iso(context.lastClickAt),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    tagId: context.tags[0]?.id ?? null,
    projectId: context.workspaceId,
    webhookIds: row.webhook_ids,
    identifier: null,
    linkRetentionCleanupDisabledAt: null,
    ...ownFields(row, context),
  };
}

/** Keeps the URL readable, unless the key has characters of a query. Only readers of a link get signatures. */
function qrCodeUrl(shortLink: string, { id, qr }: LinkRow): string {
  const url = `${shortLink}?qr=1`;
  const signed = qr ? `&design=${signDesign(presentId("link", id), url)}` : "";
  const address = /[%&+#]/.test(url) ? encodeURIComponent(url) : url;
  return `${config().FUXI_URL}/api/qr?url=${address}${signed}`;
}

type OwnValue = (row: LinkRow, context: LinkContext) => unknown;
/** Fields without a column, or with a secret one, need an entry in `ownValues`. */
type SpecialName =
  | Exclude<OwnName, FieldsWith<{ column: string }>>
  | Extract<OwnName, FieldsWith<{ sealed: true }>>;

/** Values that differ from the column. Undefined: not set. */
const ownValues: Partial<Record<OwnName, OwnValue>> & Record<SpecialName, OwnValue> = {
  retiresAt: (row) => (row.retires_own ? iso(row.retires_at) : undefined),
  retirementDue: (row, context) => iso(dueDate(row, context, context.retirement)),
  qr: (row) => (row.qr ? presentDesign(row.qr) : undefined),
};

const ownReaders = ownFieldList.map((field) => [field.name, readerOf(field)] as const);

function readerOf({ name, column, usual }: NamedField): OwnValue {
  const special = new Map<string, OwnValue>(Object.entries(ownValues)).get(name);
  if (special || !column) return special ?? (() => undefined);
  return (row) => {
    const value = row[column];
    if (value === usual) return undefined;
    return value instanceof Date ? value.toISOString() : value;
  };
}

type OwnFields = Partial<Link> & Pick<Link, "retirementDue">;

/**
 * Strict clients accept no fields that are not set. Sound because each reader returns its field.
 */
function ownFields(row: LinkRow, context: LinkContext): OwnFields {
  const own: Record<string, unknown> = {};
  for (const [name, read] of ownReaders) {
    const value = read(row, context);
    if (value !== undefined) own[name] = value;
  }
  return own as OwnFields;
}

export function presentBriefly(row: LinkRow, { slug }: LinkContext): LinkBrief {
  return { id: presentId("link", row.id), key: row.key, shortLink: shortUrl(slug, row.key) };
}
