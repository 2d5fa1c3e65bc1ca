/**
 * Notation of filters: values separated by commas, with a leading minus to exclude them. A backslash escapes a comma, a
 * minus or a backslash. Page URLs and the API share this notation.
 */
export interface FilterValues {
  values: readonly string[];
  /** Everything except these values. */
  excluded: boolean;
}

const piece = String.raw`\\[\\,-]|[^,]`;
const values = new RegExp(`(?:${piece})+`, "g");
/** URLs contain commas: the next value starts with a scheme. */
const addresses = new RegExp(
  String.raw`(?:${piece}|,(?![a-z][a-z0-9+.-]*:|\(direct\)|Unknown$))+`,
  "gi",
);

/** Undefined when no value is given. */
export function parseFilter(name: string, text: string | undefined): FilterValues | undefined {
  if (!text) return undefined;
  const excluded = text.startsWith("-");
  const rest = excluded ? text.slice(1) : text;
  const found = (rest.match(/url$/i.test(name) ? addresses : values) ?? [])
    .map((value) => value.replace(/\\([\\,-])/g, "$1").trim())
    .filter((value) => value !== "");
  return found.length > 0 ? { values: [...new Set(found)], excluded } : undefined;
}

export function writeFilter({ values: texts, excluded }: Readonly<FilterValues>): string {
  const text = texts.map((word) => word.replace(/[\\,]/g, "\\$&")).join(",");
  return excluded ? `-${text}` : text.replace(/^-/, "\\-");
}
