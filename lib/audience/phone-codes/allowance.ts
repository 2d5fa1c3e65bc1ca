/**
 * Where codes may go, and how many. Someone who earns from messages to costly numbers would ask for codes without end, from
 * many addresses and for many numbers: what the workspace pays is limited by country and by day.
 */
import { countryOfZone, parsePhone } from "#lib/platform/phones";
import { type Connection, transaction } from "#lib/platform/postgres";
import { type CodeRules, countAsked, findRules } from "./allowance-store.ts";

/** off: an administrator or the workspace stopped codes. budget: of the country, for 24 hours. */
export type CodeRefusal = "off" | "country" | "budget";

export interface Allowance {
  country: string;
  perDay: number;
}

/** The countries that a form may send codes to: its own, else those of the workspace, else where it is at home. */
function countriesOf(
  ofForm: readonly string[],
  { countries, zone }: Pick<CodeRules, "countries" | "zone">,
): readonly string[] {
  if (ofForm.length > 0) return ofForm;
  if (countries.length > 0) return countries;
  return [countryOfZone(zone) ?? []].flat();
}

/** The countries that a form would send codes to. */
export async function findCodeCountries(
  workspacePk: number,
  ofForm: readonly string[],
  tx?: Connection,
): Promise<readonly string[]> {
  const rules = await findRules(workspacePk, tx);
  return rules ? countriesOf(ofForm, rules) : [];
}

/** Numbers of no country, such as those of satellites, get no codes. */
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

/** Writes what asks for a code, and counts it. False is returned uncounted; undefined: the budget is spent. */
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
