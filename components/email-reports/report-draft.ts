import type { EmailReport, Frequency, ReportKind } from "#lib/outreach/email-reports/schema";
import { reportKinds } from "#lib/outreach/email-reports/schema";
import type { Locale } from "#lib/platform/messages/schema";

export interface ReportSubject {
  /** "workspace", or a kind and an id separated by a colon. */
  value: string;
  name: string;
}

/** A report as the form has it. */
export interface ReportDraft {
  subject: string;
  frequency: Frequency;
  locale: Locale;
  userIds: string[];
  /** One address per line. */
  emails: string;
}

export function newDraft(locale: Locale, ownId: string): ReportDraft {
  return { subject: "workspace", frequency: "weekly", locale, userIds: [ownId], emails: "" };
}

/** Without those who unsubscribed: saving must not ask them again. */
export function draftOf(report: EmailReport): ReportDraft {
  const { frequency, locale } = report;
  const recipients = report.recipients.filter(({ state }) => state !== "stopped");
  const addresses = recipients.filter(({ userId }) => userId === null);
  return {
    ...{ subject: subjectOf(report), frequency, locale },
    userIds: recipients.flatMap(({ userId }) => userId ?? []),
    emails: addresses.map(({ name }) => name).join("\n"),
  };
}

export function subjectOf({ kind, subjectId }: Pick<EmailReport, "kind" | "subjectId">): string {
  return subjectId === null ? kind : `${kind}:${subjectId}`;
}

export function optionsOf({ subject, frequency, locale }: ReportDraft) {
  const [name = "", id] = subject.split(":", 2);
  const kind: ReportKind = reportKinds.find((one) => one === name) ?? "workspace";
  return { kind, subjectId: id ?? null, frequency, locale };
}

export function bodyOf(draft: ReportDraft) {
  const emails = draft.emails.split(/[\s,;，；]+/).filter((email) => email !== "");
  return { ...optionsOf(draft), userIds: draft.userIds, emails };
}
