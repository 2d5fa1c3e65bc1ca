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
 * the text of a number in 60 ns; an array of texts has to be read up to it.
 */
export function arrayOf(name: Stored): string {
  const array = `array_cat(block.${name}, '{}') AS ${name}`;
  return isText(name) ? `${array}, to_jsonb(block.${name}_values) AS ${name}_json` : array;
}

/** The value of a click, after `arrayOf`. */
export function clickValueOf(name: Stored): string {
  const stored = numberOf(name);
  return isText(name) ? `part.${name}_json ->> ${stored} - 1` : stored;
}

function numberOf(name: Stored): string {
  return `part.${name}[part.place]`;
}

/** The same for the clicks at `part.places`. If there are few, reading an array costs less than converting it to JSON. */
export const atPlaces = {
  arrayOf(name: Stored): string {
    const array = `array_cat(block.${name}, '{}') AS ${name}`;
    return isText(name)
      ? `${array}, array_cat(block.${name}_values, '{}') AS ${name}_values`
      : array;
  },
  /** To be added to the arrays. */
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
