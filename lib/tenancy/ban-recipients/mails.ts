/** A sweep starts a job per email, which is retried. At worst an email is sent twice. */
import { z } from "zod";
import { config } from "#lib/platform/config";
import { type EmailName, sendEmail } from "#lib/platform/mail";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { defineJob, enqueue } from "#lib/platform/queue";
import type { BanKind } from "#lib/tenancy/bans/schema";
import { addNotification } from "#lib/tenancy/notifications";
import type { NotificationKind } from "#lib/tenancy/notifications/schema";
import { noticeTokenOf } from "./appeals.ts";

const sweepEveryMs = 2_000;
const batchMax = 100;

const mailNames = ["banned", "lifted", "declined"] as const;
type MailName = (typeof mailNames)[number];

const emails: Record<MailName, EmailName> = {
  banned: "banned",
  lifted: "banLifted",
  declined: "appealDeclined",
};

const kinds: Record<MailName, NotificationKind> = {
  banned: "ban.started",
  lifted: "ban.lifted",
  declined: "ban.appeal_declined",
};

const mailSchema = z.object({ banPk: z.int(), userPk: z.int(), name: z.enum(mailNames) });
const mailJob = defineJob({ name: "ban.mail", schema: mailSchema, handle: sendMail });

interface DueRow {
  ban_pk: number;
  user_pk: number;
  workspace_pk: number | null;
  links: number;
  mails: MailName[];
  ban_id: string;
  kind: BanKind;
  name: string;
  user_id: string;
}

export async function sendBanMails(): Promise<number> {
  return await transaction(async (tx) => {
    const rows = await lockDue(tx);
    for (const row of rows) await startMails(tx, row);
    return rows.length;
  });
}

async function lockDue(tx: Connection): Promise<DueRow[]> {
  // Uses ban_recipient_untold, ban_pkey and app_user_pkey.
  return await tx.query<DueRow>(sql`
    SELECT ban_recipient.ban_pk, ban_recipient.user_pk, ban_recipient.workspace_pk,
      ban_recipient.links, ban_recipient.mails, ban.id AS ban_id, ban.kind, ban.name,
      app_user.id AS user_id
    FROM ban_recipient
    JOIN ban ON ban.pk = ban_recipient.ban_pk
    JOIN app_user ON app_user.pk = ban_recipient.user_pk
    WHERE ban_recipient.mails <> '{}'::text[]
    LIMIT ${batchMax}
    FOR UPDATE OF ban_recipient SKIP LOCKED`);
}

async function startMails(tx: Connection, row: DueRow): Promise<void> {
  const { ban_pk: banPk, user_pk: userPk, workspace_pk: workspacePk, links } = row;
  for (const name of row.mails) {
    if (workspacePk !== null) {
      const token = noticeTokenOf(row.ban_id, row.user_id);
      const details = { kind: row.kind, name: row.name, links, token };
      const notification = { workspacePk, userPk, kind: kinds[name], subject: row.ban_id, details };
      await addNotification(tx, notification);
    }
    // Before the commit, because an email sent twice is better than none. The id prevents most duplicates.
    await enqueue(mailJob, { banPk, userPk, name }, { id: `${banPk}-${userPk}-${name}` });
  }
  await tx.query(sql`
    UPDATE ban_recipient
    SET mails = '{}'
    WHERE ban_pk = ${banPk}
      AND user_pk = ${userPk}`);
}

interface MailRow {
  ban_id: string;
  kind: BanKind;
  name: string;
  note: string;
  links: number;
  user_id: string;
  email: string;
  locale: string | null;
}

async function sendMail({ banPk, userPk, name }: z.output<typeof mailSchema>): Promise<void> {
  // Uses ban_recipient_pkey, ban_pkey and app_user_pkey.
  const [row] = await query<MailRow>(sql`
    SELECT ban.id AS ban_id, ban.kind, ban.name, ban.note, ban_recipient.links,
      app_user.id AS user_id, app_user.email, app_user.locale
    FROM ban_recipient
    JOIN ban ON ban.pk = ban_recipient.ban_pk
    JOIN app_user ON app_user.pk = ban_recipient.user_pk
    WHERE ban_recipient.ban_pk = ${banPk}
      AND ban_recipient.user_pk = ${userPk}`);
  if (!row) return;
  const { FUXI_URL } = config();
  const token = noticeTokenOf(row.ban_id, row.user_id);
  await sendEmail({ email: row.email, locale: row.locale ?? "en" }, emails[name], {
    address: `${FUXI_URL}/appeal?token=${token}`,
    banned: row.kind,
    name: row.name,
    note: row.note,
    links: row.links,
  });
}

export const banMailJobs = [
  mailJob,
  defineJob({
    name: "bans.tell",
    schema: z.object({}),
    handle: sendBanMails,
    everyMs: sweepEveryMs,
    due: () => "EXISTS (SELECT FROM ban_recipient WHERE mails <> '{}'::text[])",
  }),
];
