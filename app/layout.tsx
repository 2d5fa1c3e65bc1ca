import "./globals.css";
import type { Metadata, Viewport } from "next";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getMessages, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { pickMessages } from "#components/messages/pick.ts";
import { Toaster } from "#components/ui/toast";
import { TooltipProvider } from "#components/ui/tooltip";
import { fontVariables } from "./fonts.ts";
import { getTheme } from "./preferences.ts";

/** What the frame of every page and its error page show. Layouts and pages add their own (texts.tsx). */
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
