/** The campaign parameters of a query string. */
import { clean, textMax } from "./text.ts";

const utmNames = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
type UtmName = (typeof utmNames)[number];

export type Utm = Record<UtmName, string | null>;
export type SaidUtm = Partial<Record<UtmName, string>>;

/** The parameters present in a query; undefined when there is none. */
export function readUtm(query: string): SaidUtm | undefined {
  if (!query.includes("utm_")) return undefined;
  const said: SaidUtm = {};
  const words = new URLSearchParams(query.split("#", 1)[0]);
  for (const name of utmNames) {
    const word = clean(words.get(name), textMax);
    if (word !== null) said[name] = word;
  }
  return said;
}

/** The part after the question mark. */
export function queryOf(url: string): string {
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
}
