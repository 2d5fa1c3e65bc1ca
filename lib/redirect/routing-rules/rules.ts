/** Compiles rules once, when a link enters the cache. A condition without data does not match. */
import { LRUCache } from "lru-cache";
import type { Rule } from "#lib/links/link-cache/schema";
import type { Agent, Place } from "#lib/platform/request-info";
import type { ConditionName } from "./schema.ts";

export interface Visitor {
  agent: Agent;
  language: string;
  place: Place | undefined;
  now: number;
}

export interface CompiledRule {
  url: string;
  placed: boolean;
  conditions: readonly Condition[];
}

type Predicate = (visitor: Visitor) => boolean;

interface Condition {
  name: ConditionName;
  matches: Predicate;
}

export function compileRule(rule: Rule): CompiledRule {
  return {
    url: rule.url,
    placed: Boolean(rule.country ?? rule.region ?? rule.city),
    conditions: conditionsOf(rule),
  };
}

export function ruleMatches({ conditions }: CompiledRule, visitor: Visitor): boolean {
  return conditions.every(({ matches }) => matches(visitor));
}

type ReadValue = (visitor: Visitor) => string | null | undefined;

function conditionsOf(rule: Rule): Condition[] {
  const { device, os, browser, app, language, country, region, city, time } = rule;
  const conditions: [name: ConditionName, matches: Predicate | undefined][] = [
    ["device", device && isOneOf(device, ({ agent }) => agent.device)],
    ["os", os && isOneOf(os, ({ agent }) => agent.os)],
    ["browser", browser && isOneOf(browser, ({ agent }) => agent.browser)],
    ["app", app && isOneOf(app, ({ agent }) => agent.app)],
    ["language", language && readsOneOf(language)],
    ["country", country && isOneOf(country, ({ place }) => place?.country)],
    ["region", region && isOneOf(region, ({ place }) => place?.region)],
    ["city", city && isOneOf(city, ({ place }) => place?.city)],
    ["time", time && isWithin(time)],
  ];
  return conditions.flatMap(([name, matches]) => (matches ? [{ name, matches }] : []));
}

function isOneOf(values: readonly string[], read: ReadValue): Predicate {
  const wanted = new Set(values.map((value) => value.toLowerCase()));
  return (visitor) => {
    const value = read(visitor);
    return value ? wanted.has(value.toLowerCase()) : false;
  };
}

const firstTag = /^\s*([a-z]{2,3}(?:-[a-z0-9]{1,8})*)(?![a-z0-9])/i;

/** `de` matches a reader of `de-AT`, but `de-AT` does not match a reader of `de`. */
function readsOneOf(languages: readonly string[]): Predicate {
  const wanted = languages.map((language) => language.toLowerCase().replaceAll("_", "-"));
  return ({ language }) => {
    const tag = firstTag.exec(language)?.[1]?.toLowerCase();
    return tag !== undefined && wanted.some((one) => tag === one || tag.startsWith(`${one}-`));
  };
}

const dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const clocksMax = 1_000;
const clocks = new LRUCache<string, Intl.DateTimeFormat>({ max: clocksMax });

/** Creating one costs as much as a hundred uses. */
function clockOf(zone: string): Intl.DateTimeFormat | undefined {
  let clock = clocks.get(zone);
  if (clock) return clock;
  try {
    clock = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  } catch {
    return undefined; // a zone that this machine does not support
  }
  clocks.set(zone, clock);
  return clock;
}

/** A window belongs to the day on which it starts, even if it ends on the next day. */
function isWithin({ zone, days, from, until }: NonNullable<Rule["time"]>): Predicate {
  const clock = clockOf(zone);
  const start = minutesOf(from);
  const end = minutesOf(until);
  const isOn = (day: number) => !days || days.includes(day);
  return ({ now }) => {
    if (!clock) return false;
    const { day, minutes } = readClock(clock, now);
    if (start < end) return isOn(day) && minutes >= start && minutes < end;
    const yesterday = day === 1 ? 7 : day - 1;
    return (minutes >= start && isOn(day)) || (minutes < end && isOn(yesterday));
  };
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/** The weekday, 1 Monday to 7 Sunday, and the minute of the day. */
function readClock(clock: Intl.DateTimeFormat, now: number): { day: number; minutes: number } {
  let day = 0;
  let minutes = 0;
  for (const { type, value } of clock.formatToParts(now)) {
    if (type === "weekday") day = dayNames.indexOf(value) + 1;
    else if (type === "hour") minutes += Number(value) * 60;
    else if (type === "minute") minutes += Number(value);
  }
  return { day, minutes };
}
