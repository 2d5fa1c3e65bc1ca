/** Rows that administrators see. SQL, because queries find rows by unique ids, without a workspace. */
import { query, sql } from "#lib/platform/postgres";
import type { OfficeDomain, OfficePerson, WorkspaceName } from "./schema.ts";

const workspacesMax = 100;
const sessionsMax = 50;

interface LinkOwner {
  pk: number;
  workspacePk: number;
  retiredAt: Date | null;
  bannedAt: Date | null;
  userId: string | null;
  userName: string | null;
  keyId: string | null;
  keyName: string | null;
}

export async function findLinkOwner(uuid: string): Promise<LinkOwner | undefined> {
  // Answered by link_workspace, one lookup per workspace: an index on the id alone would cost every create.
  return await query.one<LinkOwner>(sql`
    SELECT
      one.pk, workspace.pk AS "workspacePk", one.retired_at AS "retiredAt",
      one.banned_at AS "bannedAt", app_user.id AS "userId", app_user.name AS "userName",
      api_key.id AS "keyId", api_key.name AS "keyName"
    FROM (
      SELECT pk, workspace_pk, retired_at, banned_at, user_pk, api_key_pk
      FROM link
      WHERE id = ${uuid}
        AND workspace_pk = ANY(ARRAY(SELECT pk FROM workspace))
      LIMIT 1
    ) AS one
    JOIN workspace ON workspace.pk = one.workspace_pk
    LEFT JOIN app_user ON app_user.pk = one.user_pk
    LEFT JOIN api_key ON api_key.pk = one.api_key_pk
    LIMIT 1`);
}

type DomainRow = Omit<OfficeDomain, "workspace"> & { workspacePk: number | null };

export async function findDomainRow(id: string): Promise<DomainRow | undefined> {
  // Answered by domain_id_key.
  return await query.one<DomainRow>(sql`
    SELECT
      id, slug, workspace_pk AS "workspacePk", "primary", archived, verified_at AS "verifiedAt",
      failing_since AS "failingSince", checked_at AS "checkedAt", created_at AS "createdAt",
      expired_url AS "expiredUrl", not_found_url AS "notFoundUrl"
    FROM domain
    WHERE id = ${id}`);
}

type PersonRow = Omit<OfficePerson, "workspaces" | "sessions"> & { pk: number };

export async function findPersonRow(id: string): Promise<PersonRow | undefined> {
  // Answered by app_user_id_key.
  return await query.one<PersonRow>(sql`
    SELECT
      pk, id, name, email, created_at AS "createdAt", email_proven_at IS NOT NULL AS confirmed,
      operator,
      factor_since IS NOT NULL
        OR EXISTS (SELECT FROM passkey WHERE passkey.user_pk = app_user.pk) AS factor,
      password_hash IS NOT NULL AS password,
      banned_at AS "bannedAt"
    FROM app_user
    WHERE id = ${id}`);
}

type PersonWorkspace = WorkspaceName & { workspacePk: number; role: string };

export function listPersonWorkspaces(userPk: number): Promise<PersonWorkspace[]> {
  // Answered by membership_user_pk_idx.
  return query(sql`
    SELECT workspace.pk AS "workspacePk", workspace.id, workspace.name, workspace.slug, membership.role
    FROM membership
    JOIN workspace ON workspace.pk = membership.workspace_pk
    WHERE membership.user_pk = ${userPk}
      AND workspace.deleted_at IS NULL
    ORDER BY workspace.name, workspace.pk
    LIMIT ${workspacesMax}`);
}

type PersonSession = Omit<OfficePerson["sessions"][number], "browser" | "os"> & {
  agent: string | null;
};

export function listPersonSessions(userPk: number): Promise<PersonSession[]> {
  // Answered by session_user_pk_idx.
  return query(sql`
    SELECT id, created_at AS "createdAt", last_seen_at AS "lastSeenAt", agent
    FROM session
    WHERE user_pk = ${userPk}
      AND ended_at IS NULL
    ORDER BY last_seen_at DESC
    LIMIT ${sessionsMax}`);
}
