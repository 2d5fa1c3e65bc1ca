import { expect, test } from "vitest";
import { giveSettings } from "../../../test/settings.ts";
import { cannotOpen, isAppDownload, wayOutOf } from "./index.ts";

giveSettings();

const address = "https://go.example/sale?a=1";

test.each([
  ["https://cdn.example/app.apk", true],
  ["https://cdn.example/APP.APK?v=2", true],
  ["https://cdn.example/a.ipa#x", true],
  ["https://play.google.com/store/apps/details?id=a", true],
  ["https://market.android.com/details?id=a", true],
  ["https://apps.apple.com/app/id1", false],
  ["https://example.com/?file=app.apk", false],
  ["https://example.com/app.apk.html", false],
  ["https://play.google.com.evil.example/store", false],
  ["https://play.google.com/music", false],
])("%s is a download or a store that some apps block: %s", (url, expected) => {
  expect(isAppDownload(url)).toBe(expected);
});

test("WeChat, QQ and WeCom open no other apps, and mini programs only from outside", () => {
  for (const app of ["wechat", "qq", "wecom"] as const) {
    expect(cannotOpen({ app, system: "ios" }, "taobao://x")).toBe(true);
    expect(cannotOpen({ app, system: "android" }, "market://details?id=a")).toBe(true);
    expect(cannotOpen({ app, system: "ios" }, "tel:110")).toBe(false);
    expect(cannotOpen({ app, system: "ios" }, "https://apps.apple.com/app/id1")).toBe(false);
    expect(cannotOpen({ app, system: "ios" }, "https://example.com/")).toBe(false);
  }
  const wechat = { app: "wechat", system: "ios" } as const;
  expect(cannotOpen(wechat, "weixin://dl/chat")).toBe(false);
  expect(cannotOpen(wechat, "weixin://dl/business/?appid=wx0123456789abcdef")).toBe(true);
  expect(cannotOpen({ app: "instagram", system: "ios" }, "taobao://x")).toBe(false);
});

test("a package is a problem on its own system, and Google Play in browsers that open no apps", () => {
  const [apk, ipa] = ["https://cdn.example/a.apk", "https://cdn.example/a.ipa"];
  expect(cannotOpen({ app: "facebook", system: "android" }, apk)).toBe(true);
  expect(cannotOpen({ app: "facebook", system: "ios" }, apk)).toBe(false);
  expect(cannotOpen({ app: "facebook", system: "ios" }, ipa)).toBe(true);
  const play = "https://play.google.com/store/apps/details?id=a";
  expect(cannotOpen({ app: "wechat", system: "android" }, play)).toBe(true);
  expect(cannotOpen({ app: "facebook", system: "android" }, play)).toBe(false);
});

test("LINE and KakaoTalk are left without a tap, browsers of Meta and X on Android with one", () => {
  expect(wayOutOf({ app: "line", system: "ios" }, address)).toEqual({
    url: `${address}&openExternalBrowser=1`,
    isAutomatic: true,
  });
  expect(wayOutOf({ app: "line", system: "ios" }, "https://go.example/sale")?.url).toBe(
    "https://go.example/sale?openExternalBrowser=1",
  );
  expect(wayOutOf({ app: "kakaotalk", system: "android" }, address)).toEqual({
    url: "kakaotalk://web/openExternal?url=https%3A%2F%2Fgo.example%2Fsale%3Fa%3D1",
    isAutomatic: true,
  });
  expect(wayOutOf({ app: "instagram", system: "android" }, address)).toEqual({
    url: "intent://go.example/sale?a=1#Intent;scheme=https;action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;end",
    isAutomatic: false,
  });
  expect(wayOutOf({ app: "instagram", system: "ios" }, address)).toBeUndefined();
  expect(wayOutOf({ app: "wechat", system: "android" }, address)).toBeUndefined();
});

test("a page that LINE loaded once more is not loaded again", () => {
  const again = `${address}&openExternalBrowser=1`;
  expect(wayOutOf({ app: "line", system: "ios" }, again)).toBeUndefined();
});
