/** What a gateway says about a message, as far as it may be stored: its text could repeat a phone or a name. */

const pattern = /^[\w.:-]{1,64}$/;
/** Could be a phone. */
const longNumber = /\d{7,}/;
const otherCode = "other";

export function storableCode(text: string | null): string | null {
  if (text === null) return null;
  // defence: gateway-texts-not-stored
  return pattern.test(text) && !longNumber.test(text) ? text : otherCode;
}
