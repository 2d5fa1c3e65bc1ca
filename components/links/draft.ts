/**
 * A link while somebody writes it: everything as text, as the fields show it, and which parts of the form are open. A
 * part that is closed says nothing of a new link, and clears what it has of one that exists.
 */
import type { Link } from "#lib/links/fields/schema";

export const parts = ["utm", "password", "schedule", "rules", "test", "card", "more"] as const;
export type Part = (typeof parts)[number];

export interface RuleDraft {
  /** Tells rules apart while their order changes. */
  id: number;
  device: string[];
  os: string[];
  browser: string[];
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
  open: Part[];
  url: string;
  domain: string;
  key: string;
  title: string;
  comments: string;
  folderId: string;
  tagIds: string[];
  archived: boolean;
  password: string;
  startsAt: string;
  expiresAt: string;
  expiredUrl: string;
  maxClicks: string;
  rules: RuleDraft[];
  ios: string;
  android: string;
  geo: PairDraft[];
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
  publicStats: boolean;
  forwardQuery: boolean;
  forwardPath: boolean;
  disabled: boolean;
  reuse: boolean;
}

export function emptyDraft(host: string): LinkDraft {
  return {
    open: [],
    url: "",
    domain: host,
    key: "",
    title: "",
    comments: "",
    folderId: "",
    tagIds: [],
    archived: false,
    password: "",
    startsAt: "",
    expiresAt: "",
    expiredUrl: "",
    maxClicks: "",
    rules: [],
    ios: "",
    android: "",
    geo: [],
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
    publicStats: false,
    forwardQuery: false,
    forwardPath: false,
    disabled: false,
    reuse: false,
  };
}

/** The link as its form shows it. */
export function draftOf(link: Link): LinkDraft {
  const text = (value: string | null | undefined) => value ?? "";
  const draft: LinkDraft = {
    ...emptyDraft(link.domain),
    url: link.url,
    key: link.key,
    title: text(link.title),
    comments: text(link.comments),
    folderId: text(link.folderId),
    tagIds: link.tags.map(({ id }) => id),
    archived: link.archived,
    startsAt: localTime(link.startsAt),
    expiresAt: localTime(link.expiresAt),
    expiredUrl: text(link.expiredUrl),
    maxClicks: link.maxClicks === undefined ? "" : String(link.maxClicks),
    rules: (link.rules ?? []).map(ruleDraftOf),
    ios: text(link.ios),
    android: text(link.android),
    geo: Object.entries(link.geo ?? {}).map(([name, url], id) => ({ id, name, url })),
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
    publicStats: link.publicStats,
    forwardQuery: link.forwardQuery ?? false,
    forwardPath: link.forwardPath ?? false,
    disabled: link.disabledAt !== null,
  };
  return { ...draft, open: openParts(link, draft) };
}

function openParts(link: Link, draft: LinkDraft): Part[] {
  const { startsAt, expiresAt, expiredUrl, maxClicks, rules, ios, android, geo } = draft;
  const { rewrite, doIndex, publicStats, forwardQuery, forwardPath, disabled } = draft;
  const used: Record<Part, boolean> = {
    utm: /[?&]utm_/.test(link.url),
    password: link.password !== null,
    schedule: [startsAt, expiresAt, expiredUrl, maxClicks].some(Boolean),
    rules: rules.length + geo.length > 0 || [ios, android].some(Boolean),
    test: draft.variants.length > 0,
    card: link.proxy,
    more:
      draft.redirectStatus !== "302" ||
      [draft.externalId, draft.tenantId].some(Boolean) ||
      [rewrite, doIndex, publicStats, forwardQuery, forwardPath, disabled].some(Boolean),
  };
  return parts.filter((part) => used[part]);
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
    language: [],
    country: [],
    region: [],
    city: [],
    time: null,
    url: "",
  };
}

/** An id that none of them has. */
export function nextId(list: readonly { id: number }[]): number {
  return Math.max(-1, ...list.map(({ id }) => id)) + 1;
}

/** What the form says of a new link. */
export function newBodyOf(draft: LinkDraft): Record<string, unknown> {
  const { domain, key, prefix, keyLength, reuse } = draft;
  const more = isOpen(draft, "more") && key === "";
  const body = {
    ...bodyOf(draft),
    domain,
    key,
    prefix: more ? prefix : "",
    keyLength: more ? numberOf(keyLength) : null,
    reuse: isOpen(draft, "more") && reuse ? true : null,
  };
  // Whoever looked at the end of a link and left it empty wants none.
  const endless = isOpen(draft, "schedule") && draft.expiresAt === "" ? { expiresAt: null } : {};
  // What is not said of a new link is left out, so that the defaults of its workspace apply.
  const said = Object.entries(body).filter(([, value]) => isSaid(value));
  return { ...Object.fromEntries(said), ...endless };
}

function isSaid(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0
    : value !== null && value !== "" && value !== false;
}

/** What the form says of a link that exists. A password that was not typed anew stays. */
export function editBodyOf(draft: LinkDraft, link: Link): Record<string, unknown> {
  const { password, ...body } = bodyOf(draft);
  const stays = isOpen(draft, "password") && draft.password === "" && link.password !== null;
  const before = draftOf(link);
  // Fields show minutes: a moment that nobody touched keeps its seconds.
  const kept = moments.filter((name) => body[name] !== null && draft[name] === before[name]);
  const moment = Object.fromEntries(kept.map((name) => [name, link[name]]));
  return { ...body, ...moment, key: draft.key, ...(stays ? {} : { password }) };
}

const moments = ["startsAt", "expiresAt", "testStartedAt", "testCompletedAt"] as const;

function isOpen({ open }: LinkDraft, part: Part): boolean {
  return open.includes(part);
}

function bodyOf(draft: LinkDraft): Record<string, unknown> {
  const { url, title, comments, folderId, tagIds, archived } = draft;
  const [password, schedule, card, more] = (["password", "schedule", "card", "more"] as const).map(
    (part) => isOpen(draft, part),
  );
  const when = (open: boolean | undefined, value: string) => (open && value !== "" ? value : null);
  const flag = (value: boolean) => more === true && value;
  return {
    url,
    title: when(true, title),
    comments: when(true, comments),
    folderId: when(true, folderId),
    tagIds,
    archived,
    password: when(password, draft.password),
    startsAt: instantOf(when(schedule, draft.startsAt)),
    expiresAt: instantOf(when(schedule, draft.expiresAt)),
    expiredUrl: when(schedule, draft.expiredUrl),
    maxClicks: schedule ? numberOf(draft.maxClicks) : null,
    ...choicesOf(draft),
    proxy: card,
    ...(card
      ? {
          description: when(card, draft.description),
          image: when(card, draft.image),
          video: when(card, draft.video),
        }
      : {}),
    externalId: when(more, draft.externalId),
    tenantId: when(more, draft.tenantId),
    redirectStatus: more && draft.redirectStatus !== "302" ? Number(draft.redirectStatus) : null,
    rewrite: flag(draft.rewrite),
    doIndex: flag(draft.doIndex),
    publicStats: flag(draft.publicStats),
    forwardQuery: flag(draft.forwardQuery),
    forwardPath: flag(draft.forwardPath),
    disabled: flag(draft.disabled),
  };
}

/** The fields of a link that choose between destinations. */
export function choicesOf(draft: LinkDraft): Record<string, unknown> {
  const rules = isOpen(draft, "rules");
  const test = isOpen(draft, "test");
  const { geo, variants } = draft;
  const none = null;
  return {
    rules: rules && draft.rules.length > 0 ? draft.rules.map(ruleOf) : none,
    ios: (rules && draft.ios) || none,
    android: (rules && draft.android) || none,
    geo:
      rules && geo.length > 0 ? Object.fromEntries(geo.map(({ name, url }) => [name, url])) : none,
    testVariants:
      test && variants.length > 0
        ? variants.map(({ name, url }) => ({ url, percentage: numberOf(name) }))
        : none,
    testStartedAt: test ? instantOf(draft.testStartedAt) : none,
    testCompletedAt: test ? instantOf(draft.testCompletedAt) : none,
  };
}

function ruleOf({ id: _id, time, url, ...conditions }: RuleDraft): Record<string, unknown> {
  const given = Object.entries(conditions).filter(([, values]) => values.length > 0);
  const days = (time?.days ?? []).map(Number).sort((a, b) => a - b);
  return {
    ...Object.fromEntries(given),
    ...(time ? { time: { ...time, days: days.length > 0 ? days : undefined } } : {}),
    url,
  };
}

/** What is no number stays text, so that it is refused instead of left out. */
function numberOf(text: string): number | string | null {
  if (text.trim() === "") return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

/** `2026-01-31T12:00` in the zone of this browser, as a field of a form has it. */
function localTime(instant: string | null | undefined): string {
  if (!instant) return "";
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function instantOf(local: string | null): string | null {
  if (!local) return null;
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? local : at.toISOString();
}
