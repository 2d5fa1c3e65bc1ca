/**
 * The state of the link form: everything as text, and which parts of the form are open. A closed part adds nothing to a
 * new link, and clears its fields of an existing one.
 */
import type { Link } from "#lib/links/fields/schema";
import type { InsideApps } from "#lib/links/link-cache/schema";
import { variantsAfter } from "#lib/links/utm/schema";
import { localIn } from "#lib/platform/zones/schema";

export const parts = ["utm", "password", "schedule", "rules", "test", "card", "more"] as const;
export type FormPart = (typeof parts)[number];

export interface RuleDraft {
  /** Identifies rules while their order changes. */
  id: number;
  device: string[];
  os: string[];
  browser: string[];
  app: string[];
  language: string[];
  country: string[];
  region: string[];
  city: string[];
  time: TimeDraft | null;
  url: string;
}

export interface TimeDraft {
  zone: string;
  /** 1 Monday to 7 Sunday; none: every day. */
  days: string[];
  from: string;
  until: string;
}

export interface PairDraft {
  id: number;
  /** A country, or the percentage of a variant. */
  name: string;
  url: string;
}

export interface LinkDraft {
  open: FormPart[];
  /** The zone of all times: that of the workspace. */
  zone: string;
  url: string;
  domain: string;
  key: string;
  title: string;
  comments: string;
  folderId: string;
  tagIds: string[];
  /** Empty: none. */
  formId: string;
  webhookIds: string[];
  archived: boolean;
  password: string;
  startsAt: string;
  expiresAt: string;
  /** Empty: as the workspace. */
  retirement: "" | "never" | "date";
  retiresAt: string;
  expiredUrl: string;
  maxClicks: string;
  rules: RuleDraft[];
  ios: string;
  android: string;
  geo: PairDraft[];
  /** Empty: the destination. */
  insideApps: "" | InsideApps["open"];
  canContinue: boolean;
  miniProgramId: string;
  miniProgramPath: string;
  miniProgramQuery: string;
  variants: PairDraft[];
  testStartedAt: string;
  testCompletedAt: string;
  description: string;
  image: string;
  video: string;
  externalId: string;
  tenantId: string;
  prefix: string;
  keyLength: string;
  redirectStatus: string;
  rewrite: boolean;
  doIndex: boolean;
  trackConversion: boolean;
  publicStats: boolean;
  /** Empty: as the workspace. */
  forwardQuery: "" | "on" | "off";
  forwardPath: boolean;
  disabled: boolean;
  reuse: boolean;
}

export function emptyDraft(host: string, zone: string): LinkDraft {
  return {
    open: [],
    zone,
    url: "",
    domain: host,
    key: "",
    title: "",
    comments: "",
    folderId: "",
    tagIds: [],
    formId: "",
    webhookIds: [],
    archived: false,
    password: "",
    startsAt: "",
    expiresAt: "",
    retirement: "",
    retiresAt: "",
    expiredUrl: "",
    maxClicks: "",
    rules: [],
    ios: "",
    android: "",
    geo: [],
    insideApps: "",
    canContinue: true,
    miniProgramId: "",
    miniProgramPath: "",
    miniProgramQuery: "",
    variants: [],
    testStartedAt: "",
    testCompletedAt: "",
    description: "",
    image: "",
    video: "",
    externalId: "",
    tenantId: "",
    prefix: "",
    keyLength: "",
    redirectStatus: "302",
    rewrite: false,
    doIndex: false,
    trackConversion: false,
    publicStats: false,
    forwardQuery: "",
    forwardPath: false,
    disabled: false,
    reuse: false,
  };
}

/** The link in the form's state. */
export function draftOf(link: Link, zone: string): LinkDraft {
  const localTime = (instant: string | null | undefined) => localIn(zone, instant);
  const text = (value: string | null | undefined) => value ?? "";
  const draft: LinkDraft = {
    ...emptyDraft(link.domain, zone),
    url: link.url,
    key: link.key,
    title: text(link.title),
    comments: text(link.comments),
    folderId: text(link.folderId),
    tagIds: link.tags.map(({ id }) => id),
    formId: text(link.formId),
    webhookIds: link.webhookIds,
    archived: link.archived,
    startsAt: localTime(link.startsAt),
    expiresAt: localTime(link.expiresAt),
    retirement: link.retiresAt === undefined ? "" : link.retiresAt ? "date" : "never",
    retiresAt: localTime(link.retiresAt),
    expiredUrl: text(link.expiredUrl),
    maxClicks: link.maxClicks === undefined ? "" : String(link.maxClicks),
    rules: (link.rules ?? []).map(ruleDraftOf),
    ios: text(link.ios),
    android: text(link.android),
    geo: Object.entries(link.geo ?? {}).map(([name, url], id) => ({ id, name, url })),
    ...insideAppsDraftOf(link.insideApps),
    variants: (link.testVariants ?? []).map(({ url, percentage }, id) => ({
      id,
      name: String(percentage),
      url,
    })),
    testStartedAt: localTime(link.testStartedAt),
    testCompletedAt: localTime(link.testCompletedAt),
    description: text(link.description),
    image: text(link.image),
    video: text(link.video),
    externalId: text(link.externalId),
    tenantId: text(link.tenantId),
    redirectStatus: String(link.redirectStatus ?? 302),
    rewrite: link.rewrite,
    doIndex: link.doIndex,
    trackConversion: link.trackConversion,
    publicStats: link.publicStats,
    forwardQuery: link.forwardQuery === undefined ? "" : link.forwardQuery ? "on" : "off",
    forwardPath: link.forwardPath ?? false,
    disabled: link.disabledAt !== null,
  };
  return { ...draft, open: openParts(link, draft) };
}

/** The draft after changes of some fields. The variants of an A/B test follow the destination. */
export function applyChanges(draft: LinkDraft, changes: Partial<LinkDraft>): LinkDraft {
  const next = { ...draft, ...changes };
  if (changes.variants || next.url === draft.url) return next;
  return { ...next, variants: variantsAfter(next.variants, draft.url, next.url) };
}

/** Whether this variant is the destination itself, which is edited in its own field. */
export function isDestination(draft: LinkDraft, at: number): boolean {
  return at === 0 && draft.variants[0]?.url === draft.url;
}

function openParts(link: Link, draft: LinkDraft): FormPart[] {
  const { startsAt, expiresAt, retirement, expiredUrl, maxClicks, rules, ios, android, geo } =
    draft;
  const { rewrite, doIndex, trackConversion, publicStats, disabled } = draft;
  const { forwardQuery, forwardPath } = draft;
  const flags = [
    rewrite,
    doIndex,
    trackConversion,
    publicStats,
    forwardQuery,
    forwardPath,
    disabled,
  ];
  const used: Record<FormPart, boolean> = {
    utm: /[?&]utm_/.test(link.url),
    password: link.password !== null,
    schedule: [startsAt, expiresAt, retirement, expiredUrl, maxClicks].some(Boolean),
    rules: rules.length + geo.length > 0 || [ios, android, draft.insideApps].some(Boolean),
    test: draft.variants.length > 0,
    card: link.proxy,
    more:
      draft.redirectStatus !== "302" ||
      draft.formId !== "" ||
      draft.webhookIds.length > 0 ||
      [draft.externalId, draft.tenantId].some(Boolean) ||
      flags.some(Boolean),
  };
  return parts.filter((part) => used[part]);
}

function insideAppsDraftOf(value: InsideApps | undefined) {
  return {
    insideApps: value?.open ?? "",
    canContinue: value?.canContinue ?? true,
    miniProgramId: value?.appId ?? "",
    miniProgramPath: value?.path ?? "",
    miniProgramQuery: value?.query ?? "",
  } as const;
}

type Rule = NonNullable<Link["rules"]>[number];

function ruleDraftOf({ time, url, ...conditions }: Rule, id: number): RuleDraft {
  return {
    ...emptyRule(id),
    ...Object.fromEntries(Object.entries(conditions).filter(([, values]) => values)),
    time: time
      ? { zone: time.zone, days: (time.days ?? []).map(String), from: time.from, until: time.until }
      : null,
    url,
  };
}

export function emptyRule(id: number): RuleDraft {
  return {
    id,
    device: [],
    os: [],
    browser: [],
    app: [],
    language: [],
    country: [],
    region: [],
    city: [],
    time: null,
    url: "",
  };
}

/** An unused id. */
export function nextId(list: readonly { id: number }[]): number {
  return Math.max(-1, ...list.map(({ id }) => id)) + 1;
}
