/**
 * From a click as it was sent to a click as it is kept: an ordered list of named steps. A `put` step adds what it
 * knows; a `drop` step names the reason why a click is not kept. Steps know nothing of each other but their order.
 */
import { hash, randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { slotOf } from "#lib/analytics/time-slots";
import { type BotKind, parseAgent, parseLanguage, placeOf } from "#lib/platform/request-info";
import { type ClickEvent, flag } from "#lib/redirect/clicks";
import { clean, textMax, urlMax } from "./text.ts";
import { queryOf, readUtm, type SaidUtm, type Utm } from "./utm.ts";

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
  utm: Utm;
  /** Where the visitor was sent, without what the visit itself added to it. */
  url: string | null;
}

/** What a click is enriched with besides what it says itself. */
export interface Known {
  now: number;
  /** Of the day on which the click was sent; undefined once it is erased. */
  salt: Buffer | undefined;
  /** The link's own destination and what it says of campaigns; undefined when the link is gone. */
  destination: Destination | undefined;
}

export interface Destination {
  url: string;
  utm: SaidUtm | undefined;
}

/** Why a click is not kept. */
export type DropReason = "prefetch" | "out_of_time";

/** Groups are remembered for 8 days; what comes later could not be told from a repetition. */
const ageMaxMs = 7 * 86_400_000;
const aheadMaxMs = 3_600_000;

type Step = (click: Click, known: Known) => DropReason | undefined;

const dropPrefetch: Step = ({ event }) =>
  event.flags.includes(flag.prefetch) ? "prefetch" : undefined;

/** False for a click so old, or so far ahead of our clock, that its day has no place. */
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
  const { botKind, device, browser, os } = parseAgent(click.event.userAgent);
  click.botKind = botKind ?? (click.event.flags.includes(flag.head) ? "head" : null);
  click.device = device;
  click.browser = browser;
  click.os = os;
  return undefined;
};

const putPlace: Step = (click) => {
  const { continent, country, region, city } = placeOf(click.event.address);
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

/** What the visit says of its campaign comes before what the destination says. */
const putUtm: Step = (click, { destination }) => {
  const { query, url } = click.event;
  const chosen = url === "" ? destination?.utm : readUtm(queryOf(url));
  const visited = readUtm(query);
  if (chosen ?? visited) click.utm = { ...noUtm, ...chosen, ...visited };
  return undefined;
};

/** A visitor is a hash that changes every day, differs in every workspace, and cannot be taken back. */
const putVisitor: Step = (click, { salt }) => {
  const { address, userAgent, workspacePk } = click.event;
  if (!salt || address === "") return undefined;
  // The salt has a fixed length and stands first; a MAC at three times the cost would not hide it better.
  const text = `${salt.toString("hex")}${workspacePk}\n${address}\n${userAgent}`;
  const bytes = hash("sha256", text, "buffer");
  // 53 bits, so that it is the same number here and there: of a million visitors a day none shares it for decades.
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

/** Runs the steps over one event. */
export function enrich(event: ClickEvent, known: Known): Enriched {
  const click: Click = {
    event,
    id: randomUUID(),
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
  for (const step of steps) {
    const dropped = step(click, known);
    if (dropped) return { dropped };
  }
  return { click };
}

interface Referer {
  host: string | null;
  url: string | null;
}

const noReferer: Referer = { host: null, url: null };
const referersRememberedMax = 10_000;
const referers = new LRUCache<string, Referer>({ max: referersRememberedMax });

/** Remembered: a thousand clicks come from a few dozen pages. */
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
  if (!URL.canParse(text)) return noReferer;
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return noReferer;
  return {
    host: clean(url.hostname.replace(/^www\./, ""), textMax),
    // Without query and fragment: those of another site may name a person.
    url: clean(url.origin + url.pathname, textMax),
  };
}

const noUtm: Utm = {
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
};
