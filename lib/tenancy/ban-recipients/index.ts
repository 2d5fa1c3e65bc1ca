/**
 * The people who are notified about a ban, and their appeals.
 *
 * saved ──▶ told ──▶ appealed ──▶ declined, or the ban ends
 *
 * Due messages are stored with the recipient, in the transaction of the change.
 */
import { type Connection, sql } from "#lib/platform/postgres";
import { markAnnounced } from "#lib/tenancy/bans";

export {
  appealBan,
  decideAppeal,
  findNotice,
  listAppeals,
  type Notice,
  noticeTokenOf,
} from "./appeals.ts";
export { banMailJobs, sendBanMails } from "./mails.ts";

export interface BanRecipient {
  userPk: number;
  workspacePk: number | null;
  links: number;
}

export async function saveRecipients(
  tx: Connection,
  banPk: number,
  recipients: readonly BanRecipient[],
): Promise<void> {
  // A person in several workspaces is notified for the one with the most links.
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

export async function endNotices(tx: Connection, banPk: number): Promise<void> {
  // Uses ban_recipient_pkey.
  await tx.query(sql`
    UPDATE ban_recipient
    SET
      mails = CASE WHEN 'banned' = ANY(mails) THEN '{}'::text[] ELSE '{lifted}'::text[] END,
      decided_at = CASE WHEN appealed_at IS NOT NULL THEN coalesce(decided_at, now()) END,
      accepted = CASE WHEN appealed_at IS NOT NULL THEN coalesce(accepted, true) END
    WHERE ban_pk = ${banPk}`);
}
