/**
 * The messages of audit actions and of what they changed. An action is `noun.verb`. Nouns and verbs have separate messages, so
 * that a new pair needs no new message. Unknown ones are shown unchanged.
 */

export const nouns = [
  "link",
  "domain",
  "tag",
  "folder",
  "form",
  "share",
  "email-report",
  "qr-template",
  "qr-logo",
  "social-image",
  "utm-template",
  "member",
  "invitation",
  "key",
  "import",
  "importer",
  "saved-view",
  "annotation",
  "destination-list",
  "campaign",
  "recipients",
  "opt-out",
  "gateway",
  "wechat-account",
  "wechat-domain",
  "webhook",
  "person",
  "contact",
  "customer",
  "lead",
  "tracking-key",
  "people-key",
  "plan",
  "sso",
  "sso-domain",
  "workspace",
] as const;
export type Noun = (typeof nouns)[number];

const verbs = [
  "create",
  "edit",
  "delete",
  "erase",
  "revoke",
  "verify",
  "unverify",
  "primary",
  "transfer",
  "invite",
  "join",
  "leave",
  "remove",
  "restore",
  "expand",
  "export",
  "keep",
  "retire",
  "disable",
  "start",
  "pause",
  "cancel",
  "done",
  "failed",
  "share",
  "undo",
  "rotate",
  "expand_refused",
  "dismiss_alarm",
  "resume",
  "settle",
  "test",
  "change",
  "end",
  "bypass",
] as const;
export type Verb = (typeof verbs)[number];

export interface AuditAction {
  noun: Noun;
  verb: Verb;
}

/** Undefined if there is no message for the action. */
export function actionOf(action: string): AuditAction | undefined {
  const [left = "", right = ""] = action.split(".");
  const noun = nouns.find((one) => one === left);
  const verb = verbs.find((one) => one === right);
  return noun && verb && { noun, verb };
}

/** Actions of administrators, recorded as `operator.<verb>`. */
const operations = [
  "add",
  "announce",
  "approve_key",
  "ban",
  "decide_appeal",
  "decline_key",
  "disable_link",
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
] as const;
type Operation = (typeof operations)[number];

/** Undefined if it is not an action of an administrator, or has no message. */
export function operationOf(action: string): Operation | undefined {
  return operations.find((one) => `operator.${one}` === action);
}

export interface AuditChange {
  field: string;
  from?: unknown;
  to?: unknown;
}

export function changesOf(details: Readonly<Record<string, unknown>> | null): AuditChange[] {
  return Object.entries(details ?? {}).map(([field, value]) => {
    const name = labelKeyOf(field);
    // Hides internal row numbers. For secrets, only shows that they changed.
    if (value === true || field.endsWith("_pk")) return { field: name };
    if (isChange(value)) return { field: name, from: value.from, to: value.to };
    return { field: name, to: value };
  });
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === "object" && value !== null && "to" in value;
}

/** `expires_at` and `expiresAt` are the same field, and so are a folder and its row number. */
function labelKeyOf(field: string): string {
  return field
    .replace(/_pk$/, "")
    .replace(/_hash$/, "")
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
