import { z } from "zod";
import { moment } from "#lib/basics/fields/schema";
import { recordFormat } from "#lib/platform/downloads/schema";

const pageSizeMax = 100;
const wordCharsMax = 100;

/** What the audit log records, as `noun.verb`. They are stored: none is ever renamed. */
const verbs = {
  annotation: ["create", "delete", "edit"],
  campaign: [
    "cancel",
    "create",
    "delete",
    "edit",
    "export",
    "pause",
    "resume",
    "settle",
    "start",
    "test",
  ],
  contact: ["erase", "export"],
  customer: ["edit", "erase"],
  "destination-list": ["edit"],
  domain: [
    "create",
    "delete",
    "dismiss_alarm",
    "edit",
    "primary",
    "transfer",
    "unverify",
    "verify",
  ],
  folder: ["create", "delete", "edit"],
  form: ["create", "delete", "edit"],
  gateway: ["create", "delete", "edit"],
  import: ["cancel", "delete", "done", "failed", "start", "undo"],
  importer: ["cancel", "start"],
  invitation: ["revoke"],
  key: ["create", "edit", "keep", "revoke", "rotate"],
  link: ["create", "delete", "edit", "expand", "expand_refused", "keep", "restore", "retire"],
  member: ["edit", "invite", "join", "leave", "remove"],
  operator: [
    "add",
    "announce",
    "approve_key",
    "ban",
    "decide_appeal",
    "decline_key",
    "disable_links",
    "dismiss_reports",
    "drop_job",
    "edit_list",
    "end_announcement",
    "end_sessions",
    "factor_off",
    "find",
    "forget_secret",
    "lift_ban",
    "read_list",
    "remove",
    "resend_confirmation",
    "reseal_secrets",
    "retry_job",
    "turn_feature_off",
    "turn_feature_on",
    "view",
  ],
  "opt-out": ["create", "delete", "export"],
  "people-key": ["rotate"],
  person: ["delete"],
  plan: ["change", "end"],
  "qr-logo": ["create", "delete"],
  "qr-template": ["create", "delete", "edit"],
  recipients: ["cancel", "create", "pause", "start", "undo"],
  "saved-view": ["delete", "share"],
  session: ["end", "end_others"],
  share: ["create", "revoke"],
  "social-image": ["delete"],
  tag: ["create", "delete", "edit"],
  user: [
    "change_email",
    "change_name",
    "change_password",
    "claim",
    "connect",
    "create",
    "delete",
    "factor_off",
    "factor_on",
    "factor_undo",
    "prove_email",
    "recovery_codes",
    "reset_password",
    "sign_in_failed",
  ],
  "tracking-key": ["create", "delete"],
  "utm-template": ["create", "delete", "edit"],
  webhook: ["create", "delete", "disable", "edit", "rotate"],
  "wechat-account": ["create", "delete", "edit"],
  "wechat-domain": ["delete", "edit"],
  workspace: ["create", "delete", "edit", "export", "remove", "restore", "transfer"],
} as const;
type Verbs = typeof verbs;
export type AuditAction = {
  [Noun in keyof Verbs]: `${Noun}.${Verbs[Noun][number]}`;
}[keyof Verbs];

/** Sound because the table has all nouns and verbs of the type. */
export const auditActions = Object.entries(verbs).flatMap(([noun, ofNoun]) =>
  ofNoun.map((verb) => `${noun}.${verb}`),
) as AuditAction[];

export const auditQuery = z.object({
  action: z
    .string()
    .max(wordCharsMax)
    .regex(/^[a-z_-]+\.([a-z_]+|\*)$/, "Use an action such as link.edit or link.*.")
    .optional(),
  actor: z.string().max(wordCharsMax).optional(),
  subject: z.string().max(wordCharsMax).optional(),
  since: moment.optional(),
  until: moment.optional(),
  pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(pageSizeMax),
  startingAfter: z.string().max(wordCharsMax).optional(),
  endingBefore: z.string().max(wordCharsMax).optional(),
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
