import { expect, test } from "vitest";
import type { FormContent } from "#lib/audience/forms/schema";
import { pageLogoBytesMax } from "#lib/links/branding/schema";
import { pageBytesMax } from "#lib/redirect/visitor-pages/schema";
import { giveSettings } from "../../../test/settings.ts";
import { formPage } from "./page.ts";

giveSettings();

const content: FormContent = {
  title: "Get the size guide",
  text: "Tell us where to send it.",
  button: "",
  fields: [
    { type: "name", required: false },
    { type: "email", required: true },
    { type: "phone", required: true },
    { type: "choice", label: "Size", options: ["Small", "Large"], required: true },
    { type: "check", label: "I am at least 18 years old", required: true },
  ],
  consent: "I agree that you store my answers to send me the guide.",
  marketing: "Send me offers too.",
  controller: "Acme GmbH, Berlin",
  privacyUrl: "https://example.com/privacy",
  skip: true,
  confirmPhone: false,
  rememberDays: 30,
};

function pageOf(language: "en" | "zh"): string {
  const logo = Buffer.alloc(pageLogoBytesMax, 7).toString("base64");
  const branding = { css: "a".repeat(500), source: "", logoHtml: logo, pages: new Map() };
  const page = formPage({
    content,
    personal: true,
    version: 1,
    language,
    branding,
    onDashboardHost: true,
    entered: new Map(),
    problems: new Map(),
    callingCode: "+49",
    withdrawAddress: "https://go.example/sale?fuxi_withdraw=1",
    offer: undefined,
  });
  return page.toString();
}

test("a form with a field of each type and the largest logo is small, in both languages", () => {
  for (const language of ["en", "zh"] as const) {
    expect(Buffer.byteLength(pageOf(language))).toBeLessThanOrEqual(pageBytesMax);
  }
});

test("no text of a form shows a query parameter of Fuxi", () => {
  for (const language of ["en", "zh"] as const) {
    expect(pageOf(language).replace(/<[^>]*>/g, "")).not.toContain("fuxi_");
  }
});
