"use client";

import { BookOpen, Search } from "lucide-react";
import { useTranslations } from "next-intl";
import {
  NotificationBell,
  type NotificationBellProps,
} from "#components/notifications/notification-bell";
import { classNames } from "#components/ui/class-names.ts";
import { Kbd } from "#components/ui/kbd";
import { AccountMenu } from "./account-menu.tsx";
import { NavigationItem, navigationItemClass } from "./navigation-item.tsx";
import type { Preferences } from "./preferences.tsx";
import { useCommandKeyName } from "./shortcuts.tsx";
import { WorkspaceMenu, type WorkspaceName } from "./workspace-menu.tsx";

export interface NavigationProps {
  current: WorkspaceName;
  workspaces: readonly WorkspaceName[];
  user: { name: string; email: string };
  /** Administers the instance. */
  operator: boolean;
  preferences: Preferences;
  readsCampaigns: boolean;
  readsWebhooks: boolean;
  /** May read the audit log. */
  readsAudit: boolean;
  /** May change the lists of destinations. */
  managesDestinations: boolean;
  /** May export the workspace. */
  mayExport: boolean;
  bell: NotificationBellProps;
  onShowShortcuts: () => void;
  onSearch: () => void;
}

/** The navigation of a workspace; next to the page, or in a sheet on a phone. */
export function Navigation(props: NavigationProps) {
  const t = useTranslations("shell");
  const command = useCommandKeyName();
  const base = `/app/${props.current.slug}`;
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
        <ul className="grid gap-0.5">
          <NavigationItem href={`${base}/links`} icon="icon-link-2">
            {t("links")}
          </NavigationItem>
          <NavigationItem href={`${base}/analytics`} icon="icon-chart-no-axes-combined">
            {t("analytics")}
          </NavigationItem>
          <NavigationItem href={`${base}/customers`} icon="icon-contact-round">
            {t("customers")}
          </NavigationItem>
          {props.readsCampaigns ? (
            <NavigationItem href={`${base}/campaigns`} icon="icon-message-square-text">
              {t("campaigns")}
            </NavigationItem>
          ) : null}
          <NavigationItem href={`${base}/imports`} icon="icon-file-up">
            {t("imports")}
          </NavigationItem>
          <NavigationItem href={`${base}/domains`} icon="icon-globe">
            {t("domains")}
          </NavigationItem>
        </ul>
        <div>
          <h2 className="px-2 pb-1 font-medium text-ink-faint text-xs">{t("organize")}</h2>
          <ul className="grid gap-0.5">
            <NavigationItem href={`${base}/folders`} icon="icon-folder">
              {t("folders")}
            </NavigationItem>
            <NavigationItem href={`${base}/tags`} icon="icon-tag">
              {t("tags")}
            </NavigationItem>
            <NavigationItem href={`${base}/utm`} icon="icon-megaphone">
              {t("utm")}
            </NavigationItem>
            <NavigationItem href={`${base}/forms`} icon="icon-clipboard-list">
              {t("forms")}
            </NavigationItem>
          </ul>
        </div>
        <div>
          <h2 className="px-2 pb-1 font-medium text-ink-faint text-xs">{t("settings")}</h2>
          <ul className="grid gap-0.5">
            <NavigationItem href={`${base}/settings`} exact icon="icon-settings">
              {t("general")}
            </NavigationItem>
            <NavigationItem href={`${base}/settings/members`} icon="icon-users-round">
              {t("members")}
            </NavigationItem>
            <NavigationItem href={`${base}/settings/api-keys`} icon="icon-key-round">
              {t("apiKeys")}
            </NavigationItem>
            {props.readsWebhooks ? (
              <NavigationItem href={`${base}/settings/webhooks`} icon="icon-webhook">
                {t("webhooks")}
              </NavigationItem>
            ) : null}
            <NavigationItem href={`${base}/settings/gateways`} icon="icon-message-square-share">
              {t("gateways")}
            </NavigationItem>
            <NavigationItem href={`${base}/settings/wechat`} icon="icon-messages-square">
              {t("wechat")}
            </NavigationItem>
            <NavigationItem href={`${base}/settings/public-keys`} icon="icon-radar">
              {t("publicKeys")}
            </NavigationItem>
            <NavigationItem href={`${base}/settings/plan`} icon="icon-gauge">
              {t("plan")}
            </NavigationItem>
            {props.managesDestinations ? (
              <NavigationItem href={`${base}/settings/destinations`} icon="icon-list-checks">
                {t("destinations")}
              </NavigationItem>
            ) : null}
            <NavigationItem href={`${base}/settings/browser`} icon="icon-app-window">
              {t("browser")}
            </NavigationItem>
            <NavigationItem href={`${base}/settings/images`} icon="icon-image">
              {t("images")}
            </NavigationItem>
            {props.readsAudit ? (
              <NavigationItem href={`${base}/settings/audit`} icon="icon-scroll-text">
                {t("auditLog")}
              </NavigationItem>
            ) : null}
            {props.mayExport ? (
              <NavigationItem href={`${base}/settings/export`} icon="icon-archive">
                {t("exportAll")}
              </NavigationItem>
            ) : null}
            <NavigationItem href={`${base}/settings/security`} icon="icon-shield-check">
              {t("security")}
            </NavigationItem>
          </ul>
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
