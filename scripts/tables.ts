/**
 * Exceptions: tables that several rooms write, and tables that a room above reads. check-tables.ts compares this with the SQL of
 * lib.
 */
type TableException = readonly [room: string, tables: string, why: string];

export const writers: readonly TableException[] = [
  ["platform/leases", "*", "leases rows of rooms, whose SQL it writes"],
  ["tenancy/people-keys", "*", "seals values of rooms again"],
  ["platform/sequences", "installation", "notes the timeline that the sequences are ahead of"],
  ["analytics/ingest", "analytics.touched_slot", "outbox: rollups count it"],
  [
    "analytics/rollups",
    "analytics.conversion contact_answer contact_visit customer link_stat",
    "erases statistics of deleted links",
  ],
  ["analytics/customers", "analytics.conversion", "erases a customer from events"],
  [
    "analytics/conversions",
    "contact_answer link_stat",
    "counts a lead or sale in the transaction that records it",
  ],
  ["identity/accounts", "app_user", "changes password and email, deletes"],
  [
    "identity/first-proof",
    "api_key app_user identity invitation share",
    "ends what a stranger made, in the transaction that gives an account to its owner",
  ],
  ["identity/second-factor", "app_user", "the factor is in the user's row"],
  ["links/search", "search_progress", "counts texts in the transaction that adds or deletes them"],
  ["links/link-rows", "deleted_link", "a ban applies to a deleted link that can be restored"],
  ["outreach/sources", "campaign campaign_recipient", "undoes what a source added"],
  ["tenancy/operators", "session", "notes uses of the back office"],
  ["tenancy/bans", "app_user workspace", "a ban is a state of the workspace or the person"],
  [
    "outreach/erasing",
    "campaign campaign_recipient",
    "erases the recipients of a person, in the transaction with their opt-out",
  ],
  ["outreach/receipts", "campaign_send", "a receipt settles its message"],
  ["outreach/webhooks", "webhook_outbox", "takes new events out, to route them"],
  ["links/hosts", "domain", "adds the domain of the installation itself"],
  [
    "links/link-rows",
    "analytics.erasure analytics.moved_link",
    "outbox: rollups erase, and carry over",
  ],
  [
    "links/link-rows",
    "link_allowance link_reuse link_stat",
    "moves and restores what hangs on a link",
  ],
  [
    "links/tags",
    "link_tag",
    "takes a deleted tag from links that got it meanwhile, where no foreign key does",
  ],
  [
    "links/lifetime",
    "share",
    "ends shares of links in the transaction that deletes them: their pks may be used again",
  ],
  ["office/people", "app_user", "makes administrators, and turns sign-ins off"],
  ["tenancy/plan-changes", "workspace", "sets the plan, its limits and its end"],
  [
    "tenancy/notification-mails",
    "notice",
    "an email is noted as started in the transaction that starts it",
  ],
  ["tenancy/members", "membership", "accepts invitations, changes roles"],
  ["tenancy/onboarding", "membership", "closing the steps is kept per member"],
  [
    "transfer/retention",
    "analytics.dead_click announcement bulk_job demo_message factor_undo instance_day invitation key_app key_use link_report link_reuse list_job notice plan_warning proof phone_code phone_code_hour public_link quota_use refused_job session webhook_event webhook_outbox wechat_code",
    "deletes what is kept no longer, whichever table it is in",
  ],
  [
    "transfer/workspace-purge",
    "analytics.erasure audit campaign_recipient contact contact_answer customer domain domain_clearing folder_clearing link_external_id link_repeat link_reuse webhook_event webhook_outbox workspace",
    "removes a workspace in small steps, whichever tables it is in",
  ],
];

export const upward: readonly TableException[] = [
  [
    "analytics/ingest",
    "campaign campaign_recipient",
    "tells webhooks whose click it was, in the transaction that counts it",
  ],
  ["tenancy/webhook-events", "webhook", "writes only events that a webhook wants"],
  [
    "identity/first-proof",
    "share",
    "ends shares of a stranger, in the transaction that gives an account to its owner",
  ],
  ["links/editing", "link_allowance", "keeps it while a link can come back"],
  ["links/link-rows", "link_allowance", "deletes it with its link where no foreign key does"],
  ["links/link-rows", "analytics.erasure", "takes a link out that comes back"],
  ["links/keys", "analytics.erasure", "issues no pk again whose stats are still to be erased"],
  ["links/indexing", "campaign", "says whether there are links of recipients"],
  ["links/lifetime", "link_stat share", "asks for the last visit; ends shares with their links"],
  ["links/link-rows", "link_stat", "dates follow from the last visit"],
  ["links/presenting", "link_stat", "a link shows its clicks"],
  ["links/qr-design", "qr_logo", "a design names a logo of its workspace"],
  ["links/reading", "link_stat", "lists show and sort by clicks"],
  [
    "links/reading",
    "campaign campaign_recipient import import_chunk",
    "lists the links of an import or a campaign",
  ],
  ["audience/forms", "sms_gateway", "a form names a gateway of its workspace"],
  [
    "destinations/reputation",
    "link link_stat",
    "reads the destinations of links, and checks again what people visited",
  ],
  ["links/fields", "form", "a link names a form of its workspace"],
  ["redirect/visits", "link_stat", "a limit of clicks begins with those counted"],
  ["tenancy/access", "api_key app_user", "opens the scope of a waiting job"],
  [
    "tenancy/audit",
    "api_key app_user domain folder link qr_template tag utm_template",
    "shows the names of actors and subjects",
  ],
  ["tenancy/instance-rules", "app_user", "asks who is an administrator"],
  ["identity/api-keys", "domain folder", "a key is given only what its author may use"],
  ["tenancy/key-use", "api_key", "counts the uses of keys that exist"],
  ["tenancy/reach", "domain folder", "what a key is limited to"],
  [
    "tenancy/key-changes",
    "api_key session",
    "caches know keys by their hashes, and sessions by their ids",
  ],
  ["tenancy/ban-recipients", "app_user", "writes to the people of a ban"],
  [
    "tenancy/live-actors",
    "api_key app_user session",
    "asks whether the session or key of an author has ended",
  ],
  ["tenancy/members", "app_user", "app_user has the public id and the name of a user"],
  ["tenancy/notification-mails", "app_user", "writes to the person"],
  ["tenancy/notifications", "app_user", "leaves none for a deleted account"],
  ["tenancy/onboarding", "link link_stat", "looks up which steps are done"],
  ["tenancy/operators", "app_user session", "asks who is an administrator with a second factor"],
  ["tenancy/quotas", "api_key domain folder tag", "counts what a plan limits"],
  ["tenancy/plan-warnings", "app_user", "sends emails to owners"],
  [
    "tenancy/workspaces",
    "app_user session",
    "a session may be over for a stricter workspace, in the query of every page",
  ],
  [
    "transfer/retention",
    "instance_day link_report refused_job",
    "deletes what is kept no longer, whichever table it is in",
  ],
];
