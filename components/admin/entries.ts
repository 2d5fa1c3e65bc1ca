/** The pages of the back office, in the order of its navigation. Each has a name in the messages at `admin.nav`. */
import {
  Ban,
  ChartColumn,
  CreditCard,
  Flag,
  Gauge,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Megaphone,
  ScrollText,
  Search,
  Server,
  ToggleLeft,
} from "lucide-react";

interface Entry {
  href: string;
  page: string;
  icon: LucideIcon;
}

export const entries = [
  { href: "/admin", page: "overview", icon: Gauge },
  { href: "/admin/usage", page: "usage", icon: ChartColumn },
  { href: "/admin/search", page: "search", icon: Search },
  { href: "/admin/reports", page: "reports", icon: Flag },
  { href: "/admin/bans", page: "bans", icon: Ban },
  { href: "/admin/plans", page: "plans", icon: CreditCard },
  { href: "/admin/lists", page: "lists", icon: ListChecks },
  { href: "/admin/features", page: "features", icon: ToggleLeft },
  { href: "/admin/announcements", page: "announcements", icon: Megaphone },
  { href: "/admin/api-keys", page: "apiKeys", icon: KeyRound },
  { href: "/admin/system", page: "system", icon: Server },
  { href: "/admin/audit", page: "audit", icon: ScrollText },
] as const satisfies readonly Entry[];

export type OfficePage = (typeof entries)[number]["page"];
