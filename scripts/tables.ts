/**
 * Tables that more than one room writes, and rooms that read tables of a higher district. check-tables.ts compares the
 * SQL of lib with it: the only other writer of a table owns it.
 */
interface TableException {
  room: string;
  tables: readonly string[];
  why: string;
}

/** Rooms that write tables of other rooms too. */
export const writers: readonly TableException[] = [
  { room: "platform/leases", tables: ["*"], why: "leases rows of rooms, whose SQL it writes" },
  { room: "tenancy/people-keys", tables: ["*"], why: "seals values of rooms again" },
  {
    room: "platform/sequences",
    tables: ["installation"],
    why: "notes the timeline that the sequences are ahead of",
  },
  { room: "analytics/ingest", tables: ["analytics.touched_slot"], why: "outbox: rollups count it" },
  {
    room: "analytics/rollups",
    tables: ["analytics.conversion", "contact_answer", "contact_visit", "customer", "link_stat"],
    why: "erases statistics of deleted links",
  },
  {
    room: "analytics/customers",
    tables: ["analytics.conversion"],
    why: "erases a customer from events",
  },
  {
    room: "analytics/conversions",
    tables: ["contact_answer", "link_stat"],
    why: "counts a lead or sale in the transaction that records it",
  },
  { room: "identity/accounts", tables: ["app_user"], why: "changes password and email, deletes" },
  {
    room: "identity/first-proof",
    tables: ["api_key", "app_user", "identity", "invitation", "share"],
    why: "ends what a stranger made, in the transaction that gives an account to its owner",
  },
  { room: "identity/second-factor", tables: ["app_user"], why: "the factor is in the user's row" },
  {
    room: "links/link-rows",
    tables: ["deleted_link"],
    why: "a ban applies to a deleted link that can be restored",
  },
  {
    room: "outreach/sources",
    tables: ["campaign", "campaign_recipient"],
    why: "undoes what a source added",
  },
  { room: "tenancy/operators", tables: ["session"], why: "notes uses of the back office" },
  {
    room: "tenancy/bans",
    tables: ["app_user", "workspace"],
    why: "a ban is a state of the workspace or the person",
  },
  {
    room: "outreach/erasing",
    tables: ["campaign", "campaign_recipient"],
    why: "erases the recipients of a person, in the transaction with their opt-out",
  },
  { room: "outreach/receipts", tables: ["campaign_send"], why: "a receipt settles its message" },
  {
    room: "outreach/webhooks",
    tables: ["webhook_outbox"],
    why: "takes new events out, to route them",
  },
  { room: "links/hosts", tables: ["domain"], why: "adds the domain of the installation itself" },
  {
    room: "links/link-rows",
    tables: ["analytics.erasure", "analytics.moved_link"],
    why: "outbox: rollups erase, and carry over",
  },
  {
    room: "links/link-rows",
    tables: ["link_allowance", "link_reuse", "link_stat"],
    why: "moves and restores what hangs on a link",
  },
  {
    room: "links/tags",
    tables: ["link_tag"],
    why: "takes a deleted tag from links that got it meanwhile, where no foreign key does",
  },
  {
    room: "links/lifetime",
    tables: ["share"],
    why: "ends shares of links in the transaction that deletes them: their pks may be used again",
  },
  {
    room: "office/people",
    tables: ["app_user"],
    why: "makes administrators, and turns sign-ins off",
  },
  {
    room: "tenancy/plan-changes",
    tables: ["workspace"],
    why: "sets the plan, its limits and its end",
  },
  {
    room: "tenancy/notification-mails",
    tables: ["notice"],
    why: "an email is noted as started in the transaction that starts it",
  },
  { room: "tenancy/members", tables: ["membership"], why: "accepts invitations, changes roles" },
  {
    room: "tenancy/onboarding",
    tables: ["membership"],
    why: "closing the steps is kept per member",
  },
  {
    room: "transfer/retention",
    tables: [
      "analytics.dead_click",
      "announcement",
      "bulk_job",
      "factor_undo",
      "instance_day",
      "invitation",
      "key_app",
      "key_use",
      "link_report",
      "link_reuse",
      "list_job",
      "notice",
      "plan_warning",
      "proof",
      "phone_code",
      "phone_code_hour",
      "quota_use",
      "refused_job",
      "session",
      "webhook_event",
      "webhook_outbox",
      "wechat_code",
    ],
    why: "deletes what is kept no longer, whichever table it is in",
  },
  {
    room: "transfer/workspace-purge",
    tables: [
      "analytics.erasure",
      "audit",
      "campaign_recipient",
      "contact",
      "contact_answer",
      "customer",
      "domain",
      "domain_clearing",
      "folder_clearing",
      "link_external_id",
      "link_repeat",
      "link_reuse",
      "webhook_event",
      "webhook_outbox",
      "workspace",
    ],
    why: "removes a workspace in small steps, whichever tables it is in",
  },
];

const names = "app_user has the public id and the name of a user";

/** Rooms that read tables of higher districts. */
export const upward: readonly TableException[] = [
  {
    room: "analytics/ingest",
    tables: ["campaign", "campaign_recipient"],
    why: "tells webhooks whose click it was, in the transaction that counts it",
  },
  {
    room: "tenancy/webhook-events",
    tables: ["webhook"],
    why: "writes only events that a webhook wants",
  },
  {
    room: "identity/first-proof",
    tables: ["share"],
    why: "ends shares of a stranger, in the transaction that gives an account to its owner",
  },
  { room: "links/editing", tables: ["link_allowance"], why: "keeps it while a link can come back" },
  {
    room: "links/link-rows",
    tables: ["link_allowance"],
    why: "deletes it with its link where no foreign key does",
  },
  {
    room: "links/link-rows",
    tables: ["analytics.erasure"],
    why: "takes a link out that comes back",
  },
  {
    room: "links/keys",
    tables: ["analytics.erasure"],
    why: "issues no pk again whose stats are still to be erased",
  },
  {
    room: "links/lifetime",
    tables: ["link_stat", "share"],
    why: "asks for the last visit; ends shares with their links",
  },
  { room: "links/link-rows", tables: ["link_stat"], why: "dates follow from the last visit" },
  { room: "links/presenting", tables: ["link_stat"], why: "a link shows its clicks" },
  {
    room: "links/qr-design",
    tables: ["qr_logo"],
    why: "a design names a logo of its workspace",
  },
  { room: "links/reading", tables: ["link_stat"], why: "lists show and sort by clicks" },
  {
    room: "links/reading",
    tables: ["campaign", "campaign_recipient", "import", "import_chunk"],
    why: "lists the links of an import or a campaign",
  },
  {
    room: "audience/forms",
    tables: ["sms_gateway"],
    why: "a form names a gateway of its workspace",
  },
  {
    room: "destinations/reputation",
    tables: ["link", "link_stat"],
    why: "reads the destinations of links, and checks again what people visited",
  },
  { room: "links/fields", tables: ["form"], why: "a link names a form of its workspace" },
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
  { room: "tenancy/instance-rules", tables: ["app_user"], why: "asks who is an administrator" },
  {
    room: "identity/api-keys",
    tables: ["domain", "folder"],
    why: "a key is given only what its author may use",
  },
  { room: "tenancy/key-use", tables: ["api_key"], why: "counts the uses of keys that exist" },
  {
    room: "tenancy/reach",
    tables: ["domain", "folder"],
    why: "what a key is limited to",
  },
  {
    room: "tenancy/key-changes",
    tables: ["api_key", "session"],
    why: "caches know keys by their hashes, and sessions by their ids",
  },
  { room: "tenancy/ban-recipients", tables: ["app_user"], why: "writes to the people of a ban" },
  {
    room: "tenancy/live-actors",
    tables: ["api_key", "app_user", "session"],
    why: "asks whether the session or key of an author has ended",
  },
  { room: "tenancy/members", tables: ["app_user"], why: names },
  { room: "tenancy/notification-mails", tables: ["app_user"], why: "writes to the person" },
  { room: "tenancy/notifications", tables: ["app_user"], why: "leaves none for a deleted account" },
  {
    room: "tenancy/onboarding",
    tables: ["link", "link_stat"],
    why: "looks up which steps are done",
  },
  {
    room: "tenancy/operators",
    tables: ["app_user", "session"],
    why: "asks who is an administrator with a second factor",
  },
  {
    room: "tenancy/quotas",
    tables: ["api_key", "domain", "folder", "tag"],
    why: "counts what a plan limits",
  },
  { room: "tenancy/plan-warnings", tables: ["app_user"], why: "sends emails to owners" },
  {
    room: "tenancy/workspaces",
    tables: ["app_user", "session"],
    why: "a session may be over for a stricter workspace, in the query of every page",
  },
  {
    room: "transfer/retention",
    tables: ["instance_day", "link_report", "refused_job"],
    why: "deletes what is kept no longer, whichever table it is in",
  },
];
