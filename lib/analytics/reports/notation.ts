/** Values separated by commas. A leading minus excludes them. A backslash escapes commas, minus signs and backslashes. */
export interface FilterValues {
  values: readonly string[];
  excluded: boolean;
}

const piece = String.raw`\\[\\,-]|[^,]`;
const values = new RegExp(`(?:${piece})+`, "g");
/** URLs contain commas, so the next value must start with a scheme. */
const addresses = new RegExp(
  String.raw`(?:${piece}|,(?![a-z][a-z0-9+.-]*:|\(direct\)|Unknown$))+`,
  "gi",
);

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
