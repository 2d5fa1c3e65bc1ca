import { z } from "zod";
import { moment, pageSizeOf } from "#lib/basics/fields/schema";
import { recordFormat } from "#lib/platform/downloads/schema";

const pageSizeMax = 100;
const wordCharsMax = 100;

/** What the audit log records, as `noun.verb`. Stored, so never rename one. */
export const auditActions = [
  "annotation.create",
  "annotation.delete",
  "annotation.edit",
  "campaign.cancel",
  "campaign.create",
  "campaign.delete",
  "campaign.edit",
  "campaign.export",
  "campaign.pause",
  "campaign.resume",
  "campaign.settle",
  "campaign.start",
  "campaign.test",
  "contact.erase",
  "contact.export",
  "customer.edit",
  "customer.erase",
  "destination-list.edit",
  "domain.create",
  "domain.delete",
  "domain.dismiss_alarm",
  "domain.edit",
  "domain.primary",
  "domain.transfer",
  "domain.unverify",
  "domain.verify",
  "folder.create",
  "folder.delete",
  "folder.edit",
  "form.create",
  "form.delete",
  "form.edit",
  "gateway.create",
  "gateway.delete",
  "gateway.edit",
  "import.cancel",
  "import.delete",
  "import.done",
  "import.failed",
  "import.start",
  "import.undo",
  "importer.cancel",
  "importer.start",
  "invitation.revoke",
  "key.create",
  "key.edit",
  "key.keep",
  "key.revoke",
  "key.rotate",
  "lead.failed",
  "link.create",
  "link.delete",
  "link.edit",
  "link.expand",
  "link.expand_refused",
  "link.keep",
  "link.restore",
  "link.retire",
  "link.transfer",
  "member.edit",
  "member.invite",
  "member.join",
  "member.leave",
  "member.remove",
  "operator.add",
  "operator.announce",
  "operator.approve_key",
  "operator.ban",
  "operator.decide_appeal",
  "operator.decline_key",
  "operator.disable_link",
  "operator.disable_links",
  "operator.dismiss_reports",
  "operator.drop_job",
  "operator.edit_list",
  "operator.end_announcement",
  "operator.end_sessions",
  "operator.factor_off",
  "operator.find",
  "operator.forget_secret",
  "operator.lift_ban",
  "operator.read_list",
  "operator.remove",
  "operator.resend_confirmation",
  "operator.reseal_secrets",
  "operator.retry_job",
  "operator.turn_feature_off",
  "operator.turn_feature_on",
  "opt-out.create",
  "opt-out.delete",
  "opt-out.export",
  "people-key.rotate",
  "person.delete",
  "plan.change",
  "plan.end",
  "operator.view",
  "qr-logo.create",
  "qr-logo.delete",
  "qr-template.create",
  "qr-template.delete",
  "qr-template.edit",
  "recipients.cancel",
  "recipients.create",
  "recipients.pause",
  "recipients.start",
  "recipients.undo",
  "saved-view.delete",
  "saved-view.share",
  "session.end",
  "session.end_others",
  "share.create",
  "share.revoke",
  "social-image.delete",
  "tag.create",
  "tag.delete",
  "tag.edit",
  "user.change_email",
  "user.change_name",
  "user.change_password",
  "user.claim",
  "user.connect",
  "user.create",
  "user.delete",
  "user.factor_off",
  "user.factor_on",
  "user.factor_undo",
  "user.passkey_add",
  "user.passkey_remove",
  "user.prove_email",
  "user.recovery_codes",
  "user.reset_password",
  "user.sign_in_failed",
  "tracking-key.create",
  "tracking-key.delete",
  "utm-template.create",
  "utm-template.delete",
  "utm-template.edit",
  "webhook.create",
  "webhook.delete",
  "webhook.disable",
  "webhook.edit",
  "webhook.rotate",
  "wechat-account.create",
  "wechat-account.delete",
  "wechat-account.edit",
  "wechat-domain.delete",
  "wechat-domain.edit",
  "workspace.create",
  "workspace.delete",
  "workspace.edit",
  "workspace.export",
  "workspace.remove",
  "workspace.restore",
  "workspace.transfer",
] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditQuery = z.object({
  action: z
    .string()
    .max(wordCharsMax)
    .regex(/^[a-z_-]+\.([a-z_]+|\*)$/, "Use an action such as link.edit or link.*.")
    .optional()
    .describe("Only this action, such as `link.edit`, or all of a kind, such as `link.*`."),
  actor: z.string().max(wordCharsMax).optional().describe("Only what this member or API key did."),
  subject: z
    .string()
    .max(wordCharsMax)
    .optional()
    .describe("Only what happened to the object with this id."),
  since: moment.optional().describe("Only entries from this time on."),
  until: moment.optional().describe("Only entries before this time."),
  pageSize: pageSizeOf(pageSizeMax),
  startingAfter: z
    .string()
    .max(wordCharsMax)
    .optional()
    .describe("Id of the last entry of the page before."),
  endingBefore: z
    .string()
    .max(wordCharsMax)
    .optional()
    .describe("Id of the first entry of the page after."),
});
export type AuditQuery = z.output<typeof auditQuery>;

export const exportAuditQuery = auditQuery
  .omit({ pageSize: true, startingAfter: true, endingBefore: true })
  .extend({
    format: recordFormat,
  });
export type ExportAuditQuery = z.output<typeof exportAuditQuery>;

export const auditEntryShape = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.object({
    id: z.string(),
    name: z.string().nullable(),
    type: z.enum(["user", "api_key", "system"]),
  }),
  action: z.string(),
  subject: z.string().nullable(),
  subjectName: z.string().nullable(),
  address: z.string().nullable(),
  agent: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).nullable(),
});
export type PresentedAuditEntry = z.infer<typeof auditEntryShape>;
