/**
 * The state of the link form: every field as text, and which parts of the form are open. A closed part adds nothing to a new
 * link, and clears its fields in an existing one.
 */

import { localIn } from "#lib/basics/time/schema";
import type { Link } from "#lib/links/fields/schema";
import type { InsideApps } from "#lib/links/link-cache/schema";
import {
  type FormField,
  type FormFlag,
  type FormPart,
  formFields,
  formParts,
} from "#lib/links/link-columns/schema";
import { variantsAfter } from "#lib/links/utm/schema";

export { type FormPart, formParts as parts } from "#lib/links/link-columns/schema";

export interface RuleDraft {
  /** Identifies a rule while the order changes. */
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
  /** From 1 (Monday) to 7 (Sunday). An empty list means every day. */
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

interface OwnDraft {
  open: FormPart[];
  zone: string;
  url: string;
  domain: string;
  key: string;
  tagIds: string[];
  webhookIds: string[];
  password: string;
  retirement: "" | "never" | "date";
  retiresAt: string;
  rules: RuleDraft[];
  geo: PairDraft[];
  insideApps: "" | InsideApps["open"];
  canContinue: boolean;
  miniProgramId: string;
  miniProgramPath: string;
  miniProgramQuery: string;
  variants: PairDraft[];
  prefix: string;
  keyLength: string;
  redirectStatus: string;
  forwardQuery: "" | "on" | "off";
  disabled: boolean;
  reuse: boolean;
}

type PlainDraft = Record<Exclude<FormField, FormFlag>, string> & Record<FormFlag, boolean>;
export type LinkDraft = OwnDraft & PlainDraft;

/** Sound because flags are booleans, and all other kinds are texts. */
function plainDraft(read: (field: (typeof formFields)[number]) => string | boolean): PlainDraft {
  const values = formFields.map((field) => [field.name, read(field)]);
  return Object.fromEntries(values) as PlainDraft;
}

export function emptyDraft(host: string, zone: string): LinkDraft {
  return {
    ...plainDraft(({ kind }) => (kind === "flag" ? false : "")),
    open: [],
    zone,
    url: "",
    domain: host,
    key: "",
    tagIds: [],
    webhookIds: [],
    password: "",
    retirement: "",
    retiresAt: "",
    rules: [],
    geo: [],
    insideApps: "",
    canContinue: true,
    miniProgramId: "",
    miniProgramPath: "",
    miniProgramQuery: "",
    variants: [],
    prefix: "",
    keyLength: "",
    redirectStatus: "302",
    forwardQuery: "",
    disabled: false,
    reuse: false,
  };
}

export function draftOf(link: Link, zone: string): LinkDraft {
  const draft: LinkDraft = {
    ...emptyDraft(link.domain, zone),
    ...plainDraft(({ name, kind }) => {
      const value = link[name] ?? null;
      if (kind === "flag") return value === true;
      return kind === "moment" ? localIn(zone, textOf(value)) : textOf(value);
    }),
    url: link.url,
    key: link.key,
    tagIds: link.tags.map(({ id }) => id),
    webhookIds: link.webhookIds,
    retirement: link.retiresAt === undefined ? "" : link.retiresAt ? "date" : "never",
    retiresAt: localIn(zone, link.retiresAt),
    rules: (link.rules ?? []).map(ruleDraftOf),
    geo: Object.entries(link.geo ?? {}).map(([name, url], id) => ({ id, name, url })),
    ...insideAppsDraftOf(link.insideApps),
    variants: (link.testVariants ?? []).map(({ url, percentage }, id) => ({
      id,
      name: String(percentage),
      url,
    })),
    redirectStatus: String(link.redirectStatus ?? 302),
    forwardQuery: link.forwardQuery === undefined ? "" : link.forwardQuery ? "on" : "off",
    disabled: link.disabledAt !== null,
  };
  return { ...draft, open: openParts(link, draft) };
}

function textOf(value: string | number | boolean | null): string {
  return value === null ? "" : String(value);
}

/** Applies changes to the draft. The variants of an A/B test follow the destination. */
export function applyChanges(draft: LinkDraft, changes: Partial<LinkDraft>): LinkDraft {
  const next = { ...draft, ...changes };
  if (changes.variants || next.url === draft.url) return next;
  return { ...next, variants: variantsAfter(next.variants, draft.url, next.url) };
}

/** Whether this variant is the destination, which has a field of its own. */
export function isDestination(draft: LinkDraft, at: number): boolean {
  return at === 0 && draft.variants[0]?.url === draft.url;
}

function openParts(link: Link, draft: LinkDraft): FormPart[] {
  const isUsed = (part: FormPart) =>
    formFields.some(({ name, form }) => form === part && draft[name]);
  const used: Record<FormPart, boolean> = {
    utm: /[?&]utm_/.test(link.url),
    password: link.password !== null,
    schedule: isUsed("schedule") || draft.retirement !== "",
    rules: isUsed("rules") || draft.rules.length + draft.geo.length > 0 || draft.insideApps !== "",
    test: draft.variants.length > 0,
    card: link.proxy,
    more:
      isUsed("more") || draft.webhookIds.length > 0 || draft.forwardQuery !== "" || draft.disabled,
    developer: isUsed("developer") || draft.redirectStatus !== "302",
  };
  return formParts.filter((part) => used[part]);
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

export function nextId(list: readonly { id: number }[]): number {
  return Math.max(-1, ...list.map(({ id }) => id)) + 1;
}
