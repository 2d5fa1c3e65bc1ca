/**
 * How filters are written: values with commas between, a minus in front for everything but these. A backslash takes its
 * meaning from a comma, a minus or a backslash behind it. One notation for addresses of pages and of the API.
 */
export interface FilterWords {
  values: readonly string[];
  /** Everything but these. */
  excluded: boolean;
}

const piece = String.raw`\\[\\,-]|[^,]`;
const values = new RegExp(`(?:${piece})+`, "g");
/** Addresses have commas of their own: the next one begins with its scheme. */
const addresses = new RegExp(
  String.raw`(?:${piece}|,(?![a-z][a-z0-9+.-]*:|\(direct\)|Unknown$))+`,
  "gi",
);

/** Undefined when no value is named. */
export function parseFilter(name: string, text: string | undefined): FilterWords | undefined {
  if (!text) return undefined;
  const excluded = text.startsWith("-");
  const rest = excluded ? text.slice(1) : text;
  const found = (rest.match(/url$/i.test(name) ? addresses : values) ?? [])
    .map((value) => value.replace(/\\([\\,-])/g, "$1").trim())
    .filter((value) => value !== "");
  return found.length > 0 ? { values: [...new Set(found)], excluded } : undefined;
}

export function writeFilter({ values: words, excluded }: Readonly<FilterWords>): string {
  const text = words.map((word) => word.replace(/[\\,]/g, "\\$&")).join(",");
  return excluded ? `-${text}` : text.replace(/^-/, "\\-");
}
