import { expect, test } from "vitest";
import { appNames } from "#lib/platform/request-info/schema";
import { menuEdgeOf } from "#lib/redirect/app-browsers";
import { pageBytesMax } from "#lib/redirect/visitor-pages/schema";
import { giveSettings } from "../../../../test/settings.ts";
import { browserPage } from "./browser.ts";

giveSettings();

const address = "https://go.example/sale?a=1";
const systems = ["ios", "android"] as const;

function pageOf(app: (typeof appNames)[number], system: "ios" | "android", language = "en") {
  const page = browserPage({
    browser: { app, system },
    address,
    continueUrl: "/sale?a=1&fuxi_continue=t",
    acceptLanguage: language,
    branding: undefined,
    onDashboardHost: false,
  });
  return { html: page.toString(), bytes: page.length };
}

test("every page is small, and its arrow is where the text says", () => {
  for (const app of appNames) {
    for (const system of systems) {
      const { html, bytes } = pageOf(app, system);
      expect(bytes).toBeLessThan(pageBytesMax);
      const edge = menuEdgeOf({ app, system });
      expect(html.includes('class="arrow top"')).toBe(edge === "top");
      expect(html.includes('class="arrow bottom"')).toBe(edge === "bottom");
      expect(html.includes("top right corner")).toBe(edge === "top");
      expect(html.includes("bottom right corner")).toBe(edge === "bottom");
    }
  }
  expect(menuEdgeOf({ app: "wechat", system: "ios" })).toBe("top");
  expect(menuEdgeOf({ app: "facebook", system: "ios" })).toBe("bottom");
});

test("the app is named in the language of the visitor", () => {
  expect(pageOf("wechat", "ios").html).toContain("In WeChat, tap");
  expect(pageOf("wechat", "ios", "zh-CN").html).toContain("在微信中点击右上角");
});
