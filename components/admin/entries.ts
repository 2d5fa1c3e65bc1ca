/** The pages of the back office, in the order of its navigation. Each has a name in the messages at `admin.nav`. */
import type { IconClass } from "#components/shell/navigation-item";

interface Entry {
  href: string;
  page: string;
  icon: IconClass;
}

export const entries = [
  { href: "/admin", page: "overview", icon: "icon-gauge" },
  { href: "/admin/usage", page: "usage", icon: "icon-chart-column" },
  { href: "/admin/search", page: "search", icon: "icon-search" },
  { href: "/admin/links", page: "links", icon: "icon-link-2" },
  { href: "/admin/workspaces", page: "workspaces", icon: "icon-building" },
  { href: "/admin/people", page: "people", icon: "icon-users-round" },
  { href: "/admin/reports", page: "reports", icon: "icon-flag" },
  { href: "/admin/bans", page: "bans", icon: "icon-ban" },
  { href: "/admin/plans", page: "plans", icon: "icon-credit-card" },
  { href: "/admin/lists", page: "lists", icon: "icon-list-checks" },
  { href: "/admin/features", page: "features", icon: "icon-toggle-left" },
  { href: "/admin/announcements", page: "announcements", icon: "icon-megaphone" },
  { href: "/admin/api-keys", page: "apiKeys", icon: "icon-key-round" },
  { href: "/admin/system", page: "system", icon: "icon-server" },
  { href: "/admin/audit", page: "audit", icon: "icon-scroll-text" },
] as const satisfies readonly Entry[];

export type OfficePage = (typeof entries)[number]["page"];
