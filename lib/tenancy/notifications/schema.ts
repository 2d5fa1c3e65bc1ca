export const notificationKinds = [
  "takeout.done",
  "takeout.failed",
  "import.done",
  "import.failed",
  "importer.ready",
  "importer.failed",
  "domain.verified",
  "domain.failing",
  "domain.unverified",
  "domain.blocked",
  "domain.unblocked",
  "domain.silent",
  "destination.broken",
  "account.claimed",
  "account.wrong_codes",
  "links.retiring",
  "plan.ended",
  "plan.ending",
  "plan.reversed",
  "plan.restored",
  "quota.near",
  "ban.started",
  "ban.lifted",
  "ban.appeal_declined",
  "key.approved",
  "key.declined",
  "key.paused",
  "recipients.refused",
  "recipients.failed",
  "campaign.paused",
  "webhook.disabled",
  "campaign.finished",
  "form.failing",
  "codes.rising",
  "clicks.rising",
  "clicks.falling",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export interface Notification {
  id: string;
  /** A later version may have other kinds. */
  kind: string;
  subject: string | null;
  details: Record<string, unknown> | null;
  at: string;
  read: boolean;
}
