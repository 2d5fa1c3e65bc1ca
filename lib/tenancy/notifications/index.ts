/**
 * Notifications: results of long-running work. They belong to one person in one workspace, are written in the
 * transaction that ends the work, and only the latest are stored. SQL throughout: an import creates notifications, and
 * its process loads no Prisma.
 */
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { Notification, NotificationKind } from "./schema.ts";

/** Per person and workspace; older ones are deleted. */
export const notificationsMax = 50;

export interface NewNotification {
  workspacePk: number;
  userPk: number;
  kind: NotificationKind;
  subject?: string;
  details?: Record<string, unknown>;
  /** Also by email (tenancy/notification-mails). */
  mail?: boolean;
}

/** Creates a notification in a transaction. None is created for a deleted account. */
export async function addNotification(
  tx: Connection,
  notification: NewNotification,
): Promise<void> {
  const { workspacePk, userPk, kind, subject = null, details, mail = false } = notification;
  await tx.query(sql`
    INSERT INTO notice (workspace_pk, user_pk, kind, subject, details, mail_due)
    SELECT ${workspacePk}, pk, ${kind}, ${subject}, ${details ? JSON.stringify(details) : null}::jsonb,
      ${mail}
    FROM app_user
    WHERE pk = ${userPk}`);
  // Answered by notice_workspace_pk_user_pk_pk_idx.
  await tx.query(sql`
    DELETE FROM notice
    WHERE workspace_pk = ${workspacePk}
      AND user_pk = ${userPk}
      AND pk <= (
        SELECT pk
        FROM notice
        WHERE workspace_pk = ${workspacePk}
          AND user_pk = ${userPk}
        ORDER BY pk DESC
        LIMIT 1
        OFFSET ${notificationsMax}
      )`);
}

/** The same for every owner and admin of the workspace. */
export async function notifyManagers(
  tx: Connection,
  notification: Omit<NewNotification, "userPk">,
): Promise<void> {
  for (const userPk of await listManagers(tx, notification.workspacePk)) {
    await addNotification(tx, { ...notification, userPk });
  }
}

/** Owners and admins. */
export async function listManagers(tx: Connection, workspacePk: number): Promise<number[]> {
  // Answered by membership_pkey.
  const rows = await tx.query<{ user_pk: number }>(sql`
    SELECT user_pk
    FROM membership
    WHERE workspace_pk = ${workspacePk}
      AND role IN ('owner', 'admin')
    ORDER BY user_pk`);
  return rows.map(({ user_pk }) => user_pk);
}

interface NotificationRow {
  pk: number;
  kind: string;
  subject: string | null;
  details: Record<string, unknown> | null;
  created_at: Date;
  read_at: Date | null;
}

/** The person's notifications in the workspace, newest first. An API key has none. */
export async function listNotifications(scope: WorkspaceScope): Promise<Notification[]> {
  if (scope.userPk === null || scope.apiKeyPk !== null) return [];
  // Answered by notice_workspace_pk_user_pk_pk_idx.
  const rows = await query<NotificationRow>(sql`
    SELECT pk, kind, subject, details, created_at, read_at
    FROM notice
    WHERE workspace_pk = ${scope.workspacePk}
      AND user_pk = ${scope.userPk}
    ORDER BY pk DESC
    LIMIT ${notificationsMax}`);
  return rows.map(({ pk, kind, subject, details, created_at, read_at }) => ({
    id: String(pk),
    kind,
    subject,
    details,
    at: created_at.toISOString(),
    read: read_at !== null,
  }));
}

/** Marks all of the person's notifications as read. */
export async function markNotificationsRead(scope: WorkspaceScope): Promise<void> {
  // Answered by notice_workspace_pk_user_pk_pk_idx.
  await query(sql`
    UPDATE notice
    SET read_at = now()
    WHERE workspace_pk = ${scope.workspacePk}
      AND user_pk = ${scope.userPk}
      AND read_at IS NULL`);
}
