/** Plausible visits. The same links at the same moment give the same visits, for tests. */

import { type Click, unknownClick } from "#lib/analytics/ingest";
import { dayMs } from "#lib/basics/time/schema";
import type { DemoLink } from "./catalogue.ts";
import { originOf, referrerOf } from "./people.ts";
import { createRandom, type SeededRandom } from "./seeded-random.ts";

export interface LinkPlace {
  link: DemoLink;
  linkPk: number;
  workspacePk: number;
  domainPk: number;
  url: string;
}

export interface DemoTraffic {
  clicks: Click[];
  first: { link: boolean[]; workspace: boolean[] };
}

const days = 90;
const clicksPerWeight = 0.25;
/** In UTC: the peak is Europe’s evening, and the smaller one before noon is Asia’s. */
const hours = [2, 2, 2, 2, 3, 4, 6, 8, 9, 9, 10, 11, 12, 11, 10, 10, 11, 13, 15, 16, 14, 10, 6, 4];
const weekdays = [0.72, 1.04, 1.08, 1.1, 1.06, 0.98, 0.7];
const botShare = 0.05;
const returningShare = 0.2;
const fadingDays = 16;

export function makeTraffic(places: readonly LinkPlace[], now: number): DemoTraffic {
  const random = createRandom(20_260_131);
  const clicks: Click[] = [];
  for (let ago = days - 1; ago >= 0; ago--) {
    const begin = Math.floor(now / dayMs) * dayMs - ago * dayMs;
    const visitors: number[] = [];
    const today: Click[] = [];
    for (const place of places) {
      const count = Math.floor(expected(place.link, ago, begin) + random.next());
      for (let at = 0; at < count; at++) {
        today.push(makeClick(place, begin + momentOfDay(random), random, visitors));
      }
    }
    today.sort((a, b) => a.event.at - b.event.at);
    clicks.push(...today.filter(({ event }) => event.at < now));
  }
  return { clicks, first: firstVisits(clicks) };
}

function expected(link: DemoLink, ago: number, begin: number): number {
  const age = link.ageDays - ago;
  if (age < 0) return 0;
  const fades = link.channel === "mail" || link.channel === "social";
  const fading = fades ? 0.06 + 2.4 * Math.exp(-age / fadingDays) : 1;
  const growth = 0.9 + 0.2 * (1 - ago / days);
  const weekday = weekdays[new Date(begin).getUTCDay()] ?? 1;
  return link.weight * clicksPerWeight * fading * growth * weekday;
}

function momentOfDay(random: SeededRandom): number {
  return (random.weighted(hours) + random.next()) * 3_600_000;
}

function makeClick(place: LinkPlace, at: number, random: SeededRandom, visitors: number[]): Click {
  const time = Math.floor(at);
  const { linkPk, workspacePk, domainPk, link } = place;
  const bot = random.next() < botShare;
  const qr = link.channel === "print" && random.next() < 0.93;
  const origin = originOf(link, bot, random);
  const event = {
    at: time,
    linkPk,
    workspacePk,
    domainPk,
    flags: "",
    userAgent: origin.userAgent,
    referer: "",
    language: "",
    query: "",
    url: "",
    address: "",
  };
  return {
    ...unknownClick(event, random.uuid()),
    botKind: bot ? "crawler" : null,
    qr,
    url: place.url,
    visitor: bot ? null : visitorOf(random, visitors),
    ...origin.place,
    ...origin.agent,
    ...referrerOf(link, random),
  };
}

function visitorOf(random: SeededRandom, visitors: number[]): number {
  const isReturning = visitors.length > 0 && random.next() < returningShare;
  const known = isReturning ? visitors[Math.floor(random.next() * visitors.length)] : undefined;
  if (known !== undefined) return known;
  const visitor = Math.floor(random.next() * Number.MAX_SAFE_INTEGER);
  visitors.push(visitor);
  return visitor;
}

function firstVisits(clicks: readonly Click[]): DemoTraffic["first"] {
  const seen = new Set<string>();
  const isFirst = (click: Click, where: string) => {
    if (click.visitor === null) return false;
    const name = `${Math.floor(click.event.at / dayMs)} ${where} ${click.visitor}`;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  };
  return {
    link: clicks.map((click) => isFirst(click, `link ${click.event.linkPk}`)),
    workspace: clicks.map((click) => isFirst(click, "workspace")),
  };
}
