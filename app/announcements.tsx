import { getLocale } from "next-intl/server";
import { AnnouncementBanner } from "#components/shell/announcement-banner";
import { getSessionUser } from "#lib/identity/auth";
import { findAnnouncements } from "#lib/tenancy/announcements";
import { closeAnnouncementAction } from "./announcement-actions.ts";

export async function Announcements() {
  const user = await getSessionUser();
  if (!user) return null;
  const announcements = await findAnnouncements(user.pk, await getLocale());
  return announcements.length > 0 ? (
    <AnnouncementBanner announcements={announcements} close={closeAnnouncementAction} />
  ) : null;
}
