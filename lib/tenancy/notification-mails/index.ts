/**
 * Emails of notifications that somebody should see soon: a campaign paused or finished, a file of recipients needs them, a
 * webhook was disabled, an app seems to block a domain, or a form cannot send its codes.
 * What is due is stored with the notification; a sweep starts a job for each email, which is retried. Run twice, it sends
 * an email twice at most.
 *
 * They go to the person of the notification, if they have confirmed their address and are still a member.
 */
import { z } from "zod";
import { config } from "#lib/platform/config";
import { type EmailName, type EmailValues, sendEmail } from "#lib/platform/mail";
import { transaction } from "#lib/platform/postgres";
import { defineJob, enqueue } from "#lib/platform/queue";
import { appNames } from "#lib/platform/request-info/schema";
import { findMail, takeDue } from "./store.ts";

const sweepEveryMs = 2_000;
const batchMax = 100;

/** Notifications by kind → emails. */
const emails: Readonly<Record<string, EmailName>> = {
  "campaign.paused": "campaignPaused",
  "campaign.finished": "campaignFinished",
  "recipients.refused": "recipientsRefused",
  "recipients.failed": "recipientsFailed",
  "webhook.disabled": "webhookDisabled",
  "domain.blocked": "domainBlocked",
  "form.failing": "formFailing",
  "codes.rising": "codesRising",
};

const count = z.number().optional().catch(undefined);
/** Where the page of a subject is, by the first word of the kind; of all others under campaigns. */
const folders: Readonly<Record<string, string>> = {
  webhook: "/settings/webhooks",
  domain: "/domains",
};

/** Of those without a page of their own. */
const pages: Readonly<Record<string, string>> = { form: "/forms", codes: "/settings" };

/** Written by this version or another one: what does not fit is left out. */
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
});

const mailJob = defineJob({
  name: "notifications.mail",
  schema: z.object({ pk: z.int() }),
  handle: ({ pk }) => sendMail(pk),
});

/** Starts what is due. Returns the number of emails. */
export async function startDueMails(): Promise<number> {
  return await transaction(async (tx) => {
    const pks = await takeDue(tx, batchMax);
    // Before the commit: an email that is sent twice is better than none. The id prevents most of these.
    for (const pk of pks) await enqueue(mailJob, { pk }, `notification-${pk}`);
    return pks.length;
  });
}

/** Nothing is sent where the notification was deleted, or its person left the workspace. */
export async function sendMail(pk: number): Promise<void> {
  const row = await findMail(pk);
  const name = row && emails[row.kind];
  if (!name) return;
  const { email, locale, workspace, slug, subject, details } = row;
  const { slug: host, ...given } = detailsShape.parse(details ?? {});
  const values: EmailValues = { ...given, host };
  const [topic = ""] = row.kind.split(".");
  const page = pages[topic] ?? `${folders[topic] ?? "/campaigns"}/${subject}`;
  const address = `${config().FUXI_URL}/app/${slug}${page}`;
  await sendEmail({ email, locale: locale ?? "en" }, name, { ...values, workspace, address });
}

/** The jobs of this module, for a worker. */
export const notificationMailJobs = [
  mailJob,
  defineJob({
    name: "notifications.mails",
    schema: z.object({}),
    handle: startDueMails,
    everyMs: sweepEveryMs,
  }),
];
