/** A sweep starts a job per email, which is retried. At worst an email is sent twice. */
import { z } from "zod";
import { config } from "#lib/platform/config";
import { type EmailName, type EmailValues, sendEmail } from "#lib/platform/mail";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { defineJob, enqueue } from "#lib/platform/queue";
import { appNames } from "#lib/platform/request-info/schema";

const sweepEveryMs = 2_000;
const batchMax = 100;

const emails: Readonly<Record<string, EmailName>> = {
  "campaign.paused": "campaignPaused",
  "campaign.finished": "campaignFinished",
  "recipients.refused": "recipientsRefused",
  "recipients.failed": "recipientsFailed",
  "webhook.disabled": "webhookDisabled",
  "domain.blocked": "domainBlocked",
  "domain.silent": "domainSilent",
  "destination.broken": "destinationBroken",
  "form.failing": "formFailing",
  "codes.rising": "codesRising",
  "clicks.rising": "clicksRising",
  "clicks.falling": "clicksFalling",
};

const count = z.number().optional().catch(undefined);
/** Pages of subjects by the first word of the kind. */
const folders: Readonly<Record<string, string>> = {
  webhook: "/settings/webhooks",
  domain: "/domains",
};

/** For kinds whose subjects have no page. */
const pages: Readonly<Record<string, string>> = {
  form: "/forms",
  codes: "/settings",
  clicks: "/analytics",
  destination: "/links?status=broken",
};

/** Another version may have written the details, so values that do not fit are left out. */
const detailsShape = z.object({
  name: z.string().catch(""),
  reason: z.string().optional().catch(undefined),
  country: z.string().optional().catch(undefined),
  asked: count,
  usual: count,
  sent: count,
  refused: count,
  unknown: count,
  slug: z.string().optional().catch(undefined),
  app: z.enum(appNames).optional().catch(undefined),
  source: z.enum(["visits", "checker"]).optional().catch(undefined),
  since: z.string().optional().catch(undefined),
  visits: count,
  inApp: count,
  share: count,
  visitsBefore: count,
  inAppBefore: count,
  shareBefore: count,
  oneIn: count,
  clicks: count,
  hours: count,
  host: z.string().optional().catch(undefined),
  status: z.number().nullable().optional().catch(undefined),
});

const mailJob = defineJob({
  name: "notifications.mail",
  schema: z.object({ pk: z.int() }),
  handle: ({ pk }) => sendMail(pk),
});

export async function startDueMails(): Promise<number> {
  return await transaction(async (tx) => {
    const pks = await takeDue(tx, batchMax);
    // Before the commit, because an email sent twice is better than none. The id prevents most duplicates.
    for (const pk of pks) await enqueue(mailJob, { pk }, { id: `notification-${pk}` });
    return pks.length;
  });
}

/** Sends nothing if the notification was deleted, or the person left. */
export async function sendMail(pk: number): Promise<void> {
  const row = await findMail(pk);
  const name = row && emails[row.kind];
  if (!name) return;
  const { email, locale, workspace, slug, subject, details } = row;
  const { slug: domain, ...given } = detailsShape.parse(details ?? {});
  const values: EmailValues = { ...given, host: given.host ?? domain };
  const [topic = ""] = row.kind.split(".");
  const folder = subject?.startsWith("camp_") ? "/campaigns" : folders[topic];
  const page = folder ? `${folder}/${subject}` : (pages[topic] ?? "");
  const address = `${config().FUXI_URL}/app/${slug}${page}`;
  await sendEmail({ email, locale: locale ?? "en" }, name, { ...values, workspace, address });
}

export const notificationMailJobs = [
  mailJob,
  defineJob({
    name: "notifications.mails",
    schema: z.object({}),
    handle: startDueMails,
    everyMs: sweepEveryMs,
    due: () => "EXISTS (SELECT FROM notice WHERE mail_due)",
  }),
];

async function takeDue(tx: Connection, limit: number): Promise<number[]> {
  const rows = await tx.query<{ pk: number }>(sql`
    UPDATE notice
    SET mail_due = false
    WHERE pk IN (
      SELECT pk
      FROM notice
      WHERE mail_due
      ORDER BY pk
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    RETURNING pk`);
  return rows.map(({ pk }) => pk);
}

interface MailRow {
  kind: string;
  subject: string | null;
  details: Record<string, unknown> | null;
  email: string;
  locale: string | null;
  workspace: string;
  slug: string;
}

/** Uses notice_pkey, membership_pkey, app_user_pkey and workspace_pkey. */
async function findMail(pk: number): Promise<MailRow | undefined> {
  return await query.one<MailRow>(sql`
    SELECT notice.kind, notice.subject, notice.details, app_user.email, app_user.locale,
      workspace.name AS workspace, workspace.slug
    FROM notice
    JOIN membership
      ON membership.workspace_pk = notice.workspace_pk
      AND membership.user_pk = notice.user_pk
    JOIN app_user ON app_user.pk = notice.user_pk
    JOIN workspace ON workspace.pk = notice.workspace_pk
    WHERE notice.pk = ${pk}
      AND app_user.email_proven_at IS NOT NULL
      AND app_user.banned_at IS NULL
      AND workspace.deleted_at IS NULL`);
}
