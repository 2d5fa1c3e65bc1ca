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

const textNames: readonly string[] = texts;

export function isText(name: string): boolean {
  return textNames.includes(name);
}

/** The array of a block, out of its compressed form. Otherwise, PostgreSQL would decompress it again for each click. */
export function arrayOf(name: Stored): string {
  const array = `array_cat(block.${name}, '{}') AS ${name}`;
  return isText(name) ? `${array}, array_cat(block.${name}_values, '{}') AS ${name}_values` : array;
}

/**
 * After `arrayOf`, the texts again as JSON, which finds one in 60 ns. An array of texts has to be read up to it, which is still less
 * than to convert all of them for a few clicks.
 */
export function textsOf(names: readonly Stored[], isWanted = "true"): string {
  return names
    .filter(isText)
    .map((name) => `, CASE WHEN ${isWanted} THEN to_jsonb(part.${name}_values) END AS ${name}_json`)
    .join("");
}

/** The value of a click, after `textsOf`. */
export function clickValueOf(name: Stored): string {
  const stored = `part.${name}[part.place]`;
  if (!isText(name)) return stored;
  return `CASE WHEN part.${name}_json IS NULL THEN part.${name}_values[${stored}] ELSE part.${name}_json ->> ${stored} - 1 END`;
}
