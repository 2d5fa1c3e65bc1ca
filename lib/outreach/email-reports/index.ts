/** Reports by email: who gets which numbers how often. deliveries.ts has the states of each email. */
import { newId } from "#lib/basics/ids";
import { AppError, assertRoom } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { enqueue } from "#lib/platform/queue";
import {
  assertConfirmed,
  assertMay,
  lockWorkspace,
  onlyCreatorPk,
  type WorkspaceScope,
} from "#lib/tenancy/access";
import { auditEntryOf, recordAudit } from "#lib/tenancy/audit";
import { assertLive } from "#lib/tenancy/live-actors";
import { composeReport } from "./compose.ts";
import { listDeliveryRows, periodAt } from "./deliveries.ts";
import { writeReport } from "./email.ts";
import { nameOf } from "./figures.ts";
import { recipientIdsOf, stopUrl } from "./links.ts";
import {
  type EmailReport,
  type ReportBody,
  type ReportDelivery,
  type ReportOptions,
  type ReportRecipient,
  reportsMax,
} from "./schema.ts";
import { askJob, mayShare } from "./sending.ts";
import {
  confirmRow,
  countReports,
  deleteReportRow,
  findLinked,
  findMemberPks,
  insertReport,
  type LinkedRecipient,
  listRecipientRows,
  listReportRows,
  putRecipients,
  type RecipientRow,
  stopRow,
  takeUnasked,
  updateReport,
} from "./store.ts";

export { reportLinkPurpose } from "./links.ts";
export { reportJobs, sendReports } from "./sending.ts";

/** Owners and admins see all reports, others their own. */
export async function listReports(scope: WorkspaceScope): Promise<EmailReport[]> {
  assertMay(scope, "links.write");
  const rows = await listReportRows(scope.workspacePk, onlyCreatorPk(scope));
  const recipients = await listRecipientRows(rows.map(({ pk }) => pk));
  return rows.map(({ pk, id, kind, subject_id: subjectId, frequency, locale, next_at }) => ({
    ...{ id, kind, subjectId, frequency, locale, nextAt: next_at.toISOString() },
    recipients: recipients
      .filter(({ subscription_pk: reportPk }) => reportPk === pk)
      .map(presentRecipient),
  }));
}

function presentRecipient(row: RecipientRow): ReportRecipient {
  return { userId: row.user_id, name: row.email ?? row.name ?? "", state: stateOf(row) };
}

function stateOf(row: RecipientRow): ReportRecipient["state"] {
  if (row.email !== null && row.confirmed_at === null) return "unconfirmed";
  if (row.stopped_at !== null) return "stopped";
  return row.email !== null || row.is_member ? "active" : "left";
}

export async function listReportDeliveries(scope: WorkspaceScope): Promise<ReportDelivery[]> {
  assertMay(scope, "links.write");
  const rows = await listDeliveryRows(scope.workspacePk, onlyCreatorPk(scope));
  return rows.map(({ pk, at, ...row }) => ({ ...row, id: String(pk), at: at.toISOString() }));
}

export async function createReport(
  scope: WorkspaceScope,
  body: ReportBody,
): Promise<{ id: string }> {
  await assertAllowed(scope, body);
  const { workspacePk, userPk } = scope;
  const id = newId("rep");
  const nextAt = await nextOf(scope, body);
  const unasked = await transaction(async (tx) => {
    await assertLive(tx, scope);
    await lockWorkspace(tx, workspacePk);
    assertRoom(await countReports(tx, workspacePk), reportsMax, "email reports", {
      advice: "Delete one first.",
    });
    const reportPk = await insertReport(tx, { id, workspacePk, userPk }, { ...body, nextAt });
    const recipientIds = await saveRecipients(tx, scope, reportPk, body);
    await recordAudit(tx, [auditEntryOf(scope, "email-report.create", id, detailsOf(body))]);
    return recipientIds;
  });
  await askForConfirmation(scope, unasked);
  return { id };
}

export async function editReport(
  scope: WorkspaceScope,
  id: string,
  body: ReportBody,
): Promise<void> {
  await assertAllowed(scope, body);
  const { workspacePk } = scope;
  const nextAt = await nextOf(scope, body);
  const unasked = await transaction(async (tx) => {
    await assertLive(tx, scope);
    const own = { workspacePk, id, creatorPk: onlyCreatorPk(scope) };
    const reportPk = await updateReport(tx, own, { ...body, nextAt });
    if (reportPk === undefined) throw missingReport();
    const recipientIds = await saveRecipients(tx, scope, reportPk, body);
    await recordAudit(tx, [auditEntryOf(scope, "email-report.edit", id, detailsOf(body))]);
    return recipientIds;
  });
  await askForConfirmation(scope, unasked);
}

export async function deleteReport(scope: WorkspaceScope, id: string): Promise<void> {
  assertMay(scope, "links.write");
  const { workspacePk } = scope;
  await transaction(async (tx) => {
    const own = { workspacePk, id, creatorPk: onlyCreatorPk(scope) };
    if (!(await deleteReportRow(tx, own))) throw missingReport();
    await recordAudit(tx, [auditEntryOf(scope, "email-report.delete", id)]);
  });
}

/** The email of the latest period as HTML, with the stats that the actor may see. */
export async function previewReport(scope: WorkspaceScope, body: ReportOptions): Promise<string> {
  assertMay(scope, "links.write");
  assertMay(scope, "analytics.read");
  const { startsOn, endsOn } = await periodAt(new Date(), scope.zone, body.frequency);
  // Uses workspace_pkey.
  const workspace = await query.one<{ name: string }>(sql`
    SELECT name FROM workspace WHERE pk = ${scope.workspacePk}`);
  const { content, images } = await composeReport(scope, body, {
    ...{ workspace: workspace?.name ?? "", locale: body.locale, isMember: true },
    period: { startsOn, endsOn },
    // The preview unsubscribes nobody.
    stopUrl: stopUrl("00000000-0000-0000-0000-000000000000"),
  });
  const urlOf = (png: Buffer) => `data:image/png;base64,${png.toString("base64")}`;
  const { light, dark, logo } = images;
  const shown = { light: urlOf(light), dark: urlOf(dark), logo: logo && urlOf(logo) };
  return writeReport(content, shown).html;
}

/** For the owner of an address with the link from an email. Undefined for an invalid link. */
export async function findReportRecipient(token: string): Promise<LinkedRecipient | undefined> {
  const ids = await recipientIdsOf(token);
  return ids.length === 0 ? undefined : await findLinked(ids);
}

/** False if the link is invalid or older than `confirmDays`. */
export async function confirmReportAddress(token: string): Promise<boolean> {
  return await confirmRow(await recipientIdsOf(token));
}

/** Safe to call twice. False for an invalid link. */
export async function stopReports(token: string): Promise<boolean> {
  return await stopRow(await recipientIdsOf(token));
}

/** The actor may see the subject, and share it if people outside the workspace get the report. */
async function assertAllowed(scope: WorkspaceScope, body: ReportBody): Promise<void> {
  assertMay(scope, "links.write");
  assertMay(scope, "analytics.read");
  assertConfirmed(scope);
  await nameOf(scope, body);
  if (body.emails.length === 0 || mayShare(scope, body.kind)) return;
  throw new AppError(
    "forbidden",
    "Only owners and admins can send reports on the whole workspace or a tag to people outside the workspace.",
    { problem: "report_outside" },
  );
}

async function nextOf({ zone }: WorkspaceScope, { frequency }: ReportBody): Promise<Date> {
  return (await periodAt(new Date(), zone, frequency)).nextAt;
}

/** Returns the ids of new addresses, which are still to be asked. */
async function saveRecipients(
  tx: Connection,
  scope: WorkspaceScope,
  reportPk: number,
  { userIds, emails }: ReportBody,
): Promise<string[]> {
  const userPks = await findMemberPks(tx, scope.workspacePk, userIds);
  await putRecipients(tx, reportPk, { userPks, emails, actorPk: scope.userPk });
  const unasked = await takeUnasked(tx, reportPk);
  for (const { email } of unasked) await takeConfirmation(scope, email);
  return unasked.map(({ id }) => id);
}

/** After the commit: a fast worker would not find the addresses before. */
async function askForConfirmation(
  { userPk }: WorkspaceScope,
  recipientIds: readonly string[],
): Promise<void> {
  if (recipientIds.length === 0) return;
  // Uses app_user_pkey.
  const person = await query.one<{ name: string }>(sql`
    SELECT name FROM app_user WHERE pk = ${userPk}`);
  for (const recipientId of recipientIds) {
    await enqueue(askJob, { recipientId, inviter: person?.name ?? "" });
  }
}

/** Strangers get no more of these emails than somebody who mistyped an address would send. */
async function takeConfirmation({ workspaceId }: WorkspaceScope, email: string): Promise<void> {
  for (const attempt of [
    await tryLimit("reportConfirmationPerEmail", email),
    await tryLimit("reportConfirmationPerWorkspace", workspaceId),
  ]) {
    if (attempt.ok) continue;
    const { retryAfterSeconds } = attempt;
    const message = "Too many confirmation emails were sent. Wait, then try again.";
    throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds });
  }
}

function detailsOf({ kind, subjectId, frequency, userIds, emails }: ReportBody) {
  return { kind, subjectId, frequency, recipients: userIds.length + emails.length };
}

function missingReport(): AppError {
  return new AppError("not_found", "Email report not found in this workspace.");
}
