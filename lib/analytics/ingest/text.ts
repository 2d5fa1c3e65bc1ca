/** Makes untrusted texts safe for the database, and writes arrays as text. */

export const textMax = 255;
/** Destinations are cut to this length, so longer URLs with the same beginning count as one. */
export const urlMax = 2_048;

/** PostgreSQL refuses NUL. Half a surrogate pair becomes U+FFFD when it is encoded. */
export function clean(text: string | null | undefined, max: number): string | null {
  if (!text) return null;
  const short = text.length > max ? text.slice(0, max) : text;
  return (short.includes("\0") ? short.replaceAll("\0", "") : short) || null;
}

/** Writes a PostgreSQL array as one text, because the driver would quote each value. */
export function arrayText(
  values: readonly (string | number | undefined)[] | Float64Array<ArrayBuffer>,
): string {
  return `{${values.join(",")}}`;
}
