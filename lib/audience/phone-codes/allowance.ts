/**
 * Limits where codes may go, and how many. A fraudster who earns from messages to expensive numbers
 * would request codes endlessly, from many addresses for many numbers, so the costs of a workspace
 * are limited by country and day.
 */
import { countryOfZone, parsePhone } from "#lib/platform/phones";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";

/** `off`: codes were stopped. `budget`: the country has used up its codes for 24 hours. */
export type CodeRefusal = "off" | "country" | "budget";

export interface Allowance {
  country: string;
  perDay: number;
}

/** Countries of the form, otherwise of the workspace, otherwise the country of its time zone. */
function countriesOf(
  ofForm: readonly string[],
  { countries, zone }: Pick<CodeRules, "countries" | "zone">,
): readonly string[] {
  if (ofForm.length > 0) return ofForm;
  if (countries.length > 0) return countries;
  return [countryOfZone(zone) ?? []].flat();
}

export async function findCodeCountries(
  workspacePk: number,
  ofForm: readonly string[],
  tx?: Connection,
): Promise<readonly string[]> {
  const rules = await findRules(workspacePk, tx);
  return rules ? countriesOf(ofForm, rules) : [];
}

/** Numbers without a country, such as satellite phones, get no codes. */
export async function findAllowance(
  workspacePk: number,
  phone: string,
  ofForm: readonly string[],
): Promise<Allowance | Exclude<CodeRefusal, "budget">> {
  const rules = await findRules(workspacePk);
  // defence: stopped-codes-not-asked
  if (!rules || rules.stopped) return "off";
  const country = parsePhone(phone, "")?.country ?? "";
  // defence: code-countries
  if (!countriesOf(ofForm, rules).includes(country)) return "country";
  return { country, perDay: rules.perDay };
}

class BudgetSpent extends Error {}

/** Counts the request unless `write` returns false. Undefined: the budget is used up. */
export async function askWithin<Result>(
  workspacePk: number,
  allowance: Allowance,
  write: (tx: Connection) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await transaction(async (tx) => {
      const result = await write(tx);
      if (result === false) return result;
      const asked = await countAsked(tx, workspacePk, allowance.country);
      // defence: codes-per-country-and-day
      if (asked > allowance.perDay) throw new BudgetSpent();
      return result;
    });
  } catch (error) {
    if (error instanceof BudgetSpent) return undefined;
    throw error;
  }
}

interface CodeRules {
  zone: string;
  countries: string[];
  perDay: number;
  stopped: boolean;
}

/** Not cached, so that stopping codes takes effect in every process. Answered by workspace_pkey. */
function findRules(workspacePk: number, tx?: Connection) {
  return query.on(tx).one<CodeRules>(sql`
    SELECT zone, coalesce(code_countries, '{}') AS countries, codes_per_day AS "perDay",
      codes_stopped AS stopped
    FROM workspace
    WHERE pk = ${workspacePk}`);
}

/** Returns the sum of the last 24 hours. Concurrent callers wait for the row. */
async function countAsked(tx: Connection, workspacePk: number, country: string) {
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
  /** Codes in the busiest hour of the week before. */
  usual: number;
}

/** Sudden rises in this hour or the last one that were not reported yet. Each is returned once. */
export function claimRises(
  tx: Connection,
  { codesMin, factor }: { codesMin: number; factor: number },
) {
  // Answered by phone_code_hour_hour, and by phone_code_hour_pkey for the hours before.
  // defence: code-rise-told-once
  // defence: code-rise-compared
  return tx.query<CodeRise>(sql`
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
    RETURNING phone_code_hour.workspace_pk, phone_code_hour.country, phone_code_hour.asked, seen.usual`);
}
