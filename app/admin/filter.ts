import type { z } from "zod";
import type { SearchParams } from "../pages.tsx";

/** The value of a select that filters nothing. */
export const unfiltered = "all";

/** The filter in the query parameters. One that makes no sense filters nothing. */
export function readFilter<Schema extends z.ZodType>(
  schema: Schema,
  params: SearchParams,
): z.output<Schema> {
  const given = Object.entries(params).flatMap(([name, value]) => {
    // Ignores characters that no name contains.
    const text = typeof value === "string" ? value.replace(/[\p{Cc}\p{Cs}]/gu, "") : "";
    return text === "" || text === unfiltered ? [] : [[name, text]];
  });
  const parsed = schema.safeParse(Object.fromEntries(given));
  return parsed.success ? parsed.data : schema.parse({});
}

/** The URL of the next page with the same filter; undefined at the end. */
export function nextPage(
  path: string,
  filter: Readonly<Record<string, unknown>>,
  next: string | number | null,
): string | undefined {
  if (next === null) return undefined;
  const kept = Object.entries({ ...filter, startingAfter: next }).filter(([, value]) => value);
  return `${path}?${new URLSearchParams(kept.map(([name, value]) => [name, String(value)]))}`;
}
