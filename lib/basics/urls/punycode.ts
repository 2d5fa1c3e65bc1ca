/** Punycode, as RFC 3492 describes it: browsers have no function that decodes it. */

const base = 36;
const tMin = 1;
const tMax = 26;
const skew = 38;
const damp = 700;
const initialBias = 72;
const initialCode = 128;
const codeMax = 0x10_ff_ff;

/** A host with the letters that its ASCII form stands for; labels that are not Punycode stay unchanged. */
export function unicodeHost(ascii: string): string {
  return ascii
    .split(".")
    .map((label) => (label.startsWith("xn--") ? (decode(label.slice(4)) ?? label) : label))
    .join(".");
}

/** Undefined: it is malformed. */
function decode(text: string): string | undefined {
  const end = text.lastIndexOf("-");
  const output = [...(end > 0 ? text.slice(0, end) : "")].map((letter) => letter.charCodeAt(0));
  const digits = [...text.slice(end + 1)].map(digitOf);
  let [code, bias, at, position] = [initialCode, initialBias, 0, 0];
  while (at < digits.length) {
    const before = position;
    const read = readNumber(digits, at, bias);
    if (!read) return undefined;
    at = read.next;
    position += read.value;
    const count = output.length + 1;
    bias = adapt(position - before, count, before === 0);
    code += Math.floor(position / count);
    position %= count;
    if (code > codeMax) return undefined;
    output.splice(position, 0, code);
    position += 1;
  }
  return String.fromCodePoint(...output);
}

function digitOf(letter: string): number {
  const digit = "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(letter.toLowerCase());
  return digit < 0 ? Number.NaN : digit;
}

/** A number of variable length. */
function readNumber(
  digits: readonly number[],
  start: number,
  bias: number,
): { value: number; next: number } | undefined {
  let [value, weight] = [0, 1];
  for (let at = start, k = base; at < digits.length; at++, k += base) {
    const digit = digits[at] ?? Number.NaN;
    value += digit * weight;
    if (!Number.isSafeInteger(value)) return undefined;
    const threshold = Math.min(tMax, Math.max(tMin, k - bias));
    if (digit < threshold) return { value, next: at + 1 };
    weight *= base - threshold;
  }
  return undefined;
}

function adapt(delta: number, count: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / damp) : Math.floor(delta / 2);
  rest += Math.floor(rest / count);
  let k = 0;
  for (; rest > ((base - tMin) * tMax) / 2; k += base) rest = Math.floor(rest / (base - tMin));
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew));
}
