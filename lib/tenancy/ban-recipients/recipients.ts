/** The people who are told about a ban. */
import { type Connection, sql } from "#lib/platform/postgres";
import { markAnnounced } from "#lib/tenancy/bans";

export interface BanRecipient {
  userPk: number;
  workspacePk: number | null;
  /** How many of their links it concerns. */
  links: number;
}

/** Saves who is told about a ban. Safe to run twice. */
export async function saveRecipients(
  tx: Connection,
  banPk: number,
  recipients: readonly BanRecipient[],
): Promise<void> {
  // A person of several workspaces is told about the one with the most links.
  await tx.query(sql`
    INSERT INTO ban_recipient (ban_pk, user_pk, workspace_pk, links)
    SELECT DISTINCT ON (user_pk) ${banPk}::int, user_pk, workspace_pk, links
    FROM unnest(
      ${recipients.map(({ userPk }) => userPk)}::int[],
      ${recipients.map(({ workspacePk }) => workspacePk)}::int[],
      ${recipients.map(({ links }) => links)}::int[]
    ) AS found (user_pk, workspace_pk, links)
    ORDER BY user_pk, links DESC
    ON CONFLICT (ban_pk, user_pk) DO NOTHING`);
  await markAnnounced(tx, banPk);
}

/** Only people who were told about the ban are told about its end. */
export async function endNotices(tx: Connection, banPk: number): Promise<void> {
  // Answered by ban_recipient_pkey.
  await tx.query(sql`
    UPDATE ban_recipient
    SET
      mails = CASE WHEN 'banned' = ANY(mails) THEN '{}'::text[] ELSE '{lifted}'::text[] END,
      decided_at = CASE WHEN appealed_at IS NOT NULL THEN coalesce(decided_at, now()) END,
      accepted = CASE WHEN appealed_at IS NOT NULL THEN coalesce(accepted, true) END
    WHERE ban_pk = ${banPk}`);
}
