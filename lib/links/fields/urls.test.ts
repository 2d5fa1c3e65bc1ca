/** Valid values of the fields with URLs for visitors. */
import { expect, test } from "vitest";
import { createDomainBody } from "#lib/links/domains/schema";
import { createLinkBody } from "./schema.ts";

const web = "https://example.com/";
const variants = (url: string) => [
  { url, percentage: 50 },
  { url: web, percentage: 50 },
];

/** Web URLs only. */
const webFields: Record<string, (url: string) => boolean> = {
  url: (url) => createLinkBody.safeParse({ url }).success,
  expiredUrl: (expiredUrl) => createLinkBody.safeParse({ url: web, expiredUrl }).success,
  geo: (url) => createLinkBody.safeParse({ url: web, geo: { DE: url } }).success,
  testVariants: (url) =>
    createLinkBody.safeParse({ url: web, testVariants: variants(url) }).success,
  image: (image) => createLinkBody.safeParse({ url: web, image }).success,
  video: (video) => createLinkBody.safeParse({ url: web, video }).success,
  placeholder: (placeholder) => acceptsDomain({ placeholder }),
  "a domain's expiredUrl": (expiredUrl) => acceptsDomain({ expiredUrl }),
  notFoundUrl: (notFoundUrl) => acceptsDomain({ notFoundUrl }),
  logo: (logo) => acceptsDomain({ logo }),
};

/** App URLs are allowed as well. */
const appFields: Record<string, (url: string) => boolean> = {
  ios: (ios) => createLinkBody.safeParse({ url: web, ios }).success,
  android: (android) => createLinkBody.safeParse({ url: web, android }).success,
  rules: (url) => createLinkBody.safeParse({ url: web, rules: [{ os: ["ios"], url }] }).success,
};

function acceptsDomain(fields: object): boolean {
  return createDomainBody.safeParse({ slug: "go.example.com", ...fields }).success;
}

const fields = Object.entries({ ...webFields, ...appFields });

/** As written by an attacker. */
const hostile = ["javascript:", "data:", "vbscript:", "file:", "blob:", "about:"].flatMap(
  (scheme) => {
    const rest = scheme === "data:" ? "text/html,<script>alert(1)</script>" : "//x/alert(1)";
    const name = scheme.slice(0, 4);
    return [
      `${scheme}${rest}`,
      `${scheme.toUpperCase()}${rest}`,
      `  ${scheme}${rest}`,
      `\u0001${scheme}${rest}`,
      `${name}\t${scheme.slice(4)}${rest}`,
      `${name}\n${scheme.slice(4)}${rest}`,
      `${scheme.replace(":", "\r:")}${rest}`,
    ];
  },
);
const others = [
  "//example.com",
  "\\\\example.com",
  "/\\example.com",
  "https:\\\\example.com",
  "https:example.com",
  "https://",
  "https://exa mple.com/",
  "https://example.com/\r\nX: 1",
  "https://example.com/\0",
  "ftp://example.com/",
  "view-source:https://example.com/",
  "ws://example.com/",
  "chrome://settings",
  "myapp://open",
  "intent:",
];

test.each(fields)(
  "%s accepts a web address and nothing that a browser would run or read",
  (_, accepts) => {
    expect(accepts("https://example.com/a?b#c")).toBe(true);
    expect([...hostile, ...others].filter(accepts)).toEqual([]);
  },
);

const apps = [
  "tel:+4930123",
  "sms:+4930123?body=x",
  "mailto:ada@example.com",
  "whatsapp://send?text=x",
  "WhatsApp://send?text=x",
  "weixin://dl/business/?t=1",
  "alipays://platformapi/startapp?appId=1",
  "itms-apps://apps.apple.com/app/id1",
  "market://details?id=com.example",
  "intent://scan/#Intent;scheme=zhihu;package=com.zhihu.android;end",
  "intent://a/#Intent;scheme=https;action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;S.browser_fallback_url=https%3A%2F%2Fexample.com%2F;end",
];

test.each(Object.entries(appFields))("%s also opens apps of the list", (_, accepts) => {
  expect(apps.filter((url) => !accepts(url))).toEqual([]);
});

test.each(Object.entries(webFields))("%s opens no app", (_, accepts) => {
  expect(apps.filter(accepts)).toEqual([]);
});

test.each([
  "intent://a/#Intent;scheme=javascript;end",
  "intent://a/#Intent;scheme=file;end",
  "intent://a/#Intent;scheme=intent;end",
  "intent://a/#Intent;component=com.example/.Secret;end",
  "intent://a/#Intent;SEL;scheme=tg;end",
  "intent://a/#Intent;action=android.intent.action.CALL;scheme=tel;end",
  "intent://a/#Intent;scheme=tg;S.browser_fallback_url=javascript%3Aalert(1);end",
  "intent://a/#Intent;scheme=tg;S.browser_fallback_url=%zz;end",
  "intent://a/#Intent;scheme=tg;constructor=x;end",
  "intent://a/#Intent;scheme=tg",
  "intent://a/",
])("%s is not an intent that a stranger may send", (url) => {
  expect(Object.entries(appFields).filter(([, accepts]) => accepts(url))).toEqual([]);
});
