"use client";

import { useLocale, useTranslations } from "next-intl";
import { useMemo } from "react";
import { bareUrl } from "#lib/basics/urls/schema";
import type { FilterName } from "./board-query.ts";

export type ValueNamer = (filter: FilterName, value: string, given?: string) => string;

const continents = ["AF", "AN", "AS", "EU", "NA", "OC", "SA"] as const;
const devices = ["Desktop", "Mobile", "Tablet"] as const;
const unknown = ["", "*", "Unknown", "(unknown)", "(direct)", "(none)"];

export function useValueNames(): ValueNamer {
  const locale = useLocale();
  const t = useTranslations("analytics");
  return useMemo(() => {
    const regions = new Intl.DisplayNames(locale, { type: "region", fallback: "code" });
    const languages = new Intl.DisplayNames(locale, { type: "language", fallback: "code" });
    const kinds: Partial<Record<FilterName, (value: string) => string>> = {
      country: (value) => displayName(regions, value),
      language: (value) => displayName(languages, value),
      continent: (value) => {
        const known = continents.find((one) => one === value);
        return known ? t(`continents.${known}`) : value;
      },
      device: (value) => {
        const known = devices.find((one) => one === value);
        return known ? t(`deviceNames.${known}`) : value;
      },
      trigger: (value) => t(value === "qr" ? "triggerNames.qr" : "triggerNames.link"),
    };
    return (filter, value, given = value) => {
      if (unknown.includes(value)) return t(filter.startsWith("referer") ? "direct" : "unknown");
      return kinds[filter]?.(value) ?? bareUrl(given);
    };
  }, [locale, t]);
}

/** Intl throws for an invalid code. */
function displayName(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
