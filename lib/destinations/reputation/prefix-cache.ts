/**
 * Verdicts by hash prefixes, for services that get the first four bytes of hashes and return full
 * ones. Only prefixes leave the process, never a URL. Full hashes are compared here. Responses,
 * even empty ones, are cached as long as they say.
 */
import type { Threat } from "#lib/basics/abuse/schema";
import { parseUrl } from "#lib/basics/urls/schema";

export interface Verdict {
  /** Null: nothing is known against the URL. */
  threat: Threat | null;
  /** Until when the verdict may be used, in milliseconds since 1970. */
  expiresAt: number;
}

export interface ReputationChecker {
  /** Returns one verdict per URL. Throws if the service does not answer. */
  check: (urls: readonly string[], now: number) => Promise<Map<string, Verdict>>;
}

const prefixBytes = 4;
const cacheEntriesMax = 100_000;
/** Older information may not be used for warnings, whatever the response says. */
const warnMsMax = 30 * 60_000;
/** Entries are requested again in this last part of their lifetime, so that a warning has no gaps. */
const renewedPart = 0.2;

interface ListedHash {
  threat: Threat;
  expiresAt: number;
}

export interface PrefixAnswer {
  /** Full hashes in hexadecimal. Hashes with other prefixes are ignored. */
  hashes: ReadonlyMap<string, ListedHash>;
  /** When to ask again for hashes that are missing here. */
  expiresAt: number;
}

interface CachedPrefix {
  hashes: Map<string, ListedHash>;
  receivedAt: number;
  /** When the first of these hashes, or the answer itself, expires. */
  expiresAt: number;
}

export interface PrefixService {
  hashesOf: (url: string) => Buffer[];
  /** Per request. */
  prefixesMax: number;
  search: (prefixes: readonly string[], now: number) => Promise<PrefixAnswer>;
  requestsMax: number;
}

export function checkByPrefix(service: PrefixService): ReputationChecker {
  const cache = new Map<string, CachedPrefix>();
  return {
    async check(urls, now) {
      const hashes = new Map(
        urls.map((url) => [url, service.hashesOf(hrefOf(url)).map((hash) => hash.toString("hex"))]),
      );
      const prefixes = new Set([...hashes.values()].flat().map(prefixOf));
      const wanted = [...prefixes].filter((prefix) => !isFresh(cache.get(prefix), now));
      await searchAll(service, cache, wanted, now);
      const found = new Map([...hashes].map(([url, own]) => [url, verdictOf(cache, own, now)]));
      for (const key of cache.keys()) {
        if (cache.size <= cacheEntriesMax) break;
        cache.delete(key);
      }
      return found;
    },
  };
}

/** With the host in ASCII. */
function hrefOf(url: string): string {
  return parseUrl(url)?.href ?? url;
}

function prefixOf(hash: string): string {
  // defence: reputation-hash-prefix
  return hash.slice(0, 2 * prefixBytes);
}

function isFresh(entry: CachedPrefix | undefined, now: number): boolean {
  if (!entry) return false;
  return now < entry.expiresAt - renewedPart * (entry.expiresAt - entry.receivedAt);
}

function verdictOf(
  cache: ReadonlyMap<string, CachedPrefix>,
  hashes: readonly string[],
  now: number,
): Verdict {
  let expiresAt = Number.POSITIVE_INFINITY;
  for (const hash of hashes) {
    const entry = cache.get(prefixOf(hash));
    const listed = entry?.hashes.get(hash);
    if (entry && listed) {
      const { threat } = listed;
      return { threat, expiresAt: Math.min(listed.expiresAt, entry.receivedAt + warnMsMax) };
    }
    expiresAt = Math.min(expiresAt, entry?.expiresAt ?? now);
  }
  return { threat: null, expiresAt };
}

async function searchAll(
  { prefixesMax, requestsMax, search }: PrefixService,
  cache: Map<string, CachedPrefix>,
  prefixes: readonly string[],
  now: number,
): Promise<void> {
  const parts: (readonly string[])[] = [];
  for (let at = 0; at < prefixes.length; at += prefixesMax) {
    parts.push(prefixes.slice(at, at + prefixesMax));
  }
  for (let at = 0; at < parts.length; at += requestsMax) {
    const asked = parts.slice(at, at + requestsMax);
    const answers = await Promise.all(asked.map((part) => search(part, now)));
    for (const [nth, part] of asked.entries()) keep(cache, part, answers[nth], now);
  }
}

/** Caches an answer under each of its prefixes, even if it has no hash for them. */
function keep(
  cache: Map<string, CachedPrefix>,
  prefixes: readonly string[],
  answer: PrefixAnswer | undefined,
  now: number,
): void {
  if (!answer) return;
  for (const prefix of prefixes) {
    cache.delete(prefix);
    cache.set(prefix, { hashes: new Map(), receivedAt: now, expiresAt: answer.expiresAt });
  }
  for (const [hash, listed] of answer.hashes) {
    const entry = cache.get(prefixOf(hash));
    if (!entry || entry.receivedAt !== now) continue;
    entry.hashes.set(hash, listed);
    entry.expiresAt = Math.min(entry.expiresAt, listed.expiresAt);
  }
}

const timeoutMs = 5_000;
const bytesMax = 1_000_000;

/** Keeps the URL out of errors, because it contains the API key. */
export async function fetchJson(service: string, address: URL): Promise<unknown> {
  const response = await fetch(address, {
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`${service} returned status ${response.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > bytesMax) throw new Error(`${service} sent more than ${bytesMax} bytes`);
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString());
}
