/** Retirement: writes its dates, retires links, keeps them, and finds those whose quarantine has ended. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import { warningDays } from "./schema.ts";

/** Days after the last visit (or the creation) until links of a workspace retire; 0: never. */
export interface RetirementRules {
  /** Created with the API. */
  apiDays: number;
  peopleDays: number;
  /** Age counts from the creation, whatever the visits. */
  fromCreation: boolean;
}

/**
 * Writes the dates of links without their own. A date never comes closer than the warning period allows, and moves only
 * by a day or more, so that a link with visits every day is not written every day. Returns the number of changes.
 */
export async function planRetirements(
  tx: Connection,
  pks: readonly number[],
  rules: RetirementRules,
  now: Date,
): Promise<number> {
  // Answered by link_pkey and link_stat_pkey. Locked by pk, as everywhere several links are locked.
  const planned = await query(
    sql`
      WITH held AS (
        SELECT pk, api_key_pk, created_at, retires_at
        FROM link
        WHERE pk = ANY(${pks}::bigint[])
          AND NOT retires_own
          AND retired_at IS NULL
          AND url <> ''
          AND key <> '_root'
        ORDER BY pk
        FOR NO KEY UPDATE
      ), ruled AS (
        SELECT held.pk, held.retires_at,
          CASE WHEN held.api_key_pk IS NULL
            THEN ${rules.peopleDays}::int
            ELSE ${rules.apiDays}::int
          END AS days,
          greatest(
            held.created_at,
            CASE WHEN NOT ${rules.fromCreation}::boolean THEN link_stat.last_click_at END
          ) AS since,
          ${now}::timestamptz + ${warningDays + 1} * interval '1 day' AS soonest
        FROM held
        LEFT JOIN link_stat ON link_stat.link_pk = held.pk
      ), dated AS (
        SELECT pk, retires_at AS before,
          CASE WHEN days > 0 THEN greatest(
            since + days * interval '1 day',
            least(retires_at, soonest)
          ) END AS after
        FROM ruled
      )
      UPDATE link
      SET retires_at = dated.after
      FROM dated
      WHERE link.pk = dated.pk
        AND ((dated.before IS NULL) <> (dated.after IS NULL)
          OR abs(extract(epoch FROM dated.after - dated.before)) >= 86400)
      RETURNING 1`,
    tx,
  );
  return planned.length;
}

export interface RetiredLink {
  pk: number;
  id: string;
  domain_pk: number;
  key: string;
}

/** Links that are due, without those that a transaction is changing: the next batch has them. */
export async function lockDue(
  tx: Connection,
  workspacePk: number,
  now: Date,
  max: number,
): Promise<number[]> {
  const rows = await query<{ pk: number }>(
    // Answered by link_retiring. Only a ban stays visible: a link must not leave it by retiring.
    sql`
      SELECT pk
      FROM link
      WHERE workspace_pk = ${workspacePk}
        AND retires_at <= ${now}
        AND retired_at IS NULL
        AND banned_at IS NULL
      ORDER BY retires_at, pk
      LIMIT ${max}
      FOR UPDATE SKIP LOCKED`,
    tx,
  );
  return rows.map(({ pk }) => pk);
}

/** Retires those of the locked links that are still due. */
export function retireRows(
  tx: Connection,
  pks: readonly number[],
  now: Date,
  revision: number,
): Promise<RetiredLink[]> {
  // Answered by link_pkey.
  return query(
    sql`
      UPDATE link
      SET retired_at = ${now},
        revision = ${revision}
      WHERE pk = ANY(${pks}::bigint[])
        AND retires_at <= ${now}
      RETURNING pk, id, domain_pk, key`,
    tx,
  );
}

/** Links that retire until a moment never retire. Returns their number. */
export async function keepRows(
  tx: Connection,
  workspacePk: number,
  until: Date,
  max: number,
): Promise<number> {
  const kept = await query(
    // Answered by link_retiring.
    sql`
      WITH held AS (
        SELECT pk
        FROM link
        WHERE workspace_pk = ${workspacePk}
          AND retires_at <= ${until}
          AND retired_at IS NULL
        ORDER BY retires_at, pk
        LIMIT ${max}
        FOR UPDATE
      )
      UPDATE link
      SET retires_at = NULL,
        retires_own = true
      FROM held
      WHERE link.pk = held.pk
      RETURNING 1`,
    tx,
  );
  return kept.length;
}

export interface EndedLink extends RetiredLink {
  /** Its code may be issued again. */
  recyclable: boolean;
}

/** Retired links whose quarantine has ended, locked. */
export function lockEnded(
  tx: Connection,
  workspacePk: number,
  retiredBefore: Date,
  max: number,
): Promise<EndedLink[]> {
  return query(
    // Answered by link_retired, then by link_stat_pkey and alias_code. Never recycled: printed codes, chosen names,
    // and whatever a browser may have stored (permanent redirects, passwords, used-up limits).
    sql`
      SELECT link.pk, link.id, link.domain_pk, link.key,
        NOT link.alias
          AND link.qr IS NULL
          AND coalesce(link_stat.scans, 0) = 0
          AND link.password_hash IS NULL
          AND link.max_clicks IS NULL
          AND link.redirect_status IN (0, 302, 307)
          AND NOT EXISTS (
            SELECT
            FROM alias
            WHERE alias.key = link.key
              AND alias.key ~ '^[0-9A-Za-z]{6,7}$'
          ) AS recyclable
      FROM link
      LEFT JOIN link_stat ON link_stat.link_pk = link.pk
      WHERE link.workspace_pk = ${workspacePk}
        AND link.retired_at <= ${retiredBefore}
      ORDER BY link.retired_at, link.pk
      LIMIT ${max}
      FOR UPDATE OF link SKIP LOCKED`,
    tx,
  );
}
