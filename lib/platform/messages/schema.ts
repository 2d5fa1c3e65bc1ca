/** The parts of the messages that the browser needs: the languages, and the keys of error messages. */
import type en from "./en.json";

export const locales = ["en", "zh"] as const;
export type Locale = (typeof locales)[number];

/** The key of a message about a problem of an import. */
export type ImportMessageKey = keyof (typeof en)["imports"]["said"];

/** The key of an error message. */
export type ErrorMessageKey = keyof (typeof en)["errors"];
