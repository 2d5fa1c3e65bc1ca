/** File names in an archive of codes. */
import { bareUrl } from "#lib/basics/urls/schema";

/** On many disks, names that differ only in case are one file, so the second one gets a number. */
export function fileNamesOf(shortLinks: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return shortLinks.map((shortLink) => {
    const name = fileNameOf(shortLink);
    const count = (seen.get(name.toLowerCase()) ?? 0) + 1;
    seen.set(name.toLowerCase(), count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/**
 * A short link as a file name: without scheme, and without characters that have a meaning for file systems. Replaced
 * characters are written as their numbers, so that two names stay different.
 */
function fileNameOf(shortLink: string): string {
  const name = bareUrl(shortLink).replace(/[^\p{L}\p{N}.-]/gu, escapeSign);
  return name.replace(/^\.+/, "");
}

function escapeSign(sign: string): string {
  return sign === "/" ? "_" : `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}`;
}
