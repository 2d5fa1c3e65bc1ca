/** A cookie decides the language, otherwise the browser's preference. URLs contain no language. */
import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { camelOf } from "#lib/basics/variants/schema";
import en from "./en.json";
import {
  type ErrorMessageKey,
  findLocale,
  findZone,
  type Locale,
  preferredLocale,
} from "./schema.ts";
import zh from "./zh.json";

export { findLocale, findZone } from "./schema.ts";

export const localeCookie = "locale";
export const zoneCookie = "zone";

const catalogues = { en, zh };

declare module "next-intl" {
  interface AppConfig {
    Locale: Locale;
    Messages: typeof en;
  }
}

/** Undefined for a code without a message. Sound because the key is in the catalogue. */
export function findErrorKey(code: string | undefined): ErrorMessageKey | undefined {
  const key = camelOf(code ?? "");
  return Object.hasOwn(en.errors, key) ? (key as ErrorMessageKey) : undefined;
}

export async function findPersonZone(): Promise<string | undefined> {
  return findZone((await cookies()).get(zoneCookie)?.value);
}

async function findPersonLocale(): Promise<Locale> {
  const chosen = findLocale((await cookies()).get(localeCookie)?.value);
  return chosen ?? preferredLocale((await headers()).get("accept-language") ?? "");
}

// biome-ignore lint/style/noDefaultExport: next-intl loads the configuration of a request as this module's default
export default getRequestConfig(async () => {
  const locale = await findPersonLocale();
  return {
    locale,
    messages: catalogues[locale],
    timeZone: (await findPersonZone()) ?? "UTC",
  };
});
