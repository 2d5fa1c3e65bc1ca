"use client";

import {
  siAndroid,
  siApple,
  siBaidu,
  siBilibili,
  siBluesky,
  siBrave,
  siDiscord,
  siDuckduckgo,
  siFacebook,
  siFirefox,
  siGithub,
  siGoogle,
  siGooglechrome,
  siHarmonyos,
  siInstagram,
  siLinux,
  siOpera,
  siPinterest,
  siQq,
  siReddit,
  siSamsung,
  siSinaweibo,
  siTelegram,
  siTiktok,
  siUbuntu,
  siVivaldi,
  siWechat,
  siWhatsapp,
  siX,
  siXiaohongshu,
  siYcombinator,
  siYoutube,
  siZhihu,
} from "simple-icons";
import { Avatar } from "#components/ui/avatar";

interface Brand {
  path: string;
  hex: string;
}

const browsers: Readonly<Record<string, Brand>> = {
  brave: siBrave,
  chrome: siGooglechrome,
  chromium: siGooglechrome,
  firefox: siFirefox,
  opera: siOpera,
  "samsung internet for android": siSamsung,
  vivaldi: siVivaldi,
  wechat: siWechat,
};

const systems: Readonly<Record<string, Brand>> = {
  android: siAndroid,
  "chrome os": siGooglechrome,
  harmonyos: siHarmonyos,
  ios: siApple,
  linux: siLinux,
  macos: siApple,
  ubuntu: siUbuntu,
};

const sites: Readonly<Record<string, Brand>> = {
  baidu: siBaidu,
  bilibili: siBilibili,
  bsky: siBluesky,
  discord: siDiscord,
  duckduckgo: siDuckduckgo,
  facebook: siFacebook,
  github: siGithub,
  google: siGoogle,
  instagram: siInstagram,
  pinterest: siPinterest,
  qq: siQq,
  reddit: siReddit,
  "t.co": siX,
  "t.me": siTelegram,
  telegram: siTelegram,
  tiktok: siTiktok,
  twitter: siX,
  weibo: siSinaweibo,
  whatsapp: siWhatsapp,
  "x.com": siX,
  xiaohongshu: siXiaohongshu,
  ycombinator: siYcombinator,
  youtube: siYoutube,
  zhihu: siZhihu,
};

export type BrandKind = "browser" | "os" | "site";

function brandOf(kind: BrandKind, name: string): Brand | undefined {
  const word = name.toLowerCase();
  if (kind === "browser") return own(browsers, word);
  if (kind === "os") return own(systems, word);
  const labels = word.split(".");
  // Only the registered name counts: google.evil.example is not Google.
  return own(sites, labels.slice(-2).join(".")) ?? own(sites, registeredLabel(labels));
}

/** The label before the suffix: `google` of www.google.co.uk. */
function registeredLabel(labels: readonly string[]): string {
  const twoPart = labels.length > 2 && /^(co|com|org|net|ac)$/.test(labels.at(-2) ?? "");
  return labels.at(twoPart ? -3 : -2) ?? "";
}

function own(brands: Readonly<Record<string, Brand>>, name: string): Brand | undefined {
  return Object.hasOwn(brands, name) ? brands[name] : undefined;
}

/** Loaded from this server only; unknown brands get their first letter. */
export function BrandIcon({ kind, name }: { kind: BrandKind; name: string }) {
  const brand = brandOf(kind, name);
  if (!brand) return <Avatar name={name} className="size-4 rounded-sm text-[10px]" />;
  // Dark logos would be invisible in the dark theme, so they take the color of the text.
  const [red = 0, green = 0, blue = 0] = (brand.hex.match(/../g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  );
  const dark = red * 0.3 + green * 0.6 + blue * 0.1 < 60;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      className="size-4"
      fill={dark ? "currentColor" : `#${brand.hex}`}
    >
      <path d={brand.path} />
    </svg>
  );
}
