/** Announcements to everyone who is signed in. Nothing is cached, so that a change shows at once. */
import { newId } from "#lib/basics/ids";
import { AppError } from "#lib/platform/errors";
import type { Locale } from "#lib/platform/messages/schema";
import { query, sql, transaction } from "#lib/platform/postgres";
import { type OperatorScope, recordOperation } from "#lib/tenancy/operators";
import type { Announcement, CreateAnnouncement, ShownAnnouncement } from "./schema.ts";

export const openAnnouncementsMax = 10;
const listedMax = 50;

type AnnouncementRow = Omit<Announcement, "startsAt" | "endsAt" | "state"> & {
  starts_at: Date;
  ends_at: Date;
};

export async function createAnnouncement(
  operator: OperatorScope,
  { reason, ...announcement }: CreateAnnouncement,
): Promise<Announcement> {
  const { textEn, textZh, url = null, level, startsAt, endsAt } = announcement;
  const id = newId("ann");
  await transaction(async (tx) => {
    // If two administrators publish at once, the second one waits here and then counts both.
    await tx.query(sql`LOCK TABLE announcement IN SHARE ROW EXCLUSIVE MODE`);
    const open = await tx.query(sql`SELECT 1 FROM announcement WHERE ends_at > now()`);
    if (open.length >= openAnnouncementsMax) {
      throw new AppError(
        "unprocessable_entity",
        `There are already ${openAnnouncementsMax} announcements. End one first.`,
        { problem: "announcements_full" },
      );
    }
    await tx.query(sql`
      INSERT INTO announcement (id, text_en, text_zh, url, level, starts_at, ends_at)
      VALUES (${id}, ${textEn}, ${textZh}, ${url}, ${level},
        coalesce(${startsAt ?? null}::timestamptz, now()), ${endsAt})`);
    const details = { name: textEn, url, level, endsAt };
    const entry = { workspacePk: null, action: "operator.announce", subject: id } as const;
    await recordOperation(tx, operator, { ...entry, reason, details });
  });
  const created = (await listAnnouncements(operator)).find((one) => one.id === id);
  if (!created) throw new Error(`The announcement ${id} is not listed`);
  return created;
}

export async function endAnnouncement(
  operator: OperatorScope,
  id: string,
  reason: string,
): Promise<void> {
  await transaction(async (tx) => {
    const [ended] = await tx.query<{ name: string }>(sql`
      UPDATE announcement
      SET ends_at = now(), starts_at = least(starts_at, now())
      WHERE id = ${id} AND ends_at > now()
      RETURNING text_en AS name`);
    if (!ended) {
      throw new AppError("not_found", "No announcement with this ID is active. Reload the list.");
    }
    const entry = { workspacePk: null, action: "operator.end_announcement", subject: id } as const;
    await recordOperation(tx, operator, { ...entry, reason, details: ended });
  });
}

export async function listAnnouncements(
  _: OperatorScope,
  now = Date.now(),
): Promise<Announcement[]> {
  // Uses announcement_pkey, and announcement_closed_pkey for each row.
  const rows = await query<AnnouncementRow>(sql`
    SELECT
      id,
      text_en AS "textEn",
      text_zh AS "textZh",
      url,
      level,
      starts_at,
      ends_at,
      (SELECT count(*) FROM announcement_closed WHERE announcement_pk = pk) AS closed
    FROM announcement
    ORDER BY pk DESC
    LIMIT ${listedMax}`);
  return rows.map(({ starts_at, ends_at, ...row }) => ({
    ...row,
    startsAt: starts_at.toISOString(),
    endsAt: ends_at.toISOString(),
    state: ends_at.getTime() <= now ? "ended" : starts_at.getTime() > now ? "scheduled" : "shown",
  }));
}

export async function findAnnouncements(
  userPk: number,
  locale: Locale,
  now = new Date(),
): Promise<ShownAnnouncement[]> {
  // Uses announcement_shown, then announcement_closed_pkey.
  return await query<ShownAnnouncement>(sql`
    SELECT id, CASE WHEN ${locale} = 'zh' THEN text_zh ELSE text_en END AS text, url, level
    FROM announcement
    WHERE ends_at > ${now}
      AND starts_at <= ${now}
      AND NOT EXISTS (
        SELECT FROM announcement_closed
        WHERE announcement_pk = announcement.pk
          AND user_pk = ${userPk}
      )
    ORDER BY pk DESC`);
}

export async function closeAnnouncement(userPk: number, id: string): Promise<void> {
  await query(sql`
    INSERT INTO announcement_closed (announcement_pk, user_pk)
    SELECT pk, ${userPk} FROM announcement WHERE id = ${id}
    ON CONFLICT DO NOTHING`);
}
