/** Derives from a request: person or bot, device, browser, OS, language, location. */
import Bowser from "bowser";
import { LRUCache } from "lru-cache";
import { atMost } from "#lib/basics/bounds";
import { appOf } from "./apps.ts";
import { type BotKind, botKindOf } from "./bots.ts";
import type { AppName } from "./schema.ts";

export type { BotKind } from "./bots.ts";
export { isDataCenter, openDataCenters } from "./data-centers.ts";
export { openPlaces, type Place, placeOf, withCountry } from "./places.ts";

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

const agents = new LRUCache<string, Agent>(atMost(agentsCachedMax));
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
