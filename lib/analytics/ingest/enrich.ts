/** Enriches a click in ordered steps: `put` adds fields, `drop` says why it is not stored. */
import { hash, randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type ClickColumn, clickColumns } from "#lib/analytics/dimensions/schema";
import { slotOf } from "#lib/analytics/time-slots";
import { atMost } from "#lib/basics/bounds";
import { dayMs } from "#lib/basics/time/schema";
import { parseUrl } from "#lib/basics/urls/schema";
import {
  type BotKind,
  isDataCenter,
  parseAgent,
  parseLanguage,
  placeOf,
  withCountry,
} from "#lib/platform/request-info";
import { appLabel } from "#lib/platform/request-info/schema";
import { type ClickEvent, countryIn, flag, idsIn } from "#lib/redirect/clicks";
import type { IsOwnAddress } from "#lib/tenancy/own-networks";
import { clean, textMax, urlMax } from "./text.ts";

export interface Click extends Record<ClickColumn, string | null> {
  event: ClickEvent;
  id: string;
  slot: number;
  botKind: BotKind | null;
  qr: boolean;
  visitor: number | null;
}

interface EnrichContext {
  now: number;
  /** The salt of the click’s day in hexadecimal; undefined once it is erased. */
  salt: string | undefined;
  destination: Destination | undefined;
  isOwnAddress: IsOwnAddress;
}

export interface Destination {
  url: string;
  utm: ClickUtm | undefined;
}

type DropReason = "prefetch" | "out_of_time";

/** Groups are remembered for 8 days, so repetitions of later clicks would not be recognized. */
const ageMaxMs = 7 * dayMs;
/** If a clock is ahead by less, its clicks keep their time. */
const aheadMaxMs = 3_600_000;

type Step = (click: Click, context: EnrichContext) => DropReason | undefined;

const dropPrefetch: Step = ({ event }) =>
  event.flags.includes(flag.prefetch) ? "prefetch" : undefined;

/** Replaces a moment too far in the future with `now`, because its day may have no partition. */
export function momentOf(at: number, now: number): number {
  return at > now + aheadMaxMs ? now : at;
}

export function isInTime(at: number, now: number): boolean {
  return at >= now - ageMaxMs && at <= now + aheadMaxMs;
}

const dropOutOfTime: Step = ({ event }, { now }) =>
  isInTime(event.at, now) ? undefined : "out_of_time";

const putTrigger: Step = (click) => {
  click.qr = click.event.flags.includes(flag.scan);
  return undefined;
};

const putAgent: Step = (click, { isOwnAddress }) => {
  const { botKind, device, browser, os, app } = parseAgent(click.event.userAgent);
  const { flags, address, workspacePk } = click.event;
  // Apps report clicks with user agents that look like those of bots.
  const isOpen = flags.includes(flag.open);
  if (!isOpen) click.botKind = botKind ?? botKindOfVisit(flags, address);
  const isOwn = flags.includes(flag.own) || isOwnAddress(workspacePk, address);
  if (isOwn) click.botKind ??= "own";
  click.device = device;
  // For an in-app browser, the name of the app says more than its engine. An unknown browser keeps the name that it sends.
  click.browser = app ? appLabel(app, "en") : clean(browser, textMax);
  click.os = clean(os, textMax);
  return undefined;
};

function botKindOfVisit(flags: string, address: string): BotKind | null {
  if (flags.includes(flag.head)) return "head";
  return isDataCenter(address) ? "data_center" : null;
}

const putPlace: Step = (click) => {
  const { flags, address } = click.event;
  const { continent, country, region, city } = withCountry(placeOf(address), countryIn(flags));
  click.continent = continent;
  click.country = country;
  click.region = region;
  click.city = city;
  return undefined;
};

const putLanguage: Step = (click) => {
  click.language = parseLanguage(click.event.language);
  return undefined;
};

const putReferer: Step = (click) => {
  const { host, url } = readReferer(click.event.referer);
  click.referer = host;
  click.referer_url = url;
  return undefined;
};

const putUrl: Step = (click, { destination }) => {
  click.url = clean(click.event.url || destination?.url, urlMax);
  return undefined;
};

/** Parameters of the visit take precedence over those of the destination. */
const putUtm: Step = (click, { destination }) => {
  const { query, url } = click.event;
  const chosen = url === "" ? destination?.utm : readUtm(queryOf(url));
  const visited = readUtm(query);
  Object.assign(click, chosen, visited);
  return undefined;
};

/** A hash that changes every day, differs per workspace, and cannot be reversed. */
const putVisitor: Step = (click, { salt }) => {
  const { address, userAgent, workspacePk } = click.event;
  if (salt === undefined || address === "") return undefined;
  // The salt comes first and has a fixed length; a MAC costs three times as much and is not safer.
  const text = `${salt}${workspacePk}\n${address}\n${userAgent}`;
  const bytes = hash("sha256", text, "buffer");
  // 53 bits, so that JavaScript and PostgreSQL read the same number. With a million visitors a day,
  // a collision takes decades.
  click.visitor = bytes.readUIntBE(0, 6) * 32 + (bytes.readUInt8(6) >> 3);
  return undefined;
};

const steps: Step[] = [
  dropPrefetch,
  dropOutOfTime,
  putTrigger,
  putAgent,
  putPlace,
  putLanguage,
  putReferer,
  putUrl,
  putUtm,
  putVisitor,
];

type Enriched = { click: Click } | { dropped: DropReason };

/** Sound because it has every column. */
const noAttributes = Object.fromEntries(clickColumns.map((name) => [name, null])) as Record<
  ClickColumn,
  null
>;

export function unknownClick(event: ClickEvent, id: string): Click {
  return {
    event,
    id,
    slot: slotOf(event.at),
    botKind: null,
    qr: false,
    visitor: null,
    ...noAttributes,
  };
}

export function enrich(event: ClickEvent, context: EnrichContext): Enriched {
  const click = unknownClick(event, idsIn(event.flags).click ?? randomUUID());
  for (const step of steps) {
    const dropped = step(click, context);
    if (dropped) return { dropped };
  }
  return { click };
}

interface Referer {
  host: string | null;
  url: string | null;
}

const noReferer: Referer = { host: null, url: null };
const cachedReferersMax = 10_000;
const referers = new LRUCache<string, Referer>(atMost(cachedReferersMax));

/** Cached, because a thousand clicks come from a few dozen pages. */
function readReferer(text: string): Referer {
  if (text === "") return noReferer;
  let referer = referers.get(text);
  if (!referer) {
    referer = parseReferer(text);
    referers.set(text, referer);
  }
  return referer;
}

function parseReferer(text: string): Referer {
  const url = parseUrl(text);
  if (!url) return noReferer;
  if (url.protocol !== "http:" && url.protocol !== "https:") return noReferer;
  return {
    host: clean(url.hostname.replace(/^www\./, ""), textMax),
    // Query and fragment may identify a person on another site.
    url: clean(url.origin + url.pathname, textMax),
  };
}

const utmNames = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
type ClickUtm = Partial<Record<(typeof utmNames)[number], string>>;

export function readUtm(query: string): ClickUtm | undefined {
  if (!query.includes("utm_")) return undefined;
  const found: ClickUtm = {};
  const params = new URLSearchParams(query.split("#", 1)[0]);
  for (const name of utmNames) {
    const text = clean(params.get(name), textMax);
    if (text !== null) found[name] = text;
  }
  return found;
}

export function queryOf(url: string): string {
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
}
