/**
 * From a click as sent to a click as stored: an ordered list of named steps. A `put` step adds fields; a `drop` step
 * returns the reason why a click is not stored. Steps depend on each other only by their order.
 */

import { hash, randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
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
import { clean, textMax, urlMax } from "./text.ts";
import { type ClickUtm, type PartialClickUtm, queryOf, readUtm } from "./utm.ts";

export interface Click {
  event: ClickEvent;
  id: string;
  slot: number;
  /** Null: a person. */
  botKind: BotKind | null;
  qr: boolean;
  visitor: number | null;
  continent: string | null;
  country: string | null;
  region: string | null;
  city: string | null;
  device: string | null;
  browser: string | null;
  os: string | null;
  language: string | null;
  referer: string | null;
  refererUrl: string | null;
  utm: ClickUtm;
  /** The URL the visitor was sent to, without parameters added by the visit itself. */
  url: string | null;
}

/** Context for enriching a click, beside the click itself. */
export interface EnrichContext {
  now: number;
  /** For the day of the click, in hexadecimal; undefined once it is erased. */
  salt: string | undefined;
  /** The link's own destination and its campaign parameters; undefined when the link was deleted. */
  destination: Destination | undefined;
}

export interface Destination {
  url: string;
  utm: PartialClickUtm | undefined;
}

/** Why a click is not stored. */
export type DropReason = "prefetch" | "out_of_time";

/** Groups are remembered for 8 days; a later click could not be told from a repetition. */
const ageMaxMs = 7 * dayMs;
/** A clock that is ahead by less is not corrected: its clicks keep their order. */
const aheadMaxMs = 3_600_000;

type Step = (click: Click, context: EnrichContext) => DropReason | undefined;

const dropPrefetch: Step = ({ event }) =>
  event.flags.includes(flag.prefetch) ? "prefetch" : undefined;

/** The moment of a click; of one from a clock that is far ahead, now: its day may have no partition. */
export function momentOf(at: number, now: number): number {
  return at > now + aheadMaxMs ? now : at;
}

/** False for a click so old that a repetition could not be told from it, or far ahead of the clock. */
export function isInTime(at: number, now: number): boolean {
  return at >= now - ageMaxMs && at <= now + aheadMaxMs;
}

const dropOutOfTime: Step = ({ event }, { now }) =>
  isInTime(event.at, now) ? undefined : "out_of_time";

const putTrigger: Step = (click) => {
  click.qr = click.event.flags.includes(flag.scan);
  return undefined;
};

const putAgent: Step = (click) => {
  const { botKind, device, browser, os, app } = parseAgent(click.event.userAgent);
  const { flags, address } = click.event;
  // Apps and their servers have user agents of programs.
  const isOpen = flags.includes(flag.open);
  if (!isOpen) click.botKind = botKind ?? botKindOfVisit(flags, address);
  click.device = device;
  // In an app, the app says more than the engine that it shares with others. An unknown browser has the name that it sends.
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
  click.refererUrl = url;
  return undefined;
};

const putUrl: Step = (click, { destination }) => {
  click.url = clean(click.event.url || destination?.url, urlMax);
  return undefined;
};

/** Campaign parameters of the visit take precedence over those of the destination. */
const putUtm: Step = (click, { destination }) => {
  const { query, url } = click.event;
  const chosen = url === "" ? destination?.utm : readUtm(queryOf(url));
  const visited = readUtm(query);
  if (chosen ?? visited) click.utm = { ...noUtm, ...chosen, ...visited };
  return undefined;
};

/** A visitor is a hash that changes every day, differs per workspace, and cannot be reversed. */
const putVisitor: Step = (click, { salt }) => {
  const { address, userAgent, workspacePk } = click.event;
  if (salt === undefined || address === "") return undefined;
  // The salt has a fixed length and comes first; a MAC at three times the cost would be no safer.
  const text = `${salt}${workspacePk}\n${address}\n${userAgent}`;
  const bytes = hash("sha256", text, "buffer");
  // 53 bits, so that JavaScript and PostgreSQL read the same number: with a million visitors a day a collision takes
  // decades.
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

export type Enriched = { click: Click } | { dropped: DropReason };

/** A click of which only the event is known. */
export function unknownClick(event: ClickEvent, id: string): Click {
  return {
    event,
    id,
    slot: slotOf(event.at),
    botKind: null,
    qr: false,
    visitor: null,
    continent: null,
    country: null,
    region: null,
    city: null,
    device: null,
    browser: null,
    os: null,
    language: null,
    referer: null,
    refererUrl: null,
    utm: noUtm,
    url: null,
  };
}

/** Runs the steps over one event. */
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

/** Cached: a thousand clicks come from a few dozen pages. */
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
    // Without query and fragment, which may identify a person on another site.
    url: clean(url.origin + url.pathname, textMax),
  };
}

const noUtm: ClickUtm = {
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
};
