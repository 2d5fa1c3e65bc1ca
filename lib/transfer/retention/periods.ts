/** Every table with a date is in one of these lists. The privacy page reads the first one. */
import { missedDaysMax } from "#lib/analytics/missed-links/schema";
import { sessionDays } from "#lib/identity/sessions";
import { publicLinkDays } from "#lib/links/public-links/schema";
import { keptDays as demoMessageDays } from "#lib/outreach/demo-outbox/schema";
import { config } from "#lib/platform/config";
import { keyUseDaysMax } from "#lib/tenancy/key-use/schema";
import { keptDays as importDays } from "#lib/transfer/imports/schema";
import { keptDays as exportDays } from "#lib/transfer/workspace-export";
import type { SweptRows } from "./index.ts";

const reportDays = 365;

export const sweptRows: readonly SweptRows[] = [
  { table: "announcement", column: "ends_at", days: 400 },
  { table: "bulk_job", column: "finished_at", days: 7 },
  { table: "demo_message", column: "sent_at", days: demoMessageDays },
  { table: "destination_check", column: "visited_at", days: 30 },
  // Charts show a year and do not compare it with the year before.
  { table: "instance_day", column: "day", days: 400 },
  { table: "invitation", column: "expires_at", days: 30 },
  { table: "key_app", column: "last_at", days: keyUseDaysMax },
  { table: "key_use", column: "hour", days: keyUseDaysMax },
  // Links are reused for at most a year after their last use.
  { table: "link_reuse", column: "used_at", days: 366 },
  { table: "public_link", column: "created_at", days: publicLinkDays },
  { table: "link_report", column: "decided_at", days: reportDays },
  { table: "list_job", column: "finished_at", days: 1 },
  // Before their days, so that no deletion of a day cascades to many rows.
  { table: "missed_link", column: "day", days: missedDaysMax },
  { table: "missed_day", column: "day", days: missedDaysMax },
  { table: "notice", column: "created_at", days: 180 },
  { table: "factor_undo", column: "expires_at", days: 1 },
  { table: "proof", column: "expires_at", days: 1 },
  // Answers of visitors who wait for a code by SMS: deleted at the next sweep after the code
  // expired.
  { table: "phone_code", column: "expires_at", days: 0 },
  // Budgets count a day of these hours, and alarms compare with a week.
  { table: "phone_code_hour", column: "hour", days: 8 },
  // States of visitors who came back from WeChat, without their exchanged code.
  { table: "wechat_code", column: "expires_at", days: 0 },
  { table: "plan_warning", column: "created_at", days: 400 },
  { table: "quota_use", column: "month", days: 800 },
  { table: "refused_job", column: "finished_at", days: 30 },
  // Longer than a month, so that no period is reported twice.
  { table: "report_delivery", column: "created_at", days: 90 },
  // Deliveries are made for 3 days, and shown a day longer.
  { table: "webhook_event", column: "at", days: 4 },
  { table: "webhook_outbox", column: "at", days: 4 },
  { table: "session", column: "created_at", days: sessionDays },
];

export const deadClickDays = 90;

/** Tables that are not swept here → what ends their rows. */
export const keptTables: Readonly<Record<string, string>> = {
  "analytics.busy_link": "erased with the link",
  "analytics.click": "dropped by day: FUXI_CLICKS_KEPT_DAYS (analytics/ingest)",
  "analytics.click_block": "deleted by day: FUXI_CLICKS_KEPT_DAYS (analytics/rollups)",
  "analytics.click_group": "8 days (analytics/ingest)",
  "analytics.conversion": "stats: kept with the link, without customers that were erased",
  "analytics.counted_visit": "dropped by day after 2 days (analytics/ingest)",
  "analytics.counting_worker": "deleted after a day (analytics/ingest)",
  "analytics.day_secret": "48 hours (platform/visitor-salts)",
  "analytics.erasure": "a queue of analytics/rollups",
  feature: "one row per feature that was turned off",
  "analytics.link_day": "stats: kept with the link",
  "analytics.link_month": "stats: kept with the link",
  "analytics.link_slot": "dropped by month once days are kept (analytics/rollups)",
  "analytics.owner_day": "stats: kept with the tag or folder",
  "analytics.owner_month": "stats: kept with the tag or folder",
  "analytics.rolled_day": "the state of stats: kept with the workspace",
  "analytics.rolled_month": "the state of stats: kept with the workspace",
  "analytics.shard": "one row per stream",
  "analytics.shard_lease": "one row per stream",
  "analytics.touched_day": "a queue of analytics/rollups",
  "analytics.touched_month": "a queue of analytics/rollups",
  "analytics.touched_slot": "a queue of analytics/rollups",
  "analytics.value_day": "stats: kept with the link",
  "analytics.value_month": "stats: kept with the link",
  "analytics.value_slot": "dropped by month once days are kept (analytics/rollups)",
  "analytics.visitor": "dropped by day after 2 days (analytics/ingest)",
  annotation: "content: kept with the workspace",
  api_key: "kept with the workspace, revoked ones for the audit log",
  app_user: "the account: deleted by its owner",
  audit: "kept with the workspace",
  ban: "kept with the workspace, lifted ones too: administrators decide by earlier ones",
  ban_recipient: "part of the ban",
  campaign: "content: kept with the workspace",
  recipient_source: "14 days, files included (outreach/sources)",
  campaign_recipient: "phones and columns: as long as the campaign says (outreach/campaigns)",
  campaign_send: "with the recipient",
  campaign_sending: "with the campaign",
  contact: "as long as the workspace says, or until somebody erases them (audience/contacts)",
  contact_answer: "with the contact",
  contact_wechat: "with the contact",
  contact_visit: "with the contact",
  form: "content: kept with the workspace, deleted ones for the answers to them",
  form_version: "part of the form",
  customer: "kept with the workspace, until somebody erases them (analytics/customers)",
  tracking_key: "a setting: kept with the workspace",
  webhook: "a setting: kept with the workspace",
  webhook_delivery: "with its event",
  cache_change: "a queue of platform/cache-sync",
  deleted_link: "10 minutes (links/editing)",
  destination_list: "a setting: kept with the workspace",
  destination_walk: "one row",
  domain: "content: kept with the workspace",
  domain_alarm: "400 days after its end (analytics/domain-health)",
  domain_clearing: "a queue of links/domains",
  domain_health: "one row per domain (analytics/domain-health)",
  folder: "content: kept with the workspace",
  folder_clearing: "a queue of links/folders",
  identity: "part of the account",
  import: "14 days, with its file (transfer/imports)",
  importer: "14 days after its end, without its token (transfer/importers)",
  installation: "one row",
  link: "retires, or is kept (links/lifetime)",
  link_repeat: "24 hours, every ten minutes because of its size (links/bulk-jobs)",
  link_reputation: "verdicts: kept with the link",
  link_stat: "kept with the link",
  membership: "kept with the workspace",
  billing_account: "one row per customer: kept with the workspace",
  opt_out: "kept with the workspace, so that nobody on it gets messages",
  passkey: "part of the account",
  people_key: "kept with the workspace, older ones until nothing is encrypted with them",
  plan_payment: "payments: kept with the workspace",
  qr_logo: "content: kept with the workspace",
  qr_template: "content: kept with the workspace",
  recycled_code: "until its code is issued (links/keys)",
  replica_beat: "one row",
  reputation_service: "one row",
  retirement_round: "one row per workspace",
  search_horizon: "one row",
  saved_view: "content: kept with the workspace",
  report_recipient: "a setting: kept with the report, also those who unsubscribed",
  report_subscription: "a setting: kept with the workspace",
  share: "content: kept with the workspace",
  social_image: "unused ones when space is needed (links/social-images)",
  tag: "content: kept with the workspace",
  takeout: "7 days, with its file (transfer/workspace-export)",
  traffic_alert: "a setting: kept with the workspace",
  utm_template: "content: kept with the workspace",
  workspace: "30 days after its deletion (transfer/workspace-purge)",
  sso_domain: "a setting: kept with the workspace",
  sso_provider: "a setting: kept with the workspace",
  sms_gateway: "a setting: kept with the workspace",
  wechat_account: "a setting: kept with the workspace",
  wechat_page: "until no link opens it (audience/mini-programs)",
};

const daysOf = (table: SweptRows["table"]): number =>
  sweptRows.find((one) => one.table === table)?.days ?? 0;

/** Periods that concern people, in days, for the privacy page. */
export function privacyPeriods() {
  return {
    clicks: config().FUXI_CLICKS_KEPT_DAYS,
    deadClicks: deadClickDays,
    sessions: daysOf("session"),
    notifications: daysOf("notice"),
    invitations: daysOf("invitation"),
    reports: daysOf("link_report"),
    imports: importDays,
    exports: exportDays,
  };
}
