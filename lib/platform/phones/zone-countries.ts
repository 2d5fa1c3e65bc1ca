/** The country of a time zone, such as CN for Asia/Shanghai: where a workspace is at home. */
import { getCountries } from "libphonenumber-js/max";

/** Node 20 has a property, later versions a function, and the types neither. */
interface LocaleWithZones extends Intl.Locale {
  timeZones?: string[];
  getTimeZones?: () => string[] | undefined;
}

function zonesOf(country: string): readonly string[] {
  const locale: LocaleWithZones = new Intl.Locale("und", { region: country });
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

let countries: ReadonlyMap<string, string> | undefined;

/** Undefined: the zone is that of no country, such as UTC. */
export function countryOfZone(zone: string): string | undefined {
  countries ??= new Map(
    getCountries().flatMap((country) =>
      zonesOf(country).map((one): [string, string] => [canonicalZone(one), country]),
    ),
  );
  return countries.get(canonicalZone(zone));
}

/** One name of zones that have several, such as Asia/Kolkata. */
function canonicalZone(zone: string): string {
  return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
}
