/** Where links lead, for clicks that do not say it: most were simply sent to the link's own url. */
import { LRUCache } from "lru-cache";
import { query, sql } from "#lib/platform/postgres";
import type { Destination } from "./enrich.ts";
import { clean, urlMax } from "./text.ts";
import { queryOf, readUtm } from "./utm.ts";

/** An edited link is believed to lead to its former url for so long. */
const rememberedMs = 5_000;
const rememberedMax = 50_000;

interface Remembered {
  destination: Destination;
  until: number;
}

const remembered = new LRUCache<number, Remembered>({ max: rememberedMax });

/** The destinations of links by their pks; those of links that are gone are not among them. */
export async function findDestinations(
  pks: Iterable<number>,
  now = Date.now(),
): Promise<Map<number, Destination>> {
  const found = new Map<number, Destination>();
  const asked: number[] = [];
  for (const pk of new Set(pks)) {
    const known = remembered.get(pk);
    if (!known || known.until < now) asked.push(pk);
    else found.set(pk, known.destination);
  }
  if (asked.length > 0) await loadDestinations(asked, found, now + rememberedMs);
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
    remembered.set(pk, { destination, until });
    found.set(pk, destination);
  }
}

interface Row {
  pk: number;
  url: string | null;
  /** What the query of a longer url says of campaigns; null when the url is whole. */
  said: string | null;
}

function loadUrls(pks: readonly number[]): Promise<Row[]> {
  // Answered by link_pkey.
  return query<Row>(
    sql`
      SELECT
        pk,
        left(url, ${urlMax}) AS url,
        CASE WHEN length(url) > ${urlMax} THEN (
          SELECT coalesce(string_agg(said[1], '&'), '')
          FROM regexp_matches(url, '[?&](utm_[a-z]+=[^&#]*)', 'g') AS said
        ) END AS said
      FROM link
      WHERE pk = ANY(${`{${pks.join(",")}}`}::bigint[])`,
  );
}
