/** Quiet hours: whether a message may be sent to a country at a given time. */

import { dayMs } from "#lib/basics/time/schema";
import type { QuietHours } from "./schema.ts";

/** In minutes of the day. They may span midnight. */
export interface Quiet {
  from: number;
  until: number;
}

const quarterMs = 900_000;
const searchedMs = 2 * dayMs;

export function quietOf({ from, until }: QuietHours): Quiet {
  return { from: minuteOf(from), until: minuteOf(until) };
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

export function timeOf(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

const zonesByCountry = new Map<string, readonly string[]>();

function zonesOf(country: string, otherZone: string): readonly string[] {
  if (!/^[A-Z]{2}$/.test(country)) return [otherZone];
  let zones = zonesByCountry.get(country);
  if (!zones) {
    zones = regionZones(country);
    zonesByCountry.set(country, zones);
  }
  return zones.length > 0 ? zones : [otherZone];
}

/** Newer versions of Node.js have a method, older ones a property. */
function regionZones(country: string): string[] {
  const locale = new Intl.Locale(`und-${country}`);
  const method: unknown = Reflect.get(locale, "getTimeZones");
  const found: unknown =
    typeof method === "function" ? method.call(locale) : Reflect.get(locale, "timeZones");
  return Array.isArray(found) ? found.map(String) : [];
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function localMinute(zone: string, at: number): number {
  let clock = clocks.get(zone);
  if (!clock) {
    const options = {
      timeZone: zone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    } as const;
    clock = new Intl.DateTimeFormat("en-GB", options);
    clocks.set(zone, clock);
  }
  return minuteOf(clock.format(at));
}

function isQuiet({ from, until }: Quiet, minute: number): boolean {
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

/** The first quarter hour that is allowed in all time zones of the country. */
export function nextAllowed(
  quiet: Quiet | null,
  country: string,
  otherZone: string,
  now: number,
): number | undefined {
  if (!quiet) return now;
  const zones = zonesOf(country, otherZone);
  const isAllowed = (at: number) => zones.every((zone) => !isQuiet(quiet, localMinute(zone, at)));
  if (isAllowed(now)) return now;
  const first = Math.ceil((now + 1) / quarterMs) * quarterMs;
  for (let at = first; at <= now + searchedMs; at += quarterMs) if (isAllowed(at)) return at;
  return undefined;
}
