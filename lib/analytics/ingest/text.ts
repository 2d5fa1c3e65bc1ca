/** Text from outside, as the database takes it. */

/** Of a referrer, and of each word about a campaign. */
export const textMax = 255;
/** Of a destination: those that begin with the same so many characters are one. */
export const urlMax = 2_048;

/**
 * Without NUL, which no text of the database holds; null when nothing is left. Half a character becomes U+FFFD on its way
 * to the database, as in all UTF-8 that Node writes.
 */
export function clean(text: string | null | undefined, max: number): string | null {
  if (!text) return null;
  const short = text.length > max ? text.slice(0, max) : text;
  return (short.includes("\0") ? short.replaceAll("\0", "") : short) || null;
}
