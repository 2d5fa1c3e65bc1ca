/** Texts for the database: untrusted ones made safe, and arrays. */

export const textMax = 255;
/** The length of a destination: URLs with this prefix in common are one. */
export const urlMax = 2_048;

/** PostgreSQL refuses NUL. Half a surrogate pair becomes U+FFFD when it is encoded. */
export function clean(text: string | null | undefined, max: number): string | null {
  if (!text) return null;
  const short = text.length > max ? text.slice(0, max) : text;
  return (short.includes("\0") ? short.replaceAll("\0", "") : short) || null;
}

/** A PostgreSQL array in one text: the driver would quote each value. */
export function arrayText(
  values: readonly (string | number | undefined)[] | Float64Array<ArrayBuffer>,
): string {
  return `{${values.join(",")}}`;
}
