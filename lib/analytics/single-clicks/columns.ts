/** The columns of blocks. */
import { clickColumns } from "#lib/analytics/dimensions/schema";

/** Bits of `flags`. */
export const flags = { bot: 1, qr: 2, first_of_link: 4, first_of_workspace: 8 } as const;
export type Flag = keyof typeof flags;

export function isFlag(name: string): name is Flag {
  return Object.hasOwn(flags, name);
}

export const keys = ["at", "link_pk", "domain_pk", "id"] as const;
export const texts = [...clickColumns, "ua", "bot_kind"] as const;

export type Stored = (typeof keys)[number] | "flags" | (typeof texts)[number];

const fewPlaces = 100;
const textNames: readonly string[] = texts;

export function isText(name: string): boolean {
  return textNames.includes(name);
}

/**
 * The array of a block, out of its compressed form. Otherwise, PostgreSQL would decompress it again for each click. JSON finds
 * a text by its number in 60 ns; in an array of texts, PostgreSQL reads all texts before it.
 */
export function arrayOf(name: Stored): string {
  const array = unpacked(name);
  return isText(name) ? `${array}, to_jsonb(block.${name}_values) AS ${name}_json` : array;
}

function unpacked(column: string): string {
  return `array_cat(block.${column}, '{}') AS ${column}`;
}

/** The value of a click, after `arrayOf`. */
export function clickValueOf(name: Stored): string {
  const stored = numberOf(name);
  return isText(name) ? `part.${name}_json ->> ${stored} - 1` : stored;
}

function numberOf(name: Stored): string {
  return `part.${name}[part.place]`;
}

/** For only the clicks at `part.places`: where they are few, an array is cheaper to read than to convert to JSON. */
export const atPlaces = {
  arrayOf(name: Stored): string {
    return isText(name) ? `${unpacked(name)}, ${unpacked(`${name}_values`)}` : unpacked(name);
  },
  /** Columns to select besides the arrays. */
  jsonOf(names: readonly Stored[]): string {
    const json = (name: Stored) =>
      `, CASE WHEN cardinality(part.places) > ${fewPlaces} THEN to_jsonb(part.${name}_values) END AS ${name}_json`;
    return names.filter(isText).map(json).join("");
  },
  valueAt(name: Stored): string {
    if (!isText(name)) return clickValueOf(name);
    return `CASE WHEN part.${name}_json IS NULL THEN part.${name}_values[${numberOf(name)}] ELSE ${clickValueOf(name)} END`;
  },
} as const;
