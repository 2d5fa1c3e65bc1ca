/**
 * Reports destinations whose host looks like another one in a header of link responses, so that the body stays compatible with
 * Dub.
 *
 *     X-Fuxi-Look-Alike: "g00gle.com";reason=like;like="google", "xn--e1awd7f.com";reason=punycode
 *
 * A list of strings with parameters (RFC 9651), with hosts in ASCII. The link form shows the same warnings.
 */
import { setImmediate } from "node:timers/promises";
import { findLookAlike } from "#lib/basics/urls/schema";
import { defaultHost } from "#lib/links/hosts";
import type { HeaderTarget } from "./router.ts";

/** In the description of each operation that has the header. */
export const lookAlikeNote =
  "Destinations whose host looks like another one are listed in the X-Fuxi-Look-Alike header.";

const listedMax = 20;
const hostCharsMax = 253;
const knownItemsMax = 2_000;
const knownCharsMax = 1_000;
const bodiesPerTurn = 200;

export function reportLookAlikes(c: HeaderTarget, body: unknown, domain: string): void {
  const found = new Set<string>();
  addLookAlikes(found, body, [domain, defaultHost()]);
  write(c, found);
}

export async function reportAllLookAlikes(
  c: HeaderTarget,
  bodies: readonly unknown[],
): Promise<void> {
  const found = new Set<string>();
  for (const [at, body] of bodies.entries()) {
    if (at % bodiesPerTurn === bodiesPerTurn - 1) await setImmediate();
    const { domain } = Object(body);
    const isHost = typeof domain === "string" && domain.length <= hostCharsMax;
    addLookAlikes(found, body, isHost ? [domain, defaultHost()] : [defaultHost()]);
    if (found.size >= listedMax) break;
  }
  write(c, found);
}

function write(c: HeaderTarget, found: ReadonlySet<string>): void {
  if (found.size === 0) return;
  c.header("X-Fuxi-Look-Alike", [...found].slice(0, listedMax).join(", "));
}

function addLookAlikes(found: Set<string>, body: unknown, own: readonly string[]): void {
  for (const entered of destinationsOf(body)) {
    // A destination without a scheme gets https.
    const url = /^[a-z][a-z\d+.-]*:/i.test(entered) ? entered : `https://${entered}`;
    const item = itemOf(url, own);
    if (item !== "") found.add(item);
  }
}

/** Header items by host and own hosts. A check takes 15 µs, and most callers use few hosts. */
const knownItems = new Map<string, string>();

/** The item of the header; "" without a warning. */
function itemOf(url: string, own: readonly string[]): string {
  const [authority] = /^https?:\/\/[^/?#\\]*/i.exec(url) ?? [];
  if (authority === undefined) return "";
  const name = `${authority} ${own.join(" ")}`;
  const known = knownItems.get(name);
  if (known !== undefined) return known;
  const item = writeItem(authority, own);
  if (knownItems.size >= knownItemsMax) knownItems.clear();
  if (name.length <= knownCharsMax) knownItems.set(name, item);
  return item;
}

function writeItem(url: string, own: readonly string[]): string {
  const lookAlike = findLookAlike(url, own);
  if (!lookAlike) return "";
  const { code, like } = lookAlike;
  const host = quoted(new URL(url).hostname);
  return `${host};reason=${code}${like === "" ? "" : `;like=${quoted(like)}`}`;
}

/** Hosts come from the client, and headers allow few characters. */
function quoted(host: string): string {
  // defence: look-alike-host-header
  return `"${host.slice(0, hostCharsMax).replace(/[^\w.-]/g, "?")}"`;
}

function destinationsOf(body: unknown): string[] {
  const { url, expiredUrl, ios, android, geo, rules, testVariants } = Object(body);
  const listed = [rules, testVariants].flatMap((list) => (Array.isArray(list) ? list : []));
  const places = typeof geo === "object" && geo !== null ? Object.values(geo) : [];
  const all: unknown[] = [url, expiredUrl, ios, android];
  return [...all, ...places, ...listed.map((one) => Object(one).url)].filter(
    (one): one is string => typeof one === "string",
  );
}
