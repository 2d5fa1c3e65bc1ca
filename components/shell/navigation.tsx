"use client";

import { BookOpen, Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import {
  NotificationBell,
  type NotificationBellProps,
} from "#components/notifications/notification-bell";
import { classNames } from "#components/ui/class-names.ts";
import { Kbd } from "#components/ui/kbd";
import { AccountMenu } from "./account-menu.tsx";
import { navigationItemClass } from "./navigation-item.tsx";
import { isShown, mainPages, type PagePermissions, settingsGroups } from "./page-list.ts";
import type { Preferences } from "./preferences.tsx";
import { useCommandKeyName } from "./shortcuts.tsx";
import { PageItems, SettingsList, SideList } from "./side-list.tsx";
import { WorkspaceMenu, type WorkspaceName } from "./workspace-menu.tsx";

export interface NavigationProps extends PagePermissions {
  current: WorkspaceName;
  workspaces: readonly WorkspaceName[];
  user: { name: string; email: string };
  operator: boolean;
  preferences: Preferences;
  bell: NotificationBellProps;
  onShowShortcuts: () => void;
  onSearch: () => void;
}

export function Navigation(props: NavigationProps) {
  const { current, workspaces, user, preferences, operator, onShowShortcuts } = props;
  const t = useTranslations("shell");
  const command = useCommandKeyName();
  const path = usePathname();
  const base = `/app/${current.slug}`;
  const settings = `${base}/settings`;
  const groups = settingsGroups.map(({ heading, pages }) => ({
    heading,
    pages: pages.filter((page) => isShown(page, props)),
  }));
  return (
    <div className="flex h-full flex-col gap-4">
      {path === settings || path.startsWith(`${settings}/`) ? (
        <SideList back={{ href: `${base}/links`, text: current.name }} heading={t("settings")}>
          <SettingsList base={base} groups={groups} />
        </SideList>
      ) : (
        <>
          <WorkspaceMenu current={current} workspaces={workspaces} />
          <button
            type="button"
            onClick={props.onSearch}
            className="mx-1 flex h-8 shrink-0 items-center gap-2 rounded-md border border-line bg-canvas px-2 text-ink-muted text-sm transition-colors hover:border-line-strong pointer-coarse:h-10"
          >
            <Search aria-hidden className="size-3.5" />
            <span className="truncate">{t("search")}</span>
            <Kbd className="ml-auto pointer-coarse:hidden">{command} K</Kbd>
          </button>
          <nav aria-label={t("navigation")} className="min-h-0 flex-1 overflow-y-auto px-1">
            <PageItems base={base} pages={mainPages.filter((page) => isShown(page, props))} />
          </nav>
          <a
            href="/docs"
            target="_blank"
            rel="noreferrer"
            className={classNames(navigationItemClass, "mx-1 mt-auto")}
          >
            <BookOpen aria-hidden />
            {t("docs")}
          </a>
        </>
      )}
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <AccountMenu
            user={user}
            preferences={preferences}
            operator={operator}
            onShowShortcuts={onShowShortcuts}
          />
        </div>
        {/* On a phone it is in the bar above. */}
        <div className="hidden md:block">
          <NotificationBell {...props.bell} />
        </div>
      </div>
    </div>
  );
}
