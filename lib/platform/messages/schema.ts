/** Languages, how they are chosen, and the keys of error messages. */
import type { Snake } from "#lib/basics/variants/schema";
import type en from "./en.json";

export const locales = ["en", "zh"] as const;
export type Locale = (typeof locales)[number];

export function findLocale(tag: string | undefined): Locale | undefined {
  const [language] = (tag ?? "").trim().toLowerCase().split(/[-_]/, 1);
  return locales.find((locale) => locale === language);
}

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

export function findZone(name: string | undefined): string | undefined {
  if (!name) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

const catalogues: Readonly<Record<Locale, () => Promise<{ default: typeof en }>>> = {
  en: () => import("./en.json"),
  zh: () => import("./zh.json"),
};

const loaded = new Map<Locale, Promise<typeof en>>();

export function loadMessages(locale: Locale): Promise<typeof en> {
  const loading = loaded.get(locale) ?? catalogues[locale]().then((one) => one.default);
  loaded.set(locale, loading);
  // After a failure, the next call loads it anew.
  loading.catch(() => loaded.delete(locale));
  return loading;
}

export type ImportMessageKey = keyof (typeof en)["imports"]["said"];

export type ErrorMessageKey = keyof (typeof en)["errors"];

/** An error code that has a message. The key of the message is the code in camel case (`camelOf`). */
export type ErrorMessageCode = Snake<ErrorMessageKey>;

export type MessageCode =
  | ErrorMessageCode
  | ImportMessageKey
  | keyof (typeof en)["importers"]["said"]
  | `wechat_${keyof (typeof en)["qr"]["program"]["problems"]}`;
