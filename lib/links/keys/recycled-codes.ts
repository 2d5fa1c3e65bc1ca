/**
 * Codes of deleted links, which are issued again on the same domain before new ones are used
 * (FUXI_REUSE_CODES).
 *
 * A row is added when the quarantine of a link ends, and can be drawn once its stats are erased: a
 * later erasure would hit the next link with this pk. Drawing commits before the code is used, and
 * skips rows that another process is drawing. Even so, two links can never have the same code,
 * because the code encodes the primary key of `link`: an insert with a taken pk gets another one. A
 * drawn code that was not used can be drawn again after a day.
 */
import { codeOfPk, type ReadyCode } from "#lib/platform/codes";
import { config } from "#lib/platform/config";
import { exposeCounters } from "#lib/platform/log";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";

/** How long to remember that a domain has no codes. */
const emptyMs = 1_000;
const emptyDomainsMax = 10_000;
const emptySince = new Map<number, number>();

const recycledCounters = { drawn: 0 };
exposeCounters(
  "recycled_codes",
  "Codes of deleted links that were issued again.",
  recycledCounters,
);

export function recyclesCodes(): boolean {
  return config().FUXI_REUSE_CODES === "on";
}

export async function addRecycledCodes(
  tx: Connection,
  links: readonly { pk: number; domain_pk: number }[],
  now: Date,
): Promise<void> {
  if (links.length === 0) return;
  for (const { domain_pk } of links) emptySince.delete(domain_pk);
  await tx.query(sql`
    INSERT INTO recycled_code (pk, domain_pk, ready_at)
    SELECT ended.pk, ended.domain_pk, ${now}
    FROM unnest(
      ${links.map(({ pk }) => pk)}::bigint[],
      ${links.map((link) => link.domain_pk)}::int[]
    ) AS ended (pk, domain_pk)
    ON CONFLICT (pk) DO UPDATE
    SET domain_pk = excluded.domain_pk, ready_at = excluded.ready_at, drawn_at = NULL`);
}

export async function drawRecycledCodes(
  domainPk: number,
  count: number,
  now = Date.now(),
): Promise<ReadyCode[]> {
  if (count === 0 || !recyclesCodes()) return [];
  if ((emptySince.get(domainPk) ?? 0) > now - emptyMs) return [];
  const { read, free } = await transaction((tx) => draw(tx, domainPk, count));
  if (read < count) rememberEmpty(domainPk, now);
  recycledCounters.drawn += free.length;
  return free.map((pk) => ({ pk, code: codeOfPk(pk), recycled: true }));
}

/** Marks up to `count` codes as drawn, and removes those that a link already has. */
async function draw(tx: Connection, domainPk: number, count: number) {
  // Answered by recycled_code_free and erasure_link.
  // defence: recycled-code-stats-erased
  const ready = await tx.query<{ pk: number }>(sql`
    SELECT free.pk
    FROM recycled_code AS free
    WHERE free.domain_pk = ${domainPk}
      AND free.drawn_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM analytics.erasure WHERE erasure.link_pk = free.pk)
    ORDER BY free.ready_at
    LIMIT ${count}
    FOR UPDATE SKIP LOCKED`);
  if (ready.length === 0) return { read: 0, free: [] };
  const pks = ready.map(({ pk }) => pk);
  // Answered by link_pkey.
  const taken = await tx.query<{ pk: number }>(
    sql`SELECT pk FROM link WHERE pk = ANY(${pks}::bigint[])`,
  );
  const used = new Set(taken.map(({ pk }) => pk));
  const free = pks.filter((pk) => !used.has(pk));
  await dropUsedCodes(tx, [...used]);
  // Answered by recycled_code_pkey.
  await tx.query(sql`UPDATE recycled_code SET drawn_at = now() WHERE pk = ANY(${free}::bigint[])`);
  return { read: ready.length, free };
}

function rememberEmpty(domainPk: number, now: number): void {
  if (emptySince.size >= emptyDomainsMax) emptySince.clear();
  emptySince.set(domainPk, now);
}

/** Removes codes in the transaction that inserts their links. Only retirement adds them again. */
export async function dropUsedCodes(tx: Connection, pks: readonly number[]): Promise<void> {
  if (pks.length === 0) return;
  // Answered by recycled_code_pkey.
  await tx.query(sql`DELETE FROM recycled_code WHERE pk = ANY(${pks}::bigint[])`);
}

/** A create uses its code within seconds, or not at all. */
const drawnHours = 24;

/** Makes drawn codes available again if they were not used, and deletes those in use. */
export async function sweepRecycledCodes(now: Date): Promise<void> {
  // Answered by link_pkey and domain_pkey: one row per code that is free or was drawn since yesterday.
  await query(sql`
    DELETE FROM recycled_code
    WHERE pk IN (SELECT link.pk FROM link WHERE link.pk IN (SELECT pk FROM recycled_code))
      OR domain_pk NOT IN (SELECT pk FROM domain)`);
  await query(sql`
    UPDATE recycled_code
    SET drawn_at = NULL
    WHERE drawn_at < ${now}::timestamptz - ${drawnHours} * interval '1 hour'`);
}
