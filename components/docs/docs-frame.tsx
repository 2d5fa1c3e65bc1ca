"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";

export interface DocsPage {
  href: string;
  title: string;
}

export interface DocsGroup {
  title: string;
  pages: readonly DocsPage[];
}

interface DocsFrameProps {
  groups: readonly DocsGroup[];
  children: ReactNode;
}

/** The pages of the documentation beside the one that is read, and the ways to the pages before and after it. */
export function DocsFrame({ groups, children }: DocsFrameProps) {
  const t = useTranslations("docsFrame");
  const path = usePathname();
  const pages = groups.flatMap((group) => group.pages);
  const at = pages.findIndex(({ href }) => href === path);
  return (
    <div className="lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-10">
      <details className="mt-4 rounded-lg border border-line lg:hidden">
        <summary className="cursor-pointer rounded-lg px-4 py-3 font-medium text-sm hover:bg-hover">
          {t("pages")}
        </summary>
        <Pages groups={groups} path={path} label={t("pages")} className="px-2 pb-3" />
      </details>
      <Pages
        groups={groups}
        path={path}
        label={t("sidebar")}
        className="sticky top-0 hidden max-h-dvh self-start overflow-y-auto py-8 lg:grid"
      />
      <div className="min-w-0">
        {children}
        {at < 0 ? null : (
          <nav aria-label={t("around")} className="mt-16 grid gap-3 sm:grid-cols-2">
            <Step page={pages[at - 1]} label={t("previous")} />
            <Step page={pages[at + 1]} label={t("next")} className="sm:col-start-2 sm:text-right" />
          </nav>
        )}
      </div>
    </div>
  );
}

interface PagesProps {
  groups: readonly DocsGroup[];
  path: string;
  label: string;
  className: string;
}

function Pages({ groups, path, label, className }: PagesProps) {
  return (
    <nav aria-label={label} className={classNames("grid gap-5", className)}>
      {groups.map(({ title, pages }) => (
        <div key={title}>
          <p className="px-2 pb-1 font-medium text-ink-muted text-xs">{title}</p>
          <ul className="grid gap-0.5">
            {pages.map((page) => (
              <li key={page.href}>
                <Link
                  href={page.href}
                  prefetch={false}
                  aria-current={page.href === path ? "page" : undefined}
                  className="flex min-h-8 items-center rounded-md px-2 py-1 text-ink-muted text-sm hover:bg-hover hover:text-ink pointer-coarse:min-h-11 aria-[current]:bg-pressed aria-[current]:font-medium aria-[current]:text-ink"
                >
                  {page.title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface StepProps {
  page: DocsPage | undefined;
  label: string;
  className?: string;
}

function Step({ page, label, className }: StepProps) {
  if (!page) return null;
  return (
    <Link
      href={page.href}
      className={classNames(
        "grid gap-0.5 rounded-xl border border-line px-4 py-3 hover:bg-hover",
        className,
      )}
    >
      <span className="text-ink-muted text-xs">{label}</span>
      <span className="font-medium text-sm">{page.title}</span>
    </Link>
  );
}
