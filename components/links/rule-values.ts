"use client";

import { useLocale, useTranslations } from "next-intl";
import { useMemo } from "react";
import { useCountryOptions } from "#components/forms/countries.ts";
import { appLabel, appNames } from "#lib/platform/request-info/schema";

export const listConditions = [
  "device",
  "os",
  "browser",
  "app",
  "language",
  "country",
  "region",
  "city",
] as const;
export type ListCondition = (typeof listConditions)[number];

interface Option {
  value: string;
  label: string;
}

const devices = ["mobile", "tablet", "desktop", "tv"] as const;
const systems = ["iOS", "Android", "HarmonyOS", "Windows", "macOS", "Linux", "Chrome OS"];
const browsers = [
  ...["Chrome", "Safari", "Firefox", "Microsoft Edge", "WeChat", "Samsung Internet for Android"],
  ...["Opera", "UC Browser", "MIUI Browser"],
];
const languages = [
  ...["en", "zh", "es", "hi", "ar", "pt", "bn", "ru", "ja", "de", "fr", "ko", "it", "tr", "vi"],
  ...["pl", "nl", "th", "id", "ms", "uk", "sv", "cs", "el", "he", "fa", "ro", "hu", "da", "fi"],
  ...["zh-CN", "zh-TW", "zh-HK", "en-US", "en-GB", "pt-BR", "de-AT", "de-CH", "fr-CA", "es-MX"],
];
/** The options of a condition, in the user's language; other values can be typed. */
export function useRuleOptions(): Record<ListCondition, Option[]> {
  const locale = useLocale();
  const t = useTranslations("linkForm.rules");
  const country = useCountryOptions();
  return useMemo(() => {
    const languageNames = new Intl.DisplayNames(locale, { type: "language", fallback: "code" });
    const byLabel = (a: Option, b: Option) => a.label.localeCompare(b.label, locale);
    // The API lowercases these values. The list does too, so that it recognizes a selected value.
    const folded = (label: string) => ({ value: label.toLowerCase(), label });
    return {
      device: devices.map((value) => ({ value, label: t(`devices.${value}`) })),
      os: systems.map(folded),
      browser: browsers.map(folded),
      app: appNames.map((value) => ({
        value,
        label: appLabel(value, locale === "zh" ? "zh" : "en"),
      })),
      language: languages
        .map((code) => ({ value: code.toLowerCase(), label: languageNames.of(code) ?? code }))
        .sort(byLabel),
      country,
      region: [],
      city: [],
    };
  }, [locale, t, country]);
}
