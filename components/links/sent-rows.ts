/** Rows of a list as a page carries them: without the fields that most links leave empty. */
import type { Link } from "#lib/links/fields/schema";
import type { Creator } from "./link-parts.tsx";

const emptyFields = {
  externalId: null,
  tenantId: null,
  programId: null,
  partnerId: null,
  trackConversion: false,
  archived: false,
  expiresAt: null,
  expiredUrl: null,
  disabledAt: null,
  password: null,
  proxy: false,
  title: null,
  description: null,
  image: null,
  video: null,
  rewrite: false,
  doIndex: false,
  ios: null,
  android: null,
  geo: null,
  publicStats: false,
  folderId: null,
  comments: null,
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
  testVariants: null,
  testStartedAt: null,
  testCompletedAt: null,
  userId: null,
  leads: 0,
  conversions: 0,
  sales: 0,
  saleAmount: 0,
  identifier: null,
  linkRetentionCleanupDisabledAt: null,
} satisfies Partial<Link>;

type SentLink = Omit<Link, keyof typeof emptyFields> & Partial<Link>;

/** Rows of a list, with what is shown beside each link. */
export interface ListRows<L = Link> {
  links: readonly L[];
  /** Clicks of the last days of each link; null: none. */
  daily: readonly (readonly number[] | null)[];
  creators: ReadonlyMap<string, Creator>;
}

export type SentRows = ListRows<SentLink>;

export function withoutEmptyFields(links: readonly Link[]): SentLink[] {
  const empty = new Map<string, unknown>(Object.entries(emptyFields));
  return links.map((link) => {
    const kept = Object.entries(link).filter(
      ([name, value]) => !empty.has(name) || empty.get(name) !== value,
    );
    return asSent(Object.fromEntries(kept));
  });
}

/** Sound because only fields of `emptyFields` were left out of a link. */
function asSent(fields: object): SentLink {
  return fields as SentLink;
}

export function withEmptyFields(rows: SentRows): ListRows {
  return { ...rows, links: rows.links.map((link) => ({ ...emptyFields, ...link })) };
}
