/** Destinations of links, for clicks that do not carry one: most visitors were sent to the link's own URL. */
import { LRUCache } from "lru-cache";
import { atMost } from "#lib/basics/bounds";
import { query, sql } from "#lib/platform/postgres";
import type { Destination } from "./enrich.ts";
import { arrayText, clean, urlMax } from "./text.ts";
import { queryOf, readUtm } from "./utm.ts";

/** An edited link may be attributed to its former URL for this long. */
const cachedMs = 5_000;
const cachedMax = 50_000;

interface CachedDestination {
  destination: Destination;
  until: number;
}

const cache = new LRUCache<number, CachedDestination>(atMost(cachedMax));

/** The destinations of links by pk, without deleted links. */
export async function findDestinations(
  pks: Iterable<number>,
  now = Date.now(),
): Promise<Map<number, Destination>> {
  const found = new Map<number, Destination>();
  const missingPks: number[] = [];
  for (const pk of new Set(pks)) {
    const cached = cache.get(pk);
    if (!cached || cached.until < now) missingPks.push(pk);
    else found.set(pk, cached.destination);
  }
  if (missingPks.length > 0) await loadDestinations(missingPks, found, now + cachedMs);
  return found;
}

async function loadDestinations(
  pks: readonly number[],
  found: Map<number, Destination>,
  until: number,
): Promise<void> {
  const rows = await loadUrls(pks);
  for (const { pk, url: text, said } of rows) {
    const url = clean(text, urlMax);
    if (url === null) continue;
    const destination = { url, utm: readUtm(said ?? queryOf(url)) };
    cache.set(pk, { destination, until });
    found.set(pk, destination);
  }
}

interface UrlRow {
  pk: number;
  url: string | null;
  /** The campaign parameters of a URL that is longer than what is read; null when the URL is complete. */
  said: string | null;
}

function loadUrls(pks: readonly number[]): Promise<UrlRow[]> {
  // Answered by link_pkey.
  return query<UrlRow>(sql`
    SELECT
      pk,
      left(url, ${urlMax}) AS url,
      CASE WHEN length(url) > ${urlMax} THEN (
        SELECT coalesce(string_agg(said[1], '&'), '')
        FROM regexp_matches(url, '[?&](utm_[a-z]+=[^&#]*)', 'g') AS said
      ) END AS said
    FROM link
    WHERE pk = ANY(${arrayText(pks)}::bigint[])`);
}
