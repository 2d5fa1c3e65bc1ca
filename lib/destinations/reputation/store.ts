import type { ReputationService, Threat } from "#lib/basics/abuse/schema";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";

const serviceName = "reputation";
/** If a worker dies, the next one takes its rows after this time. */
const leaseSeconds = 120;
/** Only recently visited older links are checked. */
const visitedDays = 30;

export interface LinkDestinations {
  pk: number;
  url: string;
  expired_url: string | null;
  ios: string | null;
  android: string | null;
  geo: Readonly<Record<string, string>> | null;
  rules: readonly { url: string }[] | null;
  test_variants: readonly { url: string }[] | null;
}

export interface Destination {
  linkPk: number;
  url: string;
}

/** Adds destinations. Known ones are checked again if their verdict is older than half an hour. */
export async function insertDestinations(tx: Connection, destinations: readonly Destination[]) {
  if (destinations.length === 0) return;
  // Answered by link_reputation_pkey.
  await tx.query(sql`
    INSERT INTO link_reputation (link_pk, url_hash, url)
    SELECT DISTINCT link_pk, sha256(convert_to(url, 'UTF8')), url
    FROM unnest(
      ${destinations.map(({ linkPk }) => linkPk)}::bigint[],
      ${destinations.map(({ url }) => url)}::text[]
    ) AS new (link_pk, url)
    ON CONFLICT (link_pk, url_hash) DO UPDATE
    SET next_check_at = now()
    WHERE link_reputation.checked_at < now() - interval '30 minutes'`);
}

/** Deletes the destinations that these links no longer have. */
export async function deleteOthers(
  tx: Connection,
  linkPks: readonly number[],
  kept: readonly Destination[],
): Promise<void> {
  // Answered by link_reputation_pkey.
  await tx.query(sql`
    DELETE FROM link_reputation
    WHERE link_pk = ANY(${linkPks}::bigint[])
      AND NOT EXISTS (
        SELECT
        FROM unnest(
          ${kept.map(({ linkPk }) => linkPk)}::bigint[],
          ${kept.map(({ url }) => url)}::text[]
        ) AS kept (link_pk, url)
        WHERE kept.link_pk = link_reputation.link_pk
          AND kept.url = link_reputation.url
      )`);
}

/** Leases due destinations. Those that need no check now are postponed; `due` includes them. */
export async function leaseDue(
  now: Date,
  max: number,
): Promise<{ due: number; destinations: Destination[] }> {
  return await transaction(async (tx) => {
    // Answered by link_reputation_due.
    const rows = await tx.query<DueDestination>(sql`
      SELECT link_pk, url_hash, url, checked_at, threat
      FROM link_reputation
      WHERE next_check_at <= ${now}
      ORDER BY next_check_at
      LIMIT ${max}
      FOR UPDATE SKIP LOCKED`);
    const lastClicks = await findRedirecting(tx, rows, now);
    const judged = rows.map((row) => ({ ...row, wanted: isWanted(row, lastClicks) }));
    // Answered by link_reputation_pkey.
    await tx.query(sql`
      UPDATE link_reputation
      SET next_check_at = CASE
        WHEN judged.wanted THEN ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
        ELSE ${now}::timestamptz + interval '1 day'
      END
      FROM unnest(
        ${judged.map((row) => row.link_pk)}::bigint[],
        ${judged.map((row) => row.url_hash)}::bytea[],
        ${judged.map((row) => row.wanted)}::boolean[]
      ) AS judged (link_pk, url_hash, wanted)
      WHERE link_reputation.link_pk = judged.link_pk
        AND link_reputation.url_hash = judged.url_hash`);
    const wanted = judged.filter((row) => row.wanted);
    return {
      due: rows.length,
      destinations: wanted.map(({ link_pk: linkPk, url }) => ({ linkPk, url })),
    };
  });
}

interface DueDestination {
  link_pk: number;
  url_hash: Buffer;
  url: string;
  checked_at: Date | null;
  threat: Threat | null;
}

/** The last click of each link that redirects, or null. */
async function findRedirecting(tx: Connection, rows: readonly DueDestination[], now: Date) {
  // Answered by link_pkey and link_stat_pkey.
  const found = await tx.query<{ pk: number; last_click_at: Date | null }>(sql`
    SELECT link.pk, link_stat.last_click_at
    FROM link
    LEFT JOIN link_stat ON link_stat.link_pk = link.pk
    WHERE link.pk = ANY(${rows.map((row) => row.link_pk)}::bigint[])
      AND link.disabled_at IS NULL
      AND link.banned_at IS NULL
      AND link.retired_at IS NULL
      AND coalesce(link.expires_at > ${now}, true)`);
  return new Map(found.map(({ pk, last_click_at }) => [pk, last_click_at]));
}

function isWanted(
  { link_pk, checked_at, threat }: DueDestination,
  lastClicks: ReadonlyMap<number, Date | null>,
): boolean {
  const lastClick = lastClicks.get(link_pk);
  if (lastClick === undefined) return false;
  return checked_at === null || threat !== null || (lastClick !== null && lastClick > checked_at);
}

export interface StoredVerdict extends Destination {
  threat: Threat | null;
  warnUntil: Date | null;
  nextCheckAt: Date;
}

/** True: warnings changed. */
export async function storeVerdicts(
  tx: Connection,
  now: Date,
  service: ReputationService,
  verdicts: readonly StoredVerdict[],
): Promise<boolean> {
  // Answered by link_reputation_pkey.
  const rows = await tx.query<{ changed: boolean }>(sql`
    UPDATE link_reputation AS stored
    SET threat = new.threat,
      service = ${service},
      warn_until = new.warn_until,
      checked_at = ${now},
      next_check_at = new.next_check_at
    FROM unnest(
      ${verdicts.map(({ linkPk }) => linkPk)}::bigint[],
      ${verdicts.map(({ url }) => url)}::text[],
      ${verdicts.map(({ threat }) => threat)}::text[],
      ${verdicts.map(({ warnUntil }) => warnUntil)}::timestamptz[],
      ${verdicts.map(({ nextCheckAt }) => nextCheckAt)}::timestamptz[]
    ) AS new (link_pk, url, threat, warn_until, next_check_at)
    JOIN link_reputation AS before
      ON before.link_pk = new.link_pk
      AND before.url_hash = sha256(convert_to(new.url, 'UTF8'))
    WHERE stored.link_pk = before.link_pk
      AND stored.url_hash = before.url_hash
    RETURNING coalesce(before.threat, new.threat) IS NOT NULL AS changed`);
  return rows.some(({ changed }) => changed);
}

export async function storeRevision(tx: Connection, revision: number): Promise<void> {
  await tx.query(
    sql`UPDATE reputation_service SET revision = ${revision} WHERE name = ${serviceName}`,
  );
}

interface ServiceState {
  failures: number;
  pausedUntil: Date | null;
}

export async function findService(): Promise<ServiceState> {
  const [row] = await query<ServiceState>(sql`
    INSERT INTO reputation_service (name)
    VALUES (${serviceName})
    ON CONFLICT (name) DO UPDATE SET name = excluded.name
    RETURNING failures, paused_until AS "pausedUntil"`);
  if (!row) throw new Error("An upsert returned no row");
  return row;
}

export async function updateService(failures: number, pausedUntil: Date | null): Promise<void> {
  await query(sql`
    UPDATE reputation_service
    SET failures = ${failures}, paused_until = ${pausedUntil}
    WHERE name = ${serviceName}`);
}

/** Locks the links, so that their destinations stay until the transaction ends. */
export async function lockDestinations(
  tx: Connection,
  pks: readonly number[],
): Promise<LinkDestinations[]> {
  // Lock in the order of the pks, then read the current values.
  const locked = await tx.query<{ pk: number }>(
    sql`SELECT pk FROM lock_links(${pks}::bigint[], 'key share', true) AS pk`,
  );
  // Answered by link_pkey.
  return await tx.query(sql`
    SELECT pk, url, expired_url, ios, android, geo, rules, test_variants
    FROM link
    WHERE pk = ANY(${locked.map(({ pk }) => pk)}::bigint[])
      AND workspace_pk IS NOT NULL
    ORDER BY pk`);
}

/** The next visited links, perhaps from before the setting was turned on. Undefined: nothing is due. */
export async function listVisited(now: Date, max: number): Promise<number[] | undefined> {
  const [state] = await query<{ walked_pk: number }>(sql`
    SELECT walked_pk
    FROM reputation_service
    WHERE name = ${serviceName}
      AND walk_at <= ${now}`);
  if (!state) return undefined;
  // Answered by link_stat_pkey, in its order.
  const rows = await query<{ pk: number; clicked: boolean }>(sql`
    SELECT link_pk AS pk,
      coalesce(last_click_at > ${now}::timestamptz - make_interval(days => ${visitedDays}), false)
        AS clicked
    FROM link_stat
    WHERE link_pk > ${state.walked_pk}
    ORDER BY link_pk
    LIMIT ${max}`);
  const last = rows.length < max ? 0 : (rows.at(-1)?.pk ?? 0);
  await query(sql`
    UPDATE reputation_service
    SET walked_pk = ${last},
      walk_at = CASE WHEN ${last} = 0 THEN ${now}::timestamptz + interval '1 day' ELSE walk_at END
    WHERE name = ${serviceName}`);
  return rows.filter(({ clicked }) => clicked).map(({ pk }) => pk);
}
