/** The pages of the dashboard, as the sidebar, the settings and the command menu list them. */
import type { MessageKeys, Messages } from "next-intl";
import type { IconClass } from "./navigation-item.tsx";

/** Permissions for pages that only some members may see. */
export interface PagePermissions {
  readsCampaigns: boolean;
  readsWebhooks: boolean;
  readsAudit: boolean;
  managesDestinations: boolean;
  managesWorkspace: boolean;
  mayExport: boolean;
}

type ShellText = MessageKeys<Messages["shell"], keyof Messages["shell"]>;

export interface PageEntry {
  text: ShellText;
  path: string;
  icon: IconClass;
  /** If omitted, every member may see the page. */
  needs?: keyof PagePermissions;
  /** Pages that belong to this one but have no entry in the sidebar. */
  also?: readonly PageEntry[];
}

export interface PageGroup {
  heading: ShellText;
  pages: readonly PageEntry[];
}

/** Below `/app/<workspace>/`. */
export const mainPages: readonly PageEntry[] = [
  { text: "links", path: "links", icon: "icon-link-2" },
  { text: "analytics", path: "analytics", icon: "icon-chart-no-axes-combined" },
  {
    text: "campaigns",
    path: "campaigns",
    icon: "icon-message-square-text",
    needs: "readsCampaigns",
  },
  {
    text: "forms",
    path: "forms",
    icon: "icon-clipboard-list",
    also: [{ text: "contacts", path: "contacts", icon: "icon-contact" }],
  },
  { text: "customers", path: "customers", icon: "icon-contact-round" },
  { text: "domains", path: "domains", icon: "icon-globe" },
  { text: "imports", path: "imports", icon: "icon-file-up" },
  { text: "settings", path: "settings", icon: "icon-settings" },
];

/** Below `/app/<workspace>/` too. */
export const settingsGroups: readonly PageGroup[] = [
  {
    heading: "workspaceGroup",
    pages: [
      { text: "general", path: "settings", icon: "icon-settings" },
      { text: "members", path: "settings/members", icon: "icon-users-round" },
      { text: "sso", path: "settings/sso", icon: "icon-log-in", needs: "managesWorkspace" },
      { text: "plan", path: "settings/plan", icon: "icon-gauge" },
      { text: "auditLog", path: "settings/audit", icon: "icon-scroll-text", needs: "readsAudit" },
      { text: "exportAll", path: "settings/export", icon: "icon-archive", needs: "mayExport" },
    ],
  },
  {
    heading: "linksGroup",
    pages: [
      { text: "folders", path: "settings/folders", icon: "icon-folder" },
      { text: "tags", path: "settings/tags", icon: "icon-tag" },
      { text: "utm", path: "settings/utm", icon: "icon-megaphone" },
      { text: "images", path: "settings/images", icon: "icon-image" },
      {
        text: "destinations",
        path: "settings/destinations",
        icon: "icon-list-checks",
        needs: "managesDestinations",
      },
      {
        text: "retention",
        path: "settings/retention",
        icon: "icon-hourglass",
        needs: "managesWorkspace",
      },
    ],
  },
  {
    heading: "developersGroup",
    pages: [
      { text: "apiKeys", path: "settings/api-keys", icon: "icon-key-round" },
      { text: "webhooks", path: "settings/webhooks", icon: "icon-webhook", needs: "readsWebhooks" },
      { text: "publicKeys", path: "settings/public-keys", icon: "icon-radar" },
      { text: "extension", path: "settings/extension", icon: "icon-app-window" },
      { text: "gateways", path: "settings/gateways", icon: "icon-message-square-share" },
      { text: "wechat", path: "settings/wechat", icon: "icon-messages-square" },
    ],
  },
];

/** Below `/app/`. */
export const accountPages: readonly PageEntry[] = [
  { text: "profile", path: "account", icon: "icon-user-round" },
  { text: "security", path: "account/security", icon: "icon-shield-check" },
];

export function isShown({ needs }: PageEntry, permissions: PagePermissions): boolean {
  return needs === undefined || permissions[needs];
}
