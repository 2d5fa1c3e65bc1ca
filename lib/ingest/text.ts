/** Text from outside, as the database takes it. */

/** Of a referrer, and of each word about a campaign. */
export const textMax = 255;

/** Without NUL, which no text of the database holds, and without halves of characters; null when nothing is left. */
export function clean(text: string | null | undefined, max: number): string | null {
  if (!text) return null;
  const short = text.length > max ? text.slice(0, max) : text;
  const whole = short.isWellFormed() ? short : short.toWellFormed();
  return (whole.includes("\0") ? whole.replaceAll("\0", "") : whole) || null;
}
