/** Notifications are written in the transaction that ends the work. SQL, because imports load no Prisma. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { Notification, NotificationKind } from "./schema.ts";

export const notificationsMax = 50;

export interface NewNotification {
  workspacePk: number;
  userPk: number;
  kind: NotificationKind;
  subject?: string;
  details?: Record<string, unknown>;
  /** Also send an email (notification-mails). */
  mail?: boolean;
}

/** Does nothing for a deleted account. Uses notice_workspace_pk_user_pk_pk_idx. */
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
  // Uses notice_workspace_pk_user_pk_pk_idx.
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

export async function notifyManagers(
  tx: Connection,
  notification: Omit<NewNotification, "userPk">,
): Promise<void> {
  for (const userPk of await listManagers(tx, notification.workspacePk)) {
    await addNotification(tx, { ...notification, userPk });
  }
}

export async function listManagers(tx: Connection, workspacePk: number): Promise<number[]> {
  // Uses membership_pkey.
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

export async function listNotifications(scope: WorkspaceScope): Promise<Notification[]> {
  if (scope.userPk === null || scope.apiKeyPk !== null) return [];
  // Uses notice_workspace_pk_user_pk_pk_idx.
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

export async function markNotificationsRead(scope: WorkspaceScope): Promise<void> {
  // Uses notice_workspace_pk_user_pk_pk_idx.
  await query(sql`
    UPDATE notice
    SET read_at = now()
    WHERE workspace_pk = ${scope.workspacePk}
      AND user_pk = ${scope.userPk}
      AND read_at IS NULL`);
}
