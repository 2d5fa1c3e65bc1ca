/**
 * Whether a click is its visitor's first of the day, on the link and in the workspace. Seen visitors are stored as numbers of 53
 * bits: for the workspace the hash of enrich.ts, for a link that hash mixed with the link’s pk. With a hundred million visitors a
 * day, there is one collision every two days.
 */

import { dayMs } from "#lib/basics/time/schema";
import { type Connection, sql } from "#lib/platform/postgres";
import type { Click } from "./enrich.ts";
import { arrayText } from "./text.ts";

/** One flag per click. Sums of the flags are the visitors of a bucket, so buckets add up. */
export interface FirstVisits {
  link: boolean[];
  workspace: boolean[];
}

const wordSize = 2 ** 32;
const highBits = 0x1f_ffff;

/** Ignores bots, and clicks without an address. */
export async function claimVisitors(
  tx: Connection,
  clicks: readonly Click[],
): Promise<FirstVisits> {
  const wanted = new Map<number, Set<number>>();
  for (const { visitor, botKind, event } of clicks) {
    if (visitor === null || botKind !== null) continue;
    const day = Math.floor(event.at / dayMs);
    let names = wanted.get(day);
    if (!names) {
      names = new Set();
      wanted.set(day, names);
    }
    names.add(visitor).add(nameOnLink(visitor, event.linkPk));
  }
  const unseen = new Map<number, Set<number>>();
  // Sorted, as the visitors of a day are, so that two shards cannot deadlock.
  for (const day of [...wanted.keys()].sort((a, b) => a - b)) {
    unseen.set(day, await insertUnseen(tx, day, wanted.get(day) ?? new Set()));
  }
  const first: FirstVisits = { link: [], workspace: [] };
  for (const { visitor, botKind, event } of clicks) {
    const names = unseen.get(Math.floor(event.at / dayMs));
    const isPerson = names !== undefined && visitor !== null && botKind === null;
    // Only the first click of a batch is the visitor's first.
    first.link.push(isPerson && names.delete(nameOnLink(visitor, event.linkPk)));
    first.workspace.push(isPerson && names.delete(visitor));
  }
  return first;
}

/** Mixes the link into both words, so that numbers on two links are equal only by chance. */
function nameOnLink(visitor: number, linkPk: number): number {
  const low = mix((linkPk >>> 0) ^ mix(Math.floor(linkPk / wordSize) + 1));
  const high = mix((linkPk >>> 0) ^ 0x9e37_79b9);
  const visitorHigh = Math.floor(visitor / wordSize);
  return ((visitorHigh ^ high) & highBits) * wordSize + (((visitor >>> 0) ^ low) >>> 0);
}

/** The last step of MurmurHash3: different words stay different. */
function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return mixed ^ (mixed >>> 16);
}

async function insertUnseen(
  tx: Connection,
  day: number,
  names: ReadonlySet<number>,
): Promise<Set<number>> {
  const sorted = Float64Array.from(names).sort();
  // One text costs both sides a third of what a row per visitor costs.
  const [row] = await tx.query<{ fresh: string | null }>({
    ...sql`
    WITH fresh AS (
      INSERT INTO analytics.visitor (day, name)
      SELECT ${new Date(day * dayMs).toISOString().slice(0, 10)}::date, name
      FROM unnest(${arrayText(sorted)}::bigint[]) AS name
      ON CONFLICT DO NOTHING
      RETURNING name
    )
    SELECT string_agg(name::text, ',') AS fresh
    FROM fresh`,
    name: "ingest.visitors",
  });
  return new Set(row?.fresh ? row.fresh.split(",").map(Number) : []);
}
