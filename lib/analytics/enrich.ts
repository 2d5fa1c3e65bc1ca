/**
 * From a click as it was sent to a click as it is kept: an ordered list of named steps. A `put` step adds what it
 * knows; a `drop` step names the reason why a click is not kept. Steps know nothing of each other but their order.
 */
import { createHmac, randomUUID } from "node:crypto";
import { parseAgent, parseLanguage, placeOf } from "#lib/agents";
import { type ClickEvent, flag } from "#lib/clicks";
import { slotOf } from "./slots.ts";

export interface Click {
  event: ClickEvent;
  id: string;
  slot: number;
  bot: boolean;
  qr: boolean;
  visitor: string | null;
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
  utm: Record<UtmName, string | null>;
}

const utmNames = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
type UtmName = (typeof utmNames)[number];

/** Why a click is not kept. */
type DropReason = "prefetch" | "out_of_time";

/** Groups are remembered for 8 days; what comes later could not be told from a repetition. */
const ageMaxMs = 7 * 86_400_000;
const aheadMaxMs = 3_600_000;
const textMax = 255;

type Step = (click: Click, now: number, salt: Buffer | undefined) => DropReason | undefined;

const dropPrefetch: Step = ({ event }) =>
  event.flags.includes(flag.prefetch) ? "prefetch" : undefined;

/** False for a click so old, or so far ahead of our clock, that its day has no place. */
export function isInTime(at: number, now: number): boolean {
  return at >= now - ageMaxMs && at <= now + aheadMaxMs;
}

const dropOutOfTime: Step = ({ event }, now) =>
  isInTime(event.at, now) ? undefined : "out_of_time";

const putTrigger: Step = (click) => {
  click.qr = click.event.flags.includes(flag.scan);
  return undefined;
};

const putAgent: Step = (click) => {
  const agent = parseAgent(click.event.userAgent);
  Object.assign(click, agent);
  click.bot = agent.bot || click.event.flags.includes(flag.head);
  return undefined;
};

const putPlace: Step = (click) => {
  Object.assign(click, placeOf(click.event.address));
  return undefined;
};

const putLanguage: Step = (click) => {
  click.language = parseLanguage(click.event.language);
  return undefined;
};

const putReferer: Step = (click) => {
  const { referer } = click.event;
  if (!URL.canParse(referer)) return undefined;
  const url = new URL(referer);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  click.referer = url.hostname.replace(/^www\./, "");
  // Without query and fragment: those of another site may name a person.
  click.refererUrl = (url.origin + url.pathname).slice(0, textMax);
  return undefined;
};

const putUtm: Step = (click) => {
  if (!click.event.query.includes("utm_")) return undefined;
  const query = new URLSearchParams(click.event.query);
  for (const name of utmNames) click.utm[name] = query.get(name)?.slice(0, textMax) ?? null;
  return undefined;
};

/** A visitor is a hash that changes every day, differs in every workspace, and cannot be taken back. */
const putVisitor: Step = (click, _now, salt) => {
  const { address, userAgent, workspacePk } = click.event;
  if (!salt || address === "") return undefined;
  const hash = createHmac("sha256", salt)
    .update(`${workspacePk}\n${address}\n${userAgent}`)
    .digest();
  click.visitor = hash.readBigInt64BE(0).toString();
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
  putUtm,
  putVisitor,
];

type Enriched = { click: Click } | { dropped: DropReason };

/** Runs the steps over one event. */
export function enrich(event: ClickEvent, now: number, salt: Buffer | undefined): Enriched {
  const click: Click = {
    event,
    id: randomUUID(),
    slot: slotOf(event.at),
    bot: false,
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
    utm: {
      utm_source: null,
      utm_medium: null,
      utm_campaign: null,
      utm_term: null,
      utm_content: null,
    },
  };
  for (const step of steps) {
    const dropped = step(click, now, salt);
    if (dropped) return { dropped };
  }
  return { click };
}
