import "./globals.css";
import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getMessages, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { pickMessages } from "#components/messages/pick.ts";
import { Toaster } from "#components/ui/toast";
import { TooltipProvider } from "#components/ui/tooltip";
import { getTheme } from "./preferences.ts";

/**
 * Geist in four parts: every page loads the 29 KB of English; the others are only loaded for a text that uses them. They come
 * before the main part in the stylesheet, because its fallback font has every character.
 */
const latin = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-geist",
});

const latinExtended = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-latin-ext-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-geist-extended",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+0100-0130,U+0132-0151,U+0154-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
    },
  ],
});

const cyrillic = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-cyrillic-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-geist-cyrillic",
  preload: false,
  adjustFontFallback: false,
  declarations: [{ prop: "unicode-range", value: "U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116" }],
});

const vietnamese = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-vietnamese-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-geist-vietnamese",
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: "unicode-range",
      value:
        "U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303-0304,U+0308-0309,U+0323,U+0329,U+1EA0-1EF9",
    },
  ],
});

const fontVariables = [latin, latinExtended, cyrillic, vietnamese]
  .map((font) => font.variable)
  .join(" ");

/** Messages that every page and its error page need. Layouts and pages add their own (pages.tsx). */
const frameTexts = ["common", "failure"];

const languageTags = { en: "en", zh: "zh-CN" } as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations();
  return {
    title: { default: t("landing.title"), template: `%s · ${t("common.product")}` },
    description: t("landing.lead"),
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fafafa" },
    { media: "(prefers-color-scheme: dark)", color: "#0b0b0b" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, theme, t, messages] = await Promise.all([
    getLocale(),
    getTheme(),
    getTranslations("common"),
    getMessages(),
  ]);
  return (
    <html
      lang={languageTags[locale]}
      className={fontVariables}
      data-theme={theme === "system" ? undefined : theme}
    >
      <body className="font-sans">
        <a
          href="#content"
          className="sr-only z-50 rounded-md bg-solid px-3 py-2 text-on-solid focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          {t("skip")}
        </a>
        <NextIntlClientProvider messages={pickMessages(messages, frameTexts)}>
          <TooltipProvider>
            {children}
            <Toaster />
          </TooltipProvider>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
