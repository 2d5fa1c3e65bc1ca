import Link from "next/link";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Mark } from "#components/brand/mark";
import { PreferencesMenu } from "#components/shell/preferences";
import { Button } from "#components/ui/button";
import { isSignUpOpen } from "#lib/tenancy/instance-rules";
import { FooterLinks } from "../footer-links.tsx";
import { Texts } from "../pages.tsx";
import { hasPrices } from "../plans.ts";
import { chooseLocale, chooseTheme } from "../preference-actions.ts";
import { getTheme } from "../preferences.ts";
import { findVisitor } from "./visitor.ts";

const legal = ["terms", "privacy", "imprint"] as const;

function navigationOf(signedIn: boolean) {
  const prices = hasPrices() ? [{ href: "/pricing", word: "pricing" } as const] : [];
  const docs = { href: "/docs", word: "docs" } as const;
  if (signedIn) return [...prices, docs, { href: "/app", word: "dashboard" } as const];
  return [...prices, docs, { href: "/signin", word: "signIn" } as const];
}

export default async function SiteLayout({ children }: { children: ReactNode }) {
  const [t, theme, user, isOpen] = await Promise.all([
    getTranslations("site"),
    getTheme(),
    findVisitor(),
    isSignUpOpen(),
  ]);
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-5xl flex-col px-5 md:px-8">
      <header className="flex min-h-16 flex-wrap items-center gap-x-1 py-2">
        <Link href="/" className="mr-auto flex items-center gap-2 rounded-sm font-semibold text-lg">
          <Mark className="size-5 text-accent" />
          Fuxi
        </Link>
        <nav aria-label={t("navigation")} className="flex">
          {navigationOf(user !== undefined).map(({ href, word }) => (
            <Button key={href} asChild variant="ghost">
              <Link href={href}>{t(word)}</Link>
            </Button>
          ))}
          {user || !isOpen ? null : (
            <Button asChild variant="solid" className="ml-1">
              <Link href="/signup">{t("signUp")}</Link>
            </Button>
          )}
        </nav>
        <Texts of={["languages", "themes"]}>
          <PreferencesMenu theme={theme} chooseTheme={chooseTheme} chooseLocale={chooseLocale} />
        </Texts>
      </header>
      <main id="content" className="flex-1 py-10 md:py-14">
        {children}
      </main>
      <footer className="flex flex-wrap items-center gap-x-5 gap-y-2 border-line border-t py-6 text-ink-muted text-sm">
        <p className="mr-auto">{t("footer")}</p>
        <FooterLinks />
        {legal.map((page) => (
          <Link key={page} href={`/legal/${page}`} className="rounded-sm py-1 hover:text-ink">
            {t(page)}
          </Link>
        ))}
      </footer>
    </div>
  );
}
