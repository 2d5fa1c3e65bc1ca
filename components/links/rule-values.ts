"use client";

import { useLocale, useTranslations } from "next-intl";
import { useMemo } from "react";

/** Conditions of a rule that are lists of values. */
export const listConditions = [
  "device",
  "os",
  "browser",
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
/** ISO 3166-1, without uninhabited territories. */
const countries =
  "AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW".split(
    " ",
  );

/** The options of a condition, in the user's language; other values can be typed. */
export function useRuleOptions(): Record<ListCondition, Option[]> {
  const locale = useLocale();
  const t = useTranslations("linkForm.rules");
  return useMemo(() => {
    const regionNames = new Intl.DisplayNames(locale, { type: "region", fallback: "code" });
    const languageNames = new Intl.DisplayNames(locale, { type: "language", fallback: "code" });
    const byLabel = (a: Option, b: Option) => a.label.localeCompare(b.label, locale);
    // The API folds case; so does the list, so that a selected value is found again.
    const folded = (label: string) => ({ value: label.toLowerCase(), label });
    return {
      device: devices.map((value) => ({ value, label: t(`devices.${value}`) })),
      os: systems.map(folded),
      browser: browsers.map(folded),
      language: languages
        .map((code) => ({ value: code.toLowerCase(), label: languageNames.of(code) ?? code }))
        .sort(byLabel),
      country: countries
        .map((value) => ({ value, label: regionNames.of(value) ?? value }))
        .sort(byLabel),
      region: [],
      city: [],
    };
  }, [locale, t]);
}
