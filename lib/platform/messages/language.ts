import { type Locale, locales } from "./schema.ts";

/** The supported language of a tag such as "zh-CN" or "en". */
export function findLocale(tag: string | undefined): Locale | undefined {
  const [language] = (tag ?? "").trim().toLowerCase().split(/[-_]/, 1);
  return locales.find((locale) => locale === language);
}

/** The preferred supported language of an Accept-Language header; English otherwise. */
export function preferredLocale(acceptLanguage: string): Locale {
  const choices = acceptLanguage
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";");
      const quality = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean);
      return { locale: findLocale(tag), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return choices.find(({ locale }) => locale !== undefined)?.locale ?? "en";
}

/** The zone by that name, if this runtime supports it. */
export function findZone(name: string | undefined): string | undefined {
  if (!name) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined; // RangeError: unknown zone
  }
}
