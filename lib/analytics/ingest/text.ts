/** Texts for the database: untrusted ones made safe, and arrays. */

/** Length of a referrer or a campaign parameter. */
export const textMax = 255;
/** Length of a destination: URLs that share this prefix are one. */
export const urlMax = 2_048;

/**
 * Strips NUL, which the database does not accept; null when nothing is left. Half a surrogate pair becomes U+FFFD, as
 * in all UTF-8 that Node writes.
 */
export function clean(text: string | null | undefined, max: number): string | null {
  if (!text) return null;
  const short = text.length > max ? text.slice(0, max) : text;
  return (short.includes("\0") ? short.replaceAll("\0", "") : short) || null;
}

/**
 * Numbers, UUIDs or dates as an array of PostgreSQL in one text: the driver would put each value in quotes by itself.
 */
export function arrayText(
  values: readonly (string | number | undefined)[] | Float64Array<ArrayBuffer>,
): string {
  return `{${values.join(",")}}`;
}
