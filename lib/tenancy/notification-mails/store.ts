/** The statements of emails of notifications. */
import { type Connection, query, sql } from "#lib/platform/postgres";

/** Notifications whose email is due; it is not from the commit on. */
export async function takeDue(tx: Connection, limit: number): Promise<number[]> {
  // Answered by notice_mail.
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

/** A notification and its person, who is still a member and has proven their address. */
export async function findMail(pk: number): Promise<MailRow | undefined> {
  // Answered by notice_pkey, membership_pkey, app_user_pkey and workspace_pkey.
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
