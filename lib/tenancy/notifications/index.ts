/**
 * Notices: what work that somebody asked for, and did not wait for, came to. They belong to one person in one workspace,
 * are written in the transaction that ends the work, and the latest of them are kept.
 */
import { type Connection, query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { Notice, NoticeKind } from "./schema.ts";

/** Of one person in one workspace; older ones make room. */
export const noticesMax = 50;

export interface NewNotice {
  workspacePk: number;
  userPk: number;
  kind: NoticeKind;
  subject?: string;
  details?: Record<string, unknown>;
}

/** Leaves a notice in a transaction, so with SQL. Nothing is left for somebody whose account is gone. */
export async function leaveNotice(tx: Connection, notice: NewNotice): Promise<void> {
  const { workspacePk, userPk, kind, subject = null, details } = notice;
  await query(
    sql`
      INSERT INTO notice (workspace_pk, user_pk, kind, subject, details)
      SELECT ${workspacePk}, pk, ${kind}, ${subject}, ${details ? JSON.stringify(details) : null}::jsonb
      FROM app_user
      WHERE pk = ${userPk}`,
    tx,
  );
  // Answered by notice_workspace_pk_user_pk_pk_idx.
  await query(
    sql`
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
          OFFSET ${noticesMax}
        )`,
    tx,
  );
}

/** The person's notices in the workspace, the newest first. An API key has none. */
export async function listNotices(scope: WorkspaceScope): Promise<Notice[]> {
  const { workspacePk, userPk, apiKeyPk } = scope;
  if (userPk === null || apiKeyPk !== null) return [];
  const rows = await prisma().notice.findMany({
    where: { workspacePk, userPk },
    orderBy: { pk: "desc" },
    take: noticesMax,
  });
  return rows.map(({ pk, kind, subject, details, createdAt, readAt }) => ({
    id: String(pk),
    kind,
    subject,
    details: details instanceof Object && !Array.isArray(details) ? details : null,
    at: createdAt.toISOString(),
    read: readAt !== null,
  }));
}

/** The person has seen all that there is. */
export async function readNotices({ workspacePk, userPk }: WorkspaceScope): Promise<void> {
  if (userPk === null) return;
  await prisma().notice.updateMany({
    where: { workspacePk, userPk, readAt: null },
    data: { readAt: new Date() },
  });
}
