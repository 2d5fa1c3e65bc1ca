/** Names of the files in an archive of codes. */

/** On many disks names that differ only in capitals are one file, so the second of them gets a number. */
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
 * A short link as the name of a file: without scheme, and nothing in it that means a folder or something else to a
 * system of files. Signs that were replaced would let two names become one, so they are written as their numbers.
 */
function fileNameOf(shortLink: string): string {
  const name = shortLink.replace(/^https?:\/\//, "").replace(/[^\p{L}\p{N}.-]/gu, escapeSign);
  return name.replace(/^\.+/, "");
}

function escapeSign(sign: string): string {
  return sign === "/" ? "_" : `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}`;
}
