/** Sends due reports. Whether somebody may still get one is asked when it is sent. */
import { z } from "zod";
import { AppError } from "#lib/platform/errors";
import { log } from "#lib/platform/log";
import {
  type Bulletin,
  isMailServerUp,
  type MailOutcome,
  sendBulletin,
  sendEmail,
} from "#lib/platform/mail";
import { query, sql } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import { composeReport } from "./compose.ts";
import {
  claim,
  type DueDelivery,
  giveUpSilent,
  isExhausted,
  listDue,
  planOne,
  putBack,
  settle,
  skip,
} from "./deliveries.ts";
import { writeReport } from "./email.ts";
import { confirmUrl, stopUrl } from "./links.ts";
import { confirmDays, type ReportKind, type SkipReason } from "./schema.ts";

const jobEveryMs = 10_000;
/** So that one run does not send for hours; the next one goes on. */
const runMsMax = 120_000;
/** Errors of subjects that the reader may not see, or that were deleted. */
const hiding: readonly string[] = ["not_found", "forbidden"];

/** Returns how many emails were sent. */
export async function sendReports(now = new Date()): Promise<number> {
  const endsAt = Date.now() + runMsMax;
  await giveUpSilent(now);
  while (Date.now() < endsAt && (await planOne(now))) {}
  let sent = 0;
  while (Date.now() < endsAt) {
    const due = await listDue(now);
    if (due.length === 0) break;
    if (!(await isMailServerUp())) {
      log.warn({ event: "reports.no_mail_server", due: due.length });
      break;
    }
    for (const delivery of due) sent += (await sendOne(delivery)) === "sent" ? 1 : 0;
  }
  return sent;
}

/** Leaves no email due that can be tried at once, so that the next batch has others. */
async function sendOne(delivery: DueDelivery): Promise<MailOutcome | "skipped"> {
  const prepared = await prepare(delivery);
  if (typeof prepared === "string") {
    await (prepared === "broken" ? putBack(delivery.pk) : skip(delivery.pk, prepared));
    return "skipped";
  }
  // Another worker has it, or the recipient unsubscribed a moment ago.
  if (!(await claim(delivery.pk))) {
    await giveUpSilent(new Date());
    return "skipped";
  }
  const outcome = await sendBulletin(delivery.email, prepared);
  await settle(delivery.pk, outcome);
  if (outcome !== "sent") log.warn({ event: "report.not_sent", outcome });
  return outcome;
}

async function prepare(delivery: DueDelivery): Promise<Bulletin | SkipReason | "broken"> {
  const scope = await readerScope(delivery);
  if (typeof scope === "string") return scope;
  if (await isExhausted(delivery.workspacePk)) return "limit";
  try {
    const { recipientId, locale, workspace, userPk, startsOn, endsOn } = delivery;
    const unsubscribeUrl = stopUrl(recipientId);
    const { content, images } = await composeReport(scope, delivery, {
      ...{ workspace, locale, isMember: userPk !== null, stopUrl: unsubscribeUrl },
      period: { startsOn, endsOn },
    });
    // A week or month without clicks is news; a day is not.
    if (delivery.frequency === "daily" && content.figures.clicks === 0) return "noClicks";
    const parts = Object.entries(images).flatMap(([cid, png]) => (png ? [{ cid, png }] : []));
    const shown = content.figures.clicks > 0 ? parts : parts.filter(({ cid }) => cid === "logo");
    const written = writeReport(content, {
      light: "cid:light",
      dark: "cid:dark",
      logo: images.logo && "cid:logo",
    });
    return { ...written, images: shown, unsubscribeUrl };
  } catch (error) {
    if (error instanceof AppError && hiding.includes(error.code)) return "hidden";
    // One report that cannot be written must not stop the others.
    log.error({ event: "report.failed", error: String(error) });
    return "broken";
  }
}

/** The scope of the member, or of the member who added the address and has to be allowed to share still. */
async function readerScope(delivery: DueDelivery): Promise<WorkspaceScope | SkipReason> {
  const { workspacePk, userPk, addedBy, kind } = delivery;
  const reader = userPk ?? addedBy;
  const scope =
    reader === null
      ? undefined
      : await reopenScope({ workspacePk, userPk: reader, apiKeyPk: null });
  // defence: report-only-to-members
  if (userPk !== null) return scope?.confirmed ? scope : "left";
  // defence: report-outside-by-sharers
  return scope && mayShare(scope, kind) ? scope : "adder";
}

/** As for share links: workspaces and tags have links of all folders. */
export function mayShare(scope: WorkspaceScope, kind: ReportKind): boolean {
  const isWide = kind === "workspace" || kind === "tag";
  return scope.permissions.has(isWide ? "workspace.write" : "links.write");
}

/** Asks the owner of an address whether they want reports. */
export const askJob = defineJob({
  name: "reports.ask",
  schema: z.object({ recipientId: z.string(), inviter: z.string() }),
  handle: async ({ recipientId, inviter }) => {
    // Uses report_recipient_id_key.
    const row = await query.one<{ email: string; locale: string; workspace: string }>(sql`
      SELECT recipient.email, report.locale, workspace.name AS workspace
      FROM report_recipient AS recipient
      JOIN report_subscription AS report ON report.pk = recipient.subscription_pk
      JOIN workspace ON workspace.pk = report.workspace_pk
      WHERE recipient.id = ${recipientId}
        AND recipient.email IS NOT NULL
        AND recipient.confirmed_at IS NULL
        AND recipient.asked_at > now() - ${confirmDays} * interval '1 day'
        AND workspace.deleted_at IS NULL
        AND workspace.banned_at IS NULL`);
    if (!row) return;
    const { email, locale, workspace } = row;
    const address = confirmUrl(recipientId);
    await sendEmail({ email, locale }, "reportAddress", { workspace, inviter, address });
  },
});

export const reportJobs = [
  askJob,
  defineJob({
    name: "reports.send",
    schema: z.object({}),
    handle: () => sendReports(),
    everyMs: jobEveryMs,
  }),
];
