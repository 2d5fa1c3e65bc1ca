/** Finds hosts that look like another one. The browser warns; nothing is refused. */
import { parseUrl } from "./web-urls.ts";

const lookAlikes: Record<string, string> = Object.fromEntries(
  Object.entries({
    a: "аαａ@4ɑ",
    b: "ьвβ8",
    c: "сϲ¢",
    d: "ԁɗ",
    e: "еёєε3€",
    g: "ɡ9ց",
    h: "һհ",
    i: "іїιı1!|ӏ",
    j: "јʝ",
    k: "кκ",
    l: "ⅼ",
    m: "мʍ",
    n: "ոηп",
    o: "оοσ0ѳօ",
    p: "рρ",
    q: "ԛ",
    r: "гɾ",
    s: "ѕ5$ꜱ",
    t: "тτ7",
    u: "υսц",
    v: "νѵ",
    w: "шѡԝ",
    x: "хχ",
    y: "уүγ",
    z: "ᴢ2",
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
);

/** Without case, accents and separators; `l` and `i` are one letter. */
export function skeletonOf(text: string): string {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@$!|€¢]/gu, "");
  return [...plain]
    .map((letter) => lookAlikes[letter] ?? letter)
    .join("")
    .replaceAll("l", "i");
}

export interface LookAlike {
  /** `like`: resembles a host; `mixed`: letters of several scripts; `punycode`: others. */
  code: "like" | "mixed" | "punycode";
  host: string;
  like: string;
}

const brands = [
  ...["google", "gmail", "youtube", "microsoft", "outlook", "office365", "apple", "icloud"],
  ...["amazon", "facebook", "instagram", "whatsapp", "telegram", "linkedin", "twitter", "netflix"],
  ...["spotify", "paypal", "stripe", "visa", "mastercard", "binance", "coinbase", "metamask"],
  ...["github", "gitlab", "dropbox", "adobe", "docusign", "slack", "zoom", "steam", "ebay"],
  ...["alipay", "wechat", "weixin", "taobao", "tmall", "alibaba", "baidu", "tencent", "unionpay"],
  ...["dhl", "fedex", "ups", "usps", "booking", "airbnb", "uber", "revolut", "wise"],
];
const brandOf = new Map(brands.map((name) => [skeletonOf(name), name]));

const scripts = {
  latin: /\p{Script=Latin}/u,
  cyrillic: /\p{Script=Cyrillic}/u,
  greek: /\p{Script=Greek}/u,
  armenian: /\p{Script=Armenian}/u,
  hebrew: /\p{Script=Hebrew}/u,
  arabic: /\p{Script=Arabic}/u,
  thai: /\p{Script=Thai}/u,
  asian:
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u,
};

/** Chinese, Japanese and Korean names often have Latin letters. */
function isMixed(label: string): boolean {
  const { latin, asian, ...others } = scripts;
  const found = Object.values(others).filter((script) => script.test(label)).length;
  return found > 1 || (found === 1 && (latin.test(label) || asian.test(label)));
}

/** `own` are hosts of the instance or workspace. */
export function findLookAlike(url: string, own: readonly string[]): LookAlike | undefined {
  const parsed = /^https?:\/\//i.test(url) ? parseUrl(url) : undefined;
  if (!parsed) return undefined;
  const ascii = parsed.hostname.replace(/\.$/, "");
  const host = unicodeHost(ascii);
  const like = findImitated(ascii, host, own);
  if (like !== undefined) return { code: "like", host, like };
  if (host.split(".").some(isMixed)) return { code: "mixed", host, like: "" };
  return host === ascii ? undefined : { code: "punycode", host, like: "" };
}

function findImitated(ascii: string, host: string, own: readonly string[]): string | undefined {
  const isOwn = own.some((one) => ascii === one || ascii.endsWith(`.${one}`));
  if (isOwn) return undefined;
  const imitated = own.find((one) => one.includes(".") && skeletonOf(one) === skeletonOf(host));
  if (imitated !== undefined) return imitated;
  // Ignore the top-level domain, which nobody can choose freely.
  const names = host.split(".").slice(0, -1);
  const brand = names.flatMap((name) => {
    const found = brandOf.get(skeletonOf(name));
    return found !== undefined && found !== name ? [found] : [];
  });
  return brand[0];
}

/** Punycode (RFC 3492), which browsers have no function for. */
const base = 36;
const tMin = 1;
const tMax = 26;
const skew = 38;
const damp = 700;
const initialBias = 72;
const initialCode = 128;
const codeMax = 0x10_ff_ff;

/** Decodes the labels of a host. Labels that are not Punycode stay. */
export function unicodeHost(ascii: string): string {
  return ascii
    .split(".")
    .map((label) => (label.startsWith("xn--") ? (decode(label.slice(4)) ?? label) : label))
    .join(".");
}

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
