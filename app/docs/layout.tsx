import Link from "next/link";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Mark } from "#components/brand/mark";
import { DocsFrame } from "#components/docs/docs-frame";
import { DocsSearch } from "#components/docs/docs-search";
import { PreferencesMenu } from "#components/shell/preferences";
import { FooterLinks } from "../footer-links.tsx";
import { Texts } from "../pages.tsx";
import { chooseLocale, chooseTheme } from "../preference-actions.ts";
import { getTheme } from "../preferences.ts";
import { listDocsGroups } from "./structure.ts";

export default async function DocsLayout({ children }: { children: ReactNode }) {
  const [t, groups, theme] = await Promise.all([
    getTranslations("guides"),
    listDocsGroups(),
    getTheme(),
  ]);
  return (
    <div className="mx-auto w-full max-w-[90rem] px-5 pb-24 md:px-8">
      <header className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-2">
        <Link href="/" className="flex items-center gap-2 rounded-sm font-semibold text-lg">
          <Mark className="size-5 text-accent" />
          Fuxi
        </Link>
        <Link
          href="/docs"
          className="mr-auto rounded-sm py-1 text-ink-muted text-sm hover:text-ink"
        >
          {t("title")}
        </Link>
        <div className="order-last w-full sm:order-none sm:w-80">
          <Texts of={["docsSearch"]}>
            <DocsSearch />
          </Texts>
        </div>
        <Texts of={["languages", "themes"]}>
          <PreferencesMenu theme={theme} chooseTheme={chooseTheme} chooseLocale={chooseLocale} />
        </Texts>
      </header>
      <Texts of={["docsFrame"]}>
        <DocsFrame groups={groups}>{children}</DocsFrame>
      </Texts>
      <footer className="mt-12 flex flex-wrap gap-x-5 empty:hidden">
        <FooterLinks />
      </footer>
    </div>
  );
}
