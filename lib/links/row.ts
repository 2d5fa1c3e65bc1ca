/** A link as a row, and as the Link that people read. */

import { config } from "#lib/config";
import { shortUrl } from "#lib/domains";
import { presentId } from "#lib/ids";
import type { Link } from "./schema.ts";

export interface Tag {
  id: string;
  name: string;
  color: string;
}

/** Every column that can differ from its default when a link is made. */
export interface LinkRow {
  pk: number;
  id: string;
  revision: number;
  workspace_pk: number;
  domain_pk: number;
  user_pk: number | null;
  api_key_pk: number | null;
  key: string;
  url: string;
  alias: boolean;
  created_at: Date;
  updated_at: Date;
  redirect_status: number;
  archived: boolean;
  track_conversion: boolean;
  do_index: boolean;
  public_stats: boolean;
  external_id: string | null;
  tenant_id: string | null;
  comments: string | null;
  title: string | null;
  description: string | null;
  starts_at: Date | null;
  expires_at: Date | null;
  expired_url: string | null;
  disabled_at: Date | null;
  banned_at: Date | null;
}

/** A link on its way into the database. */
export interface Draft {
  row: LinkRow;
  tagPks: number[];
  /** Text under which people find the link; undefined: found by exact key, url or externalId only. */
  search: string | undefined;
  /** Put into Redis ahead of the first visit. */
  prefill: boolean;
}

/** What a row does not say by itself. */
export interface LinkContext {
  slug: string;
  workspaceId: string;
  userId: string | null;
  tags: Tag[];
  clicks: number;
  lastClickAt: Date | null;
}

function iso(moment: Date | null): string | null {
  return moment === null ? null : moment.toISOString();
}

const utmNames = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

type Utm = Record<(typeof utmNames)[number], string | null>;

const noUtm: Utm = {
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
};

function utmOf(url: string): Utm {
  if (!url.includes("utm_")) return noUtm;
  const query = new URL(url).searchParams;
  const found = { ...noUtm };
  for (const name of utmNames) found[name] = query.get(name);
  return found;
}

export function presentLink(row: LinkRow, context: LinkContext): Link {
  const shortLink = shortUrl(context.slug, row.key);
  return {
    id: presentId("link", row.id),
    domain: context.slug,
    key: row.key,
    url: row.url,
    shortLink,
    qrCode: `${config().FUXI_URL}/api/qr?url=${encodeURIComponent(`${shortLink}?qr=1`)}`,
    externalId: row.external_id,
    tenantId: row.tenant_id,
    programId: null,
    partnerId: null,
    trackConversion: row.track_conversion,
    archived: row.archived,
    expiresAt: iso(row.expires_at),
    expiredUrl: row.expired_url,
    disabledAt: iso(row.disabled_at),
    password: null,
    proxy: false,
    title: row.title,
    description: row.description,
    image: null,
    video: null,
    rewrite: false,
    doIndex: row.do_index,
    ios: null,
    android: null,
    geo: null,
    publicStats: row.public_stats,
    tags: context.tags,
    folderId: null,
    comments: row.comments,
    ...utmOf(row.url),
    testVariants: null,
    testStartedAt: null,
    testCompletedAt: null,
    userId: context.userId,
    workspaceId: context.workspaceId,
    clicks: context.clicks,
    leads: 0,
    conversions: 0,
    sales: 0,
    saleAmount: 0,
    lastClicked: iso(context.lastClickAt),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    tagId: context.tags[0]?.id ?? null,
    projectId: context.workspaceId,
    webhookIds: [],
    identifier: null,
    linkRetentionCleanupDisabledAt: null,
    ...(row.starts_at ? { startsAt: row.starts_at.toISOString() } : {}),
    ...(row.redirect_status ? { redirectStatus: row.redirect_status } : {}),
  };
}
