/**
 * Hosts that look like another one: letters of other scripts, digits that are read as letters, and mixed scripts. Safe in
 * the browser, which warns while a destination is entered; nothing is refused.
 */
import { parseUrl } from "./parsing.ts";
import { unicodeHost } from "./punycode.ts";

/** Letters of Cyrillic, Greek and other scripts that resemble a Latin one, and digits and signs that are read as one. */
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

/** The normalized text: without case, accents and separators, `l` and `i` being one letter. */
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
  /** `like`: another host; `mixed`: letters of several scripts; `punycode`: letters other than A to Z. */
  code: "like" | "mixed" | "punycode";
  /** As people read it. */
  host: string;
  /** What it looks like; empty unless `like`. */
  like: string;
}

/** Names that are often imitated, as they are written in their own domains. */
const brands = [
  ...["google", "gmail", "youtube", "microsoft", "outlook", "office365", "apple", "icloud"],
  ...["amazon", "facebook", "instagram", "whatsapp", "telegram", "linkedin", "twitter", "netflix"],
  ...["spotify", "paypal", "stripe", "visa", "mastercard", "binance", "coinbase", "metamask"],
  ...["github", "gitlab", "dropbox", "adobe", "docusign", "slack", "zoom", "steam", "ebay"],
  ...["alipay", "wechat", "weixin", "taobao", "tmall", "alibaba", "baidu", "tencent", "unionpay"],
  ...["dhl", "fedex", "ups", "usps", "booking", "airbnb", "uber", "revolut", "wise"],
];
const brandOf = new Map(brands.map((name) => [skeletonOf(name), name]));

/** Scripts that are written together. */
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

/** What is suspicious about the host of a destination. `own` are hosts of the instance or the workspace. */
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
  // Not the top-level domain, which nobody chooses.
  const names = host.split(".").slice(0, -1);
  const brand = names.flatMap((name) => {
    const found = brandOf.get(skeletonOf(name));
    return found !== undefined && found !== name ? [found] : [];
  });
  return brand[0];
}
