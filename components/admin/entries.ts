/** The pages of the back office, in the order of its navigation. Each has a name in the messages at `admin.nav`. */
import { Ban, Flag, Gauge, type LucideIcon, ScrollText } from "lucide-react";

interface Entry {
  href: string;
  page: string;
  icon: LucideIcon;
}

export const entries = [
  { href: "/admin", page: "overview", icon: Gauge },
  { href: "/admin/reports", page: "reports", icon: Flag },
  { href: "/admin/bans", page: "bans", icon: Ban },
  { href: "/admin/audit", page: "audit", icon: ScrollText },
] as const satisfies readonly Entry[];

export type OfficePage = (typeof entries)[number]["page"];
