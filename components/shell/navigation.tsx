"use client";

import {
  Archive,
  BookOpen,
  ChartNoAxesCombined,
  FileUp,
  Folder,
  Gauge,
  Globe,
  KeyRound,
  Link2,
  ListChecks,
  Megaphone,
  ScrollText,
  Search,
  Settings,
  ShieldCheck,
  Tag,
  UsersRound,
} from "lucide-react";
import { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import {
  NotificationBell,
  type NotificationBellProps,
} from "../notifications/notification-bell.tsx";
import { classNames } from "../ui/class-names.ts";
import { Kbd } from "../ui/kbd.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { AccountMenu } from "./account-menu.tsx";
import type { Preferences } from "./preferences.tsx";
import { PrefetchLink } from "./prefetch-link.tsx";
import { useCommandKeyName } from "./shortcuts.tsx";
import { WorkspaceMenu, type WorkspaceName } from "./workspace-menu.tsx";

export interface NavigationProps {
  current: WorkspaceName;
  workspaces: readonly WorkspaceName[];
  user: { name: string; email: string };
  preferences: Preferences;
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
          <Item href={`${base}/links`} icon={<Link2 aria-hidden />}>
            {t("links")}
          </Item>
          <Item href={`${base}/analytics`} icon={<ChartNoAxesCombined aria-hidden />}>
            {t("analytics")}
          </Item>
          <Item href={`${base}/imports`} icon={<FileUp aria-hidden />}>
            {t("imports")}
          </Item>
          <Item href={`${base}/domains`} icon={<Globe aria-hidden />}>
            {t("domains")}
          </Item>
        </ul>
        <div>
          <h2 className="px-2 pb-1 font-medium text-ink-faint text-xs">{t("organize")}</h2>
          <ul className="grid gap-0.5">
            <Item href={`${base}/folders`} icon={<Folder aria-hidden />}>
              {t("folders")}
            </Item>
            <Item href={`${base}/tags`} icon={<Tag aria-hidden />}>
              {t("tags")}
            </Item>
            <Item href={`${base}/utm`} icon={<Megaphone aria-hidden />}>
              {t("utm")}
            </Item>
          </ul>
        </div>
        <div>
          <h2 className="px-2 pb-1 font-medium text-ink-faint text-xs">{t("settings")}</h2>
          <ul className="grid gap-0.5">
            <Item href={`${base}/settings`} exact icon={<Settings aria-hidden />}>
              {t("general")}
            </Item>
            <Item href={`${base}/settings/members`} icon={<UsersRound aria-hidden />}>
              {t("members")}
            </Item>
            <Item href={`${base}/settings/api-keys`} icon={<KeyRound aria-hidden />}>
              {t("apiKeys")}
            </Item>
            <Item href={`${base}/settings/plan`} icon={<Gauge aria-hidden />}>
              {t("plan")}
            </Item>
            {props.managesDestinations ? (
              <Item href={`${base}/settings/destinations`} icon={<ListChecks aria-hidden />}>
                {t("destinations")}
              </Item>
            ) : null}
            {props.readsAudit ? (
              <Item href={`${base}/settings/audit`} icon={<ScrollText aria-hidden />}>
                {t("auditLog")}
              </Item>
            ) : null}
            {props.mayExport ? (
              <Item href={`${base}/settings/export`} icon={<Archive aria-hidden />}>
                {t("exportAll")}
              </Item>
            ) : null}
            <Item href={`${base}/settings/security`} icon={<ShieldCheck aria-hidden />}>
              {t("security")}
            </Item>
          </ul>
        </div>
      </nav>
      <a
        href="/docs"
        target="_blank"
        rel="noreferrer"
        className={classNames(itemClass, "mx-1 mt-auto")}
      >
        <BookOpen aria-hidden />
        {t("docs")}
      </a>
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <AccountMenu
            user={props.user}
            preferences={props.preferences}
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

const itemClass =
  "flex h-8 items-center gap-2.5 rounded-md px-2 text-ink-muted text-sm transition-colors hover:bg-hover hover:text-ink pointer-coarse:h-11 [&_svg]:size-4";

interface ItemProps {
  href: string;
  icon: React.ReactNode;
  /** Active only on this exact page, not on those below. */
  exact?: boolean;
  children: string;
}

function Item({ href, icon, exact = false, children }: ItemProps) {
  const path = usePathname();
  const here = path === href;
  const inside = here || (!exact && path.startsWith(`${href}/`));
  return (
    <li>
      <PrefetchLink
        href={href}
        aria-current={here ? "page" : inside ? "true" : undefined}
        className={classNames(
          itemClass,
          inside && "bg-pressed font-medium text-ink hover:bg-pressed",
        )}
      >
        {icon}
        {children}
        <PendingNavigation />
      </PrefetchLink>
    </li>
  );
}

/** A spinner next to the target of a slow navigation. */
function PendingNavigation() {
  const { pending } = useLinkStatus();
  return pending ? (
    <span className="ml-auto animate-late">
      <Spinner className="text-ink-faint" />
    </span>
  ) : null;
}
