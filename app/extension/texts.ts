/// <reference types="chrome" />
/** The texts of the extension, in the language of the browser: `_locales` has all of them. */
import type messages from "./_locales/en/messages.json";

export type TextKey = keyof typeof messages;

export function text(key: TextKey, ...values: string[]): string {
  return chrome.i18n.getMessage(key, values);
}

/** Replaces the names of texts in the page: the content of elements with `data-text`, and the tooltips of `data-hint`. */
export function translatePage(): void {
  document.documentElement.lang = text("language");
  for (const element of document.querySelectorAll<HTMLElement>("[data-text]")) {
    element.textContent = chrome.i18n.getMessage(element.textContent.trim());
  }
  for (const element of document.querySelectorAll<HTMLElement>("[data-hint]")) {
    element.title = chrome.i18n.getMessage(element.dataset["hint"] ?? "");
  }
}
