/** What of the messages is needed without them: the languages, how they are chosen, and the keys of error messages. */
import type { Snake } from "#lib/basics/variants/schema";
import type en from "./en.json";

export const locales = ["en", "zh"] as const;
export type Locale = (typeof locales)[number];

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

const catalogues: Readonly<Record<Locale, () => Promise<{ default: typeof en }>>> = {
  en: () => import("./en.json"),
  zh: () => import("./zh.json"),
};

const loaded = new Map<Locale, Promise<typeof en>>();

/** All messages of a language, from a file of their own. */
export function loadMessages(locale: Locale): Promise<typeof en> {
  const loading = loaded.get(locale) ?? catalogues[locale]().then((one) => one.default);
  loaded.set(locale, loading);
  // After a failure, the next attempt loads it anew.
  loading.catch(() => loaded.delete(locale));
  return loading;
}

/** The key of a message about a problem of an import. */
export type ImportMessageKey = keyof (typeof en)["imports"]["said"];

/** The key of an error message. */
export type ErrorMessageKey = keyof (typeof en)["errors"];

/** The code of an error that has a message: its key is the code in camel case (`camelOf`). */
export type ErrorMessageCode = Snake<ErrorMessageKey>;

/** The code of a cause that has a message, of whatever part of the dashboard. */
export type MessageCode =
  | ErrorMessageCode
  | ImportMessageKey
  | keyof (typeof en)["importers"]["said"]
  | `wechat_${keyof (typeof en)["qr"]["program"]["problems"]}`;
