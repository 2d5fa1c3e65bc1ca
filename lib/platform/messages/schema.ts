/** What the browser knows about the words of the interface: which languages there are and which errors have a sentence. */
import type en from "./en.json";

export const locales = ["en", "zh"] as const;
export type Locale = (typeof locales)[number];

/** Names a sentence of what may be wrong with an import. */
export type ImportWord = keyof (typeof en)["imports"]["said"];

/** Names a sentence of the catalogue that says what to do. */
export type ErrorWord = keyof (typeof en)["errors"];
