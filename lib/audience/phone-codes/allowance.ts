/**
 * Limits where codes may go, and how many. A fraudster who earns from messages to expensive numbers
 * would request codes endlessly, from many addresses for many numbers, so the costs of a workspace
 * are limited by country and day.
 */
import { countryOfZone, parsePhone } from "#lib/platform/phones";
import { type Connection, transaction } from "#lib/platform/postgres";
import { type CodeRules, countAsked, findRules } from "./allowance-store.ts";

/** off: codes were stopped. budget: the country has used its codes of 24 hours. */
export type CodeRefusal = "off" | "country" | "budget";

export interface Allowance {
  country: string;
  perDay: number;
}

/** The countries of the form, otherwise of the workspace, otherwise of its time zone. */
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
