/** The parts of the messages that the browser needs: the languages, and the keys of error messages. */
import type en from "./en.json";

export const locales = ["en", "zh"] as const;
export type Locale = (typeof locales)[number];

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
