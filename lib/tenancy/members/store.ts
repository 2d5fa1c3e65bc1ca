import { hash } from "node:crypto";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { type Role, roleOf } from "#lib/tenancy/access/schema";
import type { OwnLimits } from "#lib/tenancy/plans/schema";
import type { Invitation, Member, PublicInvitation } from "./schema.ts";

const tokenShape = /^[\w-]{43}$/;

function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

export async function listMemberRows(workspacePk: number): Promise<Member[]> {
  const rows = await prisma().membership.findMany({
    where: { workspacePk },
    select: {
      role: true,
      createdAt: true,
      user: { select: { id: true, name: true, email: true, factorSince: true } },
    },
    orderBy: [{ createdAt: "asc" }, { userPk: "asc" }],
  });
  return rows.map(({ role, createdAt, user: { factorSince, ...user } }) => ({
    ...user,
    role: roleOf(role),
    factor: factorSince !== null,
    createdAt: createdAt.toISOString(),
  }));
}

export async function listInvitationRows(workspacePk: number): Promise<Invitation[]> {
  const rows = await prisma().invitation.findMany({
    where: { workspacePk, expiresAt: { gt: new Date() } },
    select: { id: true, email: true, role: true, createdAt: true, expiresAt: true },
    orderBy: { id: "desc" },
  });
  return rows.map((row) => ({
    ...row,
    role: roleOf(row.role),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }));
}

/** Deletes expired ones first. Uses invitation_workspace_pk_idx. */
export async function countInvitations(tx: Connection, workspacePk: number): Promise<number> {
  // Uses invitation_workspace_pk_idx.
  await tx.query(
    sql`DELETE FROM invitation WHERE workspace_pk = ${workspacePk} AND expires_at <= now()`,
  );
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM invitation WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.count ?? 0;
}

interface NewInvitationRow {
  id: string;
  workspacePk: number;
  email: string | null;
  role: Role;
  token: string;
  days: number;
  actor: string;
}

export async function insertInvitation(
  tx: Connection,
  row: NewInvitationRow,
): Promise<{ workspace: string; inviter: string }> {
  await tx.query(sql`
    INSERT INTO invitation (id, workspace_pk, email, role, hash, invited_by, expires_at)
    VALUES (${row.id}, ${row.workspacePk}, ${row.email}, ${row.role}, ${hashToken(row.token)},
      ${row.actor}, now() + ${row.days} * interval '1 day')`);
  const [names] = await tx.query<{ workspace: string; inviter: string }>(sql`
    SELECT workspace.name AS workspace, app_user.name AS inviter
    FROM workspace, app_user
    WHERE workspace.pk = ${row.workspacePk}
      AND app_user.id = ${row.actor}`);
  return names ?? { workspace: "", inviter: "" };
}

export async function deleteInvitation(
  tx: Connection,
  workspacePk: number,
  id: string,
): Promise<boolean> {
  return await tx.any(
    // Uses invitation_pkey.
    // defence: invitation-of-workspace
    sql`DELETE FROM invitation WHERE id = ${id} AND workspace_pk = ${workspacePk} RETURNING id`,
  );
}

/** Except for roles that the member may still give. Uses invitation_workspace_pk_idx. */
export async function deleteInvitationsBy(
  tx: Connection,
  workspacePk: number,
  userId: string,
  stillGiven: readonly Role[],
): Promise<void> {
  // Uses invitation_workspace_pk_idx.
  await tx.query(sql`
    DELETE FROM invitation
    WHERE workspace_pk = ${workspacePk}
      AND invited_by = ${userId}
      AND NOT role = ANY(${stillGiven}::text[])`);
}

interface FoundInvitation extends PublicInvitation {
  workspacePk: number;
  /** Null: the inviter is no longer a member. */
  inviterRole: string | null;
}

export async function findByToken(token: string): Promise<FoundInvitation | undefined> {
  if (!tokenShape.test(token)) return undefined;
  // Uses invitation_hash_key, app_user_id_key and primary keys.
  const [row] = await query<Omit<FoundInvitation, "role"> & { role: string }>(sql`
    SELECT
      workspace.pk AS "workspacePk",
      workspace.name AS workspace,
      invitation.role,
      invitation.email,
      app_user.name AS inviter,
      membership.role AS "inviterRole"
    FROM invitation
    JOIN workspace ON workspace.pk = invitation.workspace_pk
    JOIN app_user ON app_user.id = invitation.invited_by
    LEFT JOIN membership
      ON membership.workspace_pk = invitation.workspace_pk
      AND membership.user_pk = app_user.pk
    WHERE invitation.hash = ${hashToken(token)}
      AND invitation.expires_at > now()
      AND workspace.deleted_at IS NULL`);
  return row && { ...row, role: roleOf(row.role) };
}

export interface LockedInvitation {
  id: string;
  workspacePk: number;
  slug: string;
  plan: string;
  limits: OwnLimits | null;
  email: string | null;
  role: Role;
  invitedBy: string;
  /** Null: the inviter is no longer a member. */
  inviterRole: string | null;
  userId: string | null;
}

/** The lock lets it admit only one person. */
export async function lockByToken(
  tx: Connection,
  token: string,
): Promise<LockedInvitation | undefined> {
  if (!tokenShape.test(token)) return undefined;
  const [row] = await tx.query<Omit<LockedInvitation, "role"> & { role: string }>(sql`
    SELECT
      invitation.id,
      invitation.email,
      invitation.role,
      invitation.invited_by AS "invitedBy",
      invitation.user_id AS "userId",
      membership.role AS "inviterRole",
      workspace.pk AS "workspacePk",
      workspace.slug,
      workspace.plan,
      workspace.plan_limits AS limits
    FROM invitation
    JOIN workspace ON workspace.pk = invitation.workspace_pk
    LEFT JOIN app_user ON app_user.id = invitation.invited_by
    LEFT JOIN membership
      ON membership.workspace_pk = invitation.workspace_pk
      AND membership.user_pk = app_user.pk
    WHERE invitation.hash = ${hashToken(token)}
      AND invitation.expires_at > now()
      AND workspace.deleted_at IS NULL
    FOR UPDATE OF invitation`);
  return row && { ...row, role: roleOf(row.role) };
}

/** From now on only this account can accept it. */
export async function writeInvited(tx: Connection, id: string, userId: string): Promise<void> {
  await tx.query(sql`UPDATE invitation SET user_id = ${userId} WHERE id = ${id}`);
}

export async function insertMembership(
  tx: Connection,
  workspacePk: number,
  userPk: number,
  role: Role,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO membership (workspace_pk, user_pk, role)
    VALUES (${workspacePk}, ${userPk}, ${role})`);
}

/** Uses workspace_pkey. */
export async function findPlan(
  tx: Connection,
  workspacePk: number,
): Promise<{ plan: string; limits: OwnLimits | null }> {
  const [row] = await tx.query<{ plan: string; limits: OwnLimits | null }>(
    sql`SELECT plan, plan_limits AS limits FROM workspace WHERE pk = ${workspacePk}`,
  );
  if (!row) throw new Error("The workspace was removed");
  return row;
}

export async function updateRole(
  tx: Connection,
  workspacePk: number,
  userPk: number,
  role: Role,
): Promise<void> {
  // Uses membership_pkey.
  await tx.query(sql`
    UPDATE membership
    SET role = ${role}
    WHERE workspace_pk = ${workspacePk}
      AND user_pk = ${userPk}`);
}
