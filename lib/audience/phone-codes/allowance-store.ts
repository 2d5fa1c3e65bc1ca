import { type Connection, query, sql } from "#lib/platform/postgres";

export interface CodeRules {
  zone: string;
  countries: string[];
  perDay: number;
  stopped: boolean;
}

/**
 * Not cached: a workspace that stops codes stops them in every process. Answered by workspace_pkey.
 */
export function findRules(workspacePk: number, tx?: Connection) {
  return query.on(tx).one<CodeRules>(sql`
    SELECT zone, coalesce(code_countries, '{}') AS countries, codes_per_day AS "perDay",
      codes_stopped AS stopped
    FROM workspace
    WHERE pk = ${workspacePk}`);
}

/** Returns the sum of the last 24 hours. Concurrent callers wait for the row. */
export async function countAsked(tx: Connection, workspacePk: number, country: string) {
  // Answered by phone_code_hour_pkey.
  await tx.query(sql`
    INSERT INTO phone_code_hour (workspace_pk, country, hour, asked)
    VALUES (${workspacePk}, ${country}, date_trunc('hour', clock_timestamp()), 1)
    ON CONFLICT (workspace_pk, country, hour) DO UPDATE SET asked = phone_code_hour.asked + 1`);
  const [row] = await tx.query<{ asked: number }>(sql`
    SELECT sum(asked) AS asked
    FROM phone_code_hour
    WHERE workspace_pk = ${workspacePk}
      AND country = ${country}
      AND hour > clock_timestamp() - interval '24 hours'`);
  return Number(row?.asked ?? 0);
}

interface CodeRise {
  workspace_pk: number;
  country: string;
  asked: number;
  /** Of the busiest hour in the week before. */
  usual: number;
}

/** Sudden rises in this hour or the last one that were not reported yet. Each is returned once. */
export function claimRises(
  tx: Connection,
  { codesMin, factor }: { codesMin: number; factor: number },
) {
  return query<CodeRise>(
    // Answered by phone_code_hour_hour, and by phone_code_hour_pkey for the hours before.
    // defence: code-rise-told-once
    // defence: code-rise-compared
    sql`
      UPDATE phone_code_hour
      SET told = true
      FROM (
        SELECT recent.workspace_pk, recent.country, recent.hour, coalesce(max(earlier.asked), 0) AS usual
        FROM phone_code_hour AS recent
        LEFT JOIN phone_code_hour AS earlier
          ON earlier.workspace_pk = recent.workspace_pk
          AND earlier.country = recent.country
          AND earlier.hour < recent.hour
          AND earlier.hour >= recent.hour - interval '7 days'
        WHERE recent.hour >= date_trunc('hour', clock_timestamp()) - interval '1 hour'
          AND recent.asked >= ${codesMin}
          AND NOT recent.told
        GROUP BY recent.workspace_pk, recent.country, recent.hour
      ) AS seen
      WHERE phone_code_hour.workspace_pk = seen.workspace_pk
        AND phone_code_hour.country = seen.country
        AND phone_code_hour.hour = seen.hour
        AND NOT phone_code_hour.told
        AND phone_code_hour.asked >= ${factor} * seen.usual
      RETURNING phone_code_hour.workspace_pk, phone_code_hour.country, phone_code_hour.asked, seen.usual`,
    tx,
  );
}
