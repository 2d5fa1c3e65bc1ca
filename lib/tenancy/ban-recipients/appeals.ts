/**
 * Banned people have no session, so a signed token opens the form.
 *
 *     ban id . user id . HMAC of both, base64url
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { config } from "#lib/platform/config";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { type BanRow, banColumns, presentBan } from "#lib/tenancy/bans";
import type { Appeal, Ban } from "#lib/tenancy/bans/schema";

const tokenCharsMax = 200;
const appealsMax = 100;

function sign(banId: string, userId: string): Buffer {
  const { FUXI_SESSION_SECRET } = config();
  return createHmac("sha256", FUXI_SESSION_SECRET)
    .update(`fuxi ban notices\n${banId}\n${userId}`)
    .digest();
}

export function noticeTokenOf(banId: string, userId: string): string {
  return `${banId}.${userId}.${sign(banId, userId).toString("base64url")}`;
}

function readToken(token: string): { banId: string; userId: string } | undefined {
  const [banId, userId, signature, ...rest] = token.slice(0, tokenCharsMax).split(".");
  if (!banId || !userId || !signature || rest.length > 0) return undefined;
  const wanted = sign(banId, userId);
  const given = Buffer.from(signature, "base64url");
  // defence: ban-token-signed
  const isRight = given.length === wanted.length && timingSafeEqual(given, wanted);
  return isRight ? { banId, userId } : undefined;
}

export interface Notice {
  ban: Ban;
  links: number;
  appeal: "possible" | "pending" | "declined" | "ended";
}

interface NoticeRow extends BanRow {
  links: number;
  appealed_at: Date | null;
  decided_at: Date | null;
  user_pk: number;
}

/** Undefined: the token is not ours, or the person was not notified. */
export async function findNotice(token: string): Promise<Notice | undefined> {
  const read = readToken(token);
  if (!read) return undefined;
  const [row] = await query<NoticeRow>({
    // Uses ban_id_key, app_user_id_key and ban_recipient_pkey.
    text: `
      SELECT ${banColumns}, ban_recipient.links, ban_recipient.appealed_at, ban_recipient.decided_at
      FROM ban
      JOIN app_user ON app_user.id = $2
      JOIN ban_recipient ON ban_recipient.ban_pk = ban.pk AND ban_recipient.user_pk = app_user.pk
      WHERE ban.id = $1`,
    values: [read.banId, read.userId],
  });
  if (!row) return undefined;
  return { ban: presentBan(row), links: row.links, appeal: stateOf(row) };
}

function stateOf(row: NoticeRow): Notice["appeal"] {
  if (row.lifted_at) return "ended";
  if (!row.appealed_at) return "possible";
  return row.decided_at ? "declined" : "pending";
}

/** False: the token is wrong, the ban has ended, or the person already appealed. */
export async function appealBan(token: string, text: string): Promise<boolean> {
  const read = readToken(token);
  if (!read) return false;
  return await query.any(
    // Uses ban_id_key, app_user_id_key and ban_recipient_pkey.
    // defence: appeal-once
    sql`
      UPDATE ban_recipient
      SET appeal = ${text}, appealed_at = now()
      FROM ban, app_user
      WHERE ban.id = ${read.banId}
        AND app_user.id = ${read.userId}
        AND ban_recipient.ban_pk = ban.pk
        AND ban_recipient.user_pk = app_user.pk
        AND ban_recipient.appealed_at IS NULL
        AND ban.lifted_at IS NULL
      RETURNING 1`,
  );
}

interface AppealRow extends BanRow {
  user_id: string;
  user_name: string;
  email: string;
  links: number;
  appeal: string;
  appealed_at: Date;
}

export async function listAppeals(): Promise<Appeal[]> {
  const rows = await query<AppealRow>({
    // Uses ban_recipient_appeal.
    text: `
      SELECT ${banColumns}, app_user.id AS user_id, app_user.name AS user_name, app_user.email,
        ban_recipient.links, ban_recipient.appeal, ban_recipient.appealed_at
      FROM ban_recipient
      JOIN ban ON ban.pk = ban_recipient.ban_pk
      JOIN app_user ON app_user.pk = ban_recipient.user_pk
      WHERE ban_recipient.appealed_at IS NOT NULL
        AND ban_recipient.decided_at IS NULL
      ORDER BY ban_recipient.appealed_at
      LIMIT $1`,
    values: [appealsMax],
  });
  return rows.map((row) => ({
    ban: presentBan(row),
    user: { id: row.user_id, name: row.user_name, email: row.email },
    links: row.links,
    text: row.appeal,
    appealedAt: row.appealed_at.toISOString(),
  }));
}

export async function decideAppeal(
  tx: Connection,
  appeal: { banId: string; userId: string; accept: boolean; actor: string },
): Promise<boolean> {
  const { banId, userId, accept, actor } = appeal;
  return await tx.any(
    // Uses ban_id_key, app_user_id_key and ban_recipient_pkey.
    // defence: appeal-decided-once
    sql`
      UPDATE ban_recipient
      SET decided_at = now(), decided_by = ${actor}, accepted = ${accept},
        mails = CASE WHEN ${accept}::boolean THEN mails ELSE mails || 'declined'::text END
      FROM ban, app_user
      WHERE ban.id = ${banId}
        AND app_user.id = ${userId}
        AND ban_recipient.ban_pk = ban.pk
        AND ban_recipient.user_pk = app_user.pk
        AND ban_recipient.appealed_at IS NOT NULL
        AND ban_recipient.decided_at IS NULL
        AND ban.lifted_at IS NULL
      RETURNING 1`,
  );
}
