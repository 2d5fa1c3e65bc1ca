"use client";

import { BookOpen, Search } from "lucide-react";
import { type MessageKeys, type Messages, useTranslations } from "next-intl";
import {
  NotificationBell,
  type NotificationBellProps,
} from "#components/notifications/notification-bell";
import { classNames } from "#components/ui/class-names.ts";
import { Kbd } from "#components/ui/kbd";
import { AccountMenu } from "./account-menu.tsx";
import { type IconClass, NavigationItem, navigationItemClass } from "./navigation-item.tsx";
import type { Preferences } from "./preferences.tsx";
import { useCommandKeyName } from "./shortcuts.tsx";
import { WorkspaceMenu, type WorkspaceName } from "./workspace-menu.tsx";

/** What only some members may see. */
export interface PagePermissions {
  readsCampaigns: boolean;
  readsWebhooks: boolean;
  readsAudit: boolean;
  managesDestinations: boolean;
  mayExport: boolean;
}

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

interface Page {
  text: MessageKeys<Messages["shell"], keyof Messages["shell"]>;
  path: string;
  icon: IconClass;
  /** Without it, every member sees the page. */
  needs?: keyof PagePermissions;
}

const pages: Readonly<Record<"work" | "organize" | "settings", readonly Page[]>> = {
  work: [
    { text: "links", path: "links", icon: "icon-link-2" },
    { text: "analytics", path: "analytics", icon: "icon-chart-no-axes-combined" },
    { text: "customers", path: "customers", icon: "icon-contact-round" },
    {
      text: "campaigns",
      path: "campaigns",
      icon: "icon-message-square-text",
      needs: "readsCampaigns",
    },
    { text: "imports", path: "imports", icon: "icon-file-up" },
    { text: "domains", path: "domains", icon: "icon-globe" },
  ],
  organize: [
    { text: "folders", path: "folders", icon: "icon-folder" },
    { text: "tags", path: "tags", icon: "icon-tag" },
    { text: "utm", path: "utm", icon: "icon-megaphone" },
    { text: "forms", path: "forms", icon: "icon-clipboard-list" },
  ],
  settings: [
    { text: "general", path: "settings", icon: "icon-settings" },
    { text: "members", path: "settings/members", icon: "icon-users-round" },
    { text: "apiKeys", path: "settings/api-keys", icon: "icon-key-round" },
    { text: "webhooks", path: "settings/webhooks", icon: "icon-webhook", needs: "readsWebhooks" },
    { text: "gateways", path: "settings/gateways", icon: "icon-message-square-share" },
    { text: "wechat", path: "settings/wechat", icon: "icon-messages-square" },
    { text: "publicKeys", path: "settings/public-keys", icon: "icon-radar" },
    { text: "plan", path: "settings/plan", icon: "icon-gauge" },
    {
      text: "destinations",
      path: "settings/destinations",
      icon: "icon-list-checks",
      needs: "managesDestinations",
    },
    { text: "browser", path: "settings/browser", icon: "icon-app-window" },
    { text: "images", path: "settings/images", icon: "icon-image" },
    { text: "auditLog", path: "settings/audit", icon: "icon-scroll-text", needs: "readsAudit" },
    { text: "exportAll", path: "settings/export", icon: "icon-archive", needs: "mayExport" },
    { text: "security", path: "settings/security", icon: "icon-shield-check" },
  ],
};

function Pages({ of, ...props }: NavigationProps & { of: readonly Page[] }) {
  const t = useTranslations("shell");
  return (
    <ul className="grid gap-0.5">
      {of.map(({ text, path, icon, needs }) =>
        needs === undefined || props[needs] ? (
          <NavigationItem
            key={path}
            href={`/app/${props.current.slug}/${path}`}
            icon={icon}
            exact={path === "settings"}
          >
            {t(text)}
          </NavigationItem>
        ) : null,
      )}
    </ul>
  );
}

export function Navigation(props: NavigationProps) {
  const t = useTranslations("shell");
  const command = useCommandKeyName();
  return (
    <div className="flex h-full flex-col gap-4">
      <WorkspaceMenu current={props.current} workspaces={props.workspaces} />
      <button
        type="button"
        onClick={props.onSearch}
        className="mx-1 flex h-8 shrink-0 items-center gap-2 rounded-md border border-line bg-canvas px-2 text-ink-muted text-sm transition-colors hover:border-line-strong pointer-coarse:h-10"
      >
        <Search aria-hidden className="size-3.5" />
        <span className="truncate">{t("search")}</span>
        <Kbd className="ml-auto pointer-coarse:hidden">{command} K</Kbd>
      </button>
      <nav
        aria-label={t("navigation")}
        className="-my-1 flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-1 py-1"
      >
        <Pages of={pages.work} {...props} />
        <div>
          <h2 className="px-2 pb-1 font-medium text-ink-faint text-xs">{t("organize")}</h2>
          <Pages of={pages.organize} {...props} />
        </div>
        <div>
          <h2 className="px-2 pb-1 font-medium text-ink-faint text-xs">{t("settings")}</h2>
          <Pages of={pages.settings} {...props} />
        </div>
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
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <AccountMenu
            user={props.user}
            preferences={props.preferences}
            operator={props.operator}
            onShowShortcuts={props.onShowShortcuts}
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
