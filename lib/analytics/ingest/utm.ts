/** The campaign parameters of a query string. */
import { clean, textMax } from "./text.ts";

const utmNames = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
type UtmName = (typeof utmNames)[number];

export type ClickUtm = Record<UtmName, string | null>;
export type PartialClickUtm = Partial<Record<UtmName, string>>;

/** The parameters present in a query; undefined when there is none. */
export function readUtm(query: string): PartialClickUtm | undefined {
  if (!query.includes("utm_")) return undefined;
  const found: PartialClickUtm = {};
  const params = new URLSearchParams(query.split("#", 1)[0]);
  for (const name of utmNames) {
    const text = clean(params.get(name), textMax);
    if (text !== null) found[name] = text;
  }
  return found;
}

/** The part after the question mark. */
export function queryOf(url: string): string {
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
}
