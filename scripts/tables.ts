/**
 * Tables that more than one room writes, and rooms that read tables of a higher district. check-tables.ts compares the
 * SQL of lib with it: the one writer of a table that is not named here owns it.
 */
interface Exception {
  room: string;
  tables: readonly string[];
  why: string;
}

/** Rooms that write tables of other rooms too. */
export const writers: readonly Exception[] = [
  { room: "analytics/ingest", tables: ["analytics.touched_slot"], why: "outbox: rollups count it" },
  { room: "analytics/rollups", tables: ["link_stat"], why: "erases statistics of deleted links" },
  { room: "identity/accounts", tables: ["app_user"], why: "changes password and email, deletes" },
  { room: "identity/second-factor", tables: ["app_user"], why: "the factor is in the user's row" },
  { room: "links/hosts", tables: ["domain"], why: "adds the domain of the installation itself" },
  { room: "tenancy/members", tables: ["membership"], why: "accepts invitations, changes roles" },
  {
    room: "tenancy/onboarding",
    tables: ["membership"],
    why: "closing the steps is kept per member",
  },
  {
    room: "transfer/demo",
    tables: ["domain", "tag"],
    why: "makes what no verb makes in this form",
  },
  {
    room: "transfer/workspace-purge",
    tables: ["audit", "domain", "domain_clearing", "folder_clearing", "link_repeat", "workspace"],
    why: "removes a workspace in small steps, whichever tables it is in",
  },
];

const moving = "temporary: links/writing takes this over";

/** Temporary: removed as soon as links/writing alone writes the tables of links. */
export const writersForNow: readonly Exception[] = [
  {
    room: "links/domains",
    tables: ["alias", "link", "link_reuse", "link_search", "link_stat", "link_tag", "search_era"],
    why: moving,
  },
  {
    room: "links/editing",
    tables: ["analytics.erasure", "link", "link_allowance", "link_search", "link_tag"],
    why: moving,
  },
  { room: "links/folders", tables: ["link"], why: moving },
  { room: "links/tags", tables: ["link_tag"], why: moving },
  { room: "transfer/demo", tables: ["link"], why: moving },
  {
    room: "transfer/workspace-purge",
    tables: ["alias", "analytics.erasure", "link", "link_reuse", "link_search", "search_era"],
    why: moving,
  },
];

const names = "app_user has the public id and the name of a user";

/** Rooms that read tables of higher districts. */
export const upward: readonly Exception[] = [
  { room: "links/editing", tables: ["analytics.erasure", "link_allowance"], why: moving },
  { room: "links/reading", tables: ["link_stat"], why: "lists show and sort by clicks" },
  {
    room: "redirect/visits",
    tables: ["link_stat"],
    why: "a limit of clicks begins with those counted",
  },
  {
    room: "tenancy/access",
    tables: ["api_key", "app_user"],
    why: "opens the scope of a waiting job",
  },
  {
    room: "tenancy/audit",
    tables: [
      "api_key",
      "app_user",
      "domain",
      "folder",
      "link",
      "qr_template",
      "tag",
      "utm_template",
    ],
    why: "shows the names of actors and subjects",
  },
  { room: "tenancy/key-changes", tables: ["api_key"], why: "caches know keys by their hashes" },
  { room: "tenancy/members", tables: ["app_user"], why: names },
  { room: "tenancy/notifications", tables: ["app_user"], why: "leaves none for a deleted account" },
  {
    room: "tenancy/onboarding",
    tables: ["api_key", "link", "link_stat"],
    why: "looks up which steps are done",
  },
  {
    room: "tenancy/quotas",
    tables: ["api_key", "domain", "folder", "tag"],
    why: "counts what a plan limits",
  },
  { room: "tenancy/workspaces", tables: ["app_user"], why: names },
];
