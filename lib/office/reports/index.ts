/**
 * Reports of links by visitors, and the queue in which administrators decide them.
 *
 *   open ────▶ dismissed | banned ────▶ answered, if an email address was left, which is then erased
 *
 * A report gets the same answer whether its link exists or not. An address can have one open report per link; only its
 * keyed digest is stored.
 */

import { createHmac } from "node:crypto";
import { z } from "zod";
import { parseId, presentId } from "#lib/basics/ids";
import { parseUrl } from "#lib/basics/urls/schema";
import { shortUrl } from "#lib/links/hosts";
import { createBan } from "#lib/office/bans";
import { findNamedLink } from "#lib/office/links";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { sendEmail } from "#lib/platform/mail";
import { transaction } from "#lib/platform/postgres";
import { defineJob, enqueue } from "#lib/platform/queue";
import type { BanKind } from "#lib/tenancy/bans/schema";
import { isFeatureOn } from "#lib/tenancy/features";
import { auditLooks, type OperatorScope, recordOperation } from "#lib/tenancy/operators";
import type { DecideReports, ReportedLink, ReportForm } from "./schema.ts";
import {
  decideRows,
  eraseEmail,
  findUnanswered,
  insertReport,
  listReported,
  listUnanswered,
  type ReportedRow,
} from "./store.ts";

const answerEveryMs = 5_000;
const answersAtOnce = 100;

export { countReported } from "./store.ts";

export type ReportOutcome =
  | { ok: true }
  | { ok: false; code: "off" }
  | { ok: false; code: "too_many"; retryAfterSeconds: number };

/** Missing links and repeated reports are accepted without effect. */
export async function fileReport(
  form: ReportForm,
  address: string,
  locale: string,
): Promise<ReportOutcome> {
  if (!(await isFeatureOn("reports"))) return { ok: false, code: "off" };
  const network = addressSubject(address);
  const attempt = await tryLimit("reportPerAddress", network);
  // defence: reports-per-address
  if (!attempt.ok) return { ...attempt, code: "too_many" };
  const link = await findNamedLink(form.link);
  if (!link) return { ok: true };
  // defence: reporter-network-digest
  const addressHash = digest(network);
  const { reason, text } = form;
  await insertReport(link, { reason, text, email: form.email || null, locale, addressHash });
  return { ok: true };
}

function digest(network: string): Buffer {
  const { FUXI_SESSION_SECRET } = config();
  return createHmac("sha256", FUXI_SESSION_SECRET).update(`fuxi reports\n${network}`).digest();
}

export async function listReports(operator: OperatorScope): Promise<ReportedLink[]> {
  const rows = await listReported(null);
  const workspaces = rows.map((row) => row.workspace_pk);
  await auditLooks(operator, workspaces, { details: { viewed: "reports" } });
  return rows.map(present);
}

function present(row: ReportedRow): ReportedLink {
  const { workspace_id: id, workspace_name: name, workspace_slug: slug } = row;
  return {
    linkId: presentId("link", row.link_id),
    shortLink: shortUrl(row.slug, row.key),
    url: row.url,
    host: parseUrl(row.url)?.hostname ?? "",
    workspace: { id, name, slug },
    owners: row.owners ?? [],
    banned: row.banned,
    reports: row.reports,
    firstAt: row.first_at.toISOString(),
    latest: row.latest.map((one) => ({
      reason: one.reason,
      text: one.text,
      wantsAnswer: one.wants_answer,
      createdAt: new Date(one.created_at).toISOString(),
    })),
  };
}

/** Dismisses all open reports of a link, or bans the link, its host or its workspace. */
export async function decideReports(
  operator: OperatorScope,
  linkId: string,
  { action, reason, note }: DecideReports,
): Promise<void> {
  const uuid = parseId("link", linkId);
  const [row] = uuid ? await listReported(uuid) : [];
  if (!uuid || !row) throw noReports();
  const shown = present(row);
  const subjects: Partial<Record<typeof action, [BanKind, string]>> = {
    ban_link: ["link", shown.linkId],
    ban_host: ["host", shown.host],
    ban_workspace: ["workspace", shown.workspace.id],
  };
  const banned = subjects[action];
  if (banned) await ban(operator, banned, { reason, note });
  await transaction(async (tx) => {
    const outcome = banned ? "banned" : "dismissed";
    const decided = await decideRows(tx, uuid, outcome, operator.actor);
    // Another administrator was faster.
    if (!decided) throw noReports();
    if (banned) return;
    await recordOperation(tx, operator, {
      workspacePk: decided.workspacePk,
      action: "operator.dismiss_reports",
      subject: linkId,
      reason: note,
      details: { reports: decided.reports },
    });
  });
}

/** Ignores a ban that exists already. */
async function ban(
  operator: OperatorScope,
  [kind, subject]: [BanKind, string],
  { reason, note }: Pick<DecideReports, "reason" | "note">,
): Promise<void> {
  try {
    await createBan(operator, { kind, subject, reason, note });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
  }
}

function noReports(): AppError {
  const message = "This link has no open reports. They may have been decided already.";
  return new AppError("not_found", message, { problem: "reports_gone" });
}

const answerJob = defineJob({
  name: "report.answer",
  schema: z.object({ pk: z.int() }),
  handle: ({ pk }) => answerReport(pk),
});

/** Answers a reporter and erases their address. Run twice, it may send the email twice. */
export async function answerReport(pk: number): Promise<void> {
  const row = await findUnanswered(pk);
  if (!row) return;
  const name = row.slug !== null && row.key !== null ? shortUrl(row.slug, row.key) : "";
  const mail = row.outcome === "banned" ? "reportActed" : "reportDismissed";
  await sendEmail({ email: row.email, locale: row.locale }, mail, { name });
  // defence: reporter-email-erased
  await eraseEmail(pk);
}

/** Enqueues the answers to decided reports. Returns their number. */
export async function answerReports(): Promise<number> {
  const pks = await listUnanswered(answersAtOnce);
  for (const pk of pks) await enqueue(answerJob, { pk }, { id: String(pk) });
  return pks.length;
}

export const reportJobs = [
  answerJob,
  defineJob({
    name: "reports.answer",
    schema: z.object({}),
    handle: answerReports,
    everyMs: answerEveryMs,
    due: () =>
      "EXISTS (SELECT FROM link_report WHERE decided_at IS NOT NULL AND email IS NOT NULL)",
  }),
];
