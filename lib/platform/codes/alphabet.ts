/** Numbers in base62. A code has six digits, and seven once all six-digit codes are used. */
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const base = digits.length;

const digitValue = new Int8Array(128).fill(-1);
for (let value = 0; value < base; value++) digitValue[digits.charCodeAt(value)] = value;

/** Writes a number with exactly `length` digits. */
export function toBase62(number: number, length: number): string {
  let text = "";
  let rest = number;
  for (let at = 0; at < length; at++) {
    text = digits.charAt(rest % base) + text;
    rest = Math.floor(rest / base);
  }
  return text;
}

/** Reads a number; undefined when a character is not a digit. */
export function fromBase62(text: string): number | undefined {
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const value = digitValue[text.charCodeAt(at)] ?? -1;
    if (value < 0) return undefined;
    number = number * base + value;
  }
  return number;
}
