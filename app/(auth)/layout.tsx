import Link from "next/link";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Mark } from "#components/brand/mark";
import { PreferencesMenu } from "#components/shell/preferences";
import { parseUrl } from "#lib/basics/urls/schema";
import { FooterLinks } from "../footer-links.tsx";
import { Texts } from "../pages.tsx";
import { findPendingUrl } from "../pending-url.ts";
import { chooseLocale, chooseTheme } from "../preference-actions.ts";
import { getTheme } from "../preferences.ts";

const texts = [
  "auth",
  "entry",
  "errors.emailInvalid",
  "errors.passwordMissing",
  "errors.signInRefused",
  "errors.passkeyRefused",
  "errors.codeFormat",
  "errors.codeWrong",
  "errors.expired",
  "errors.tooMany",
  "errors.busy",
  "errors.serviceUnavailable",
  "languages",
  "themes",
];

export default async function AuthLayout({ children }: { children: ReactNode }) {
  const [t, entry, theme, pendingUrl] = await Promise.all([
    getTranslations("common"),
    getTranslations("entry"),
    getTheme(),
    findPendingUrl(),
  ]);
  const host = parseUrl(pendingUrl ?? "")?.host ?? "";
  return (
    <Texts of={texts}>
      <div className="flex min-h-dvh flex-col bg-sunken">
        <header className="flex h-16 items-center justify-between px-5 md:px-8">
          <Link href="/" className="flex items-center gap-2 rounded-sm font-semibold text-lg">
            <Mark className="size-5 text-accent" />
            {t("product")}
          </Link>
          <PreferencesMenu theme={theme} chooseTheme={chooseTheme} chooseLocale={chooseLocale} />
        </header>
        <main id="content" className="grid flex-1 content-center justify-items-center px-5 pb-24">
          <div className="w-full max-w-sm">
            {host ? (
              <p className="mb-4 rounded-lg border border-line bg-surface px-4 py-3 text-sm">
                {entry("begun", { host })}
              </p>
            ) : null}
            {children}
          </div>
        </main>
        <footer className="px-5 pb-4 flex flex-wrap justify-center gap-x-5 empty:hidden">
          <FooterLinks />
        </footer>
      </div>
    </Texts>
  );
}
