import Link from "next/link";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Mark } from "#components/brand/mark";
import { DocsSearch } from "#components/docs/docs-search";
import { PreferencesMenu } from "#components/shell/preferences";
import { FooterLinks } from "../footer-links.tsx";
import { Texts } from "../pages.tsx";
import { chooseLocale, chooseTheme } from "../preference-actions.ts";
import { getTheme } from "../preferences.ts";

export default async function DocsLayout({ children }: { children: ReactNode }) {
  const [t, guides, links, theme] = await Promise.all([
    getTranslations("reference"),
    getTranslations("guides"),
    getTranslations("linkGuide"),
    getTheme(),
  ]);
  const pages = [
    ["/docs", guides("title")],
    ["/docs/start", guides("start")],
    ["/docs/api", t("title")],
    ["/docs/links", links("title")],
  ] as const;
  return (
    <div className="mx-auto w-full max-w-5xl px-5 pb-24 md:px-8">
      <header className="flex min-h-16 items-center gap-4 py-2">
        <Link href="/" className="flex items-center gap-2 rounded-sm font-semibold text-lg">
          <Mark className="size-5 text-accent" />
          Fuxi
        </Link>
        <nav aria-label={t("documentation")} className="mr-auto flex flex-wrap gap-x-4">
          {pages.map(([href, text]) => (
            <Link
              key={href}
              href={href}
              className="rounded-sm py-1 text-ink-muted text-sm hover:text-ink"
            >
              {text}
            </Link>
          ))}
        </nav>
        <Texts of={["languages", "themes"]}>
          <PreferencesMenu theme={theme} chooseTheme={chooseTheme} chooseLocale={chooseLocale} />
        </Texts>
      </header>
      <div className="max-w-md">
        <Texts of={["docsSearch"]}>
          <DocsSearch />
        </Texts>
      </div>
      {children}
      <footer className="mt-12 flex flex-wrap gap-x-5 empty:hidden">
        <FooterLinks />
      </footer>
    </div>
  );
}
