"use client";

import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Input } from "#components/ui/input";
import { NavigationItem, navigationItemClass } from "./navigation-item.tsx";
import type { PageEntry, PageGroup } from "./page-list.ts";

interface PageItemsProps {
  base: string;
  pages: readonly PageEntry[];
}

export function PageItems({ base, pages }: PageItemsProps) {
  const t = useTranslations("shell");
  return (
    <ul className="grid gap-0.5">
      {pages.map(({ text, path, icon, also = [] }) => (
        <NavigationItem
          key={path}
          href={`${base}/${path}`}
          icon={icon}
          exact={path === "settings" || path === "account"}
          also={also.map((one) => `${base}/${one.path}`)}
        >
          {t(text)}
        </NavigationItem>
      ))}
    </ul>
  );
}

interface SideListProps {
  back: { href: string; text: string };
  heading: string;
  children: ReactNode;
}

/** The sidebar of a separate area, such as the settings. */
export function SideList({ back, heading, children }: SideListProps) {
  const path = usePathname();
  const list = useRef<HTMLElement>(null);
  // On a low screen, the entry of the page may be below the others.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each path has another entry
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [path]);
  return (
    <>
      <Link href={back.href} className={navigationItemClass}>
        <ArrowLeft aria-hidden />
        <span className="truncate">{back.text}</span>
      </Link>
      <nav
        ref={list}
        aria-label={heading}
        className="-my-1 flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-1 py-1"
      >
        <h2 className="px-2 font-semibold">{heading}</h2>
        {children}
      </nav>
    </>
  );
}

interface SettingsListProps {
  base: string;
  groups: readonly PageGroup[];
}

/** The settings of a workspace, which can be filtered by a text. */
export function SettingsList({ base, groups }: SettingsListProps) {
  const t = useTranslations("shell");
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = groups
    .map(({ heading, pages }) => ({
      heading,
      pages: pages.filter(({ text }) => t(text).toLowerCase().includes(wanted)),
    }))
    .filter(({ pages }) => pages.length > 0);
  return (
    <>
      <Input
        type="search"
        aria-label={t("searchSettings")}
        placeholder={t("searchSettings")}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {shown.map(({ heading, pages }) => (
        <div key={heading}>
          <h3 className="px-2 pb-1 font-medium text-ink-faint text-xs">{t(heading)}</h3>
          <PageItems base={base} pages={pages} />
        </div>
      ))}
      {shown.length === 0 ? <p className="px-2 text-ink-muted text-sm">{t("noSettings")}</p> : null}
    </>
  );
}
