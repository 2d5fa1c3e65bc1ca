/** The rows of workspaces and members; SQL in transactions and for the lookups of every request. */
import { type Connection, query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { type Membership, roleOf } from "#lib/tenancy/access";
import type { Role } from "#lib/tenancy/access/schema";
import { planOf } from "#lib/tenancy/plans";
import type { DeletedWorkspace, EditWorkspace, NewWorkspace, Workspace } from "./schema.ts";

type MembershipRow = Omit<Membership, "role" | "plan"> & { role: string; plan: string };

export async function findMembership(
  userId: string,
  slug: string,
): Promise<Membership | undefined> {
  // Runs for every page. Answered by workspace_slug_key, app_user_id_key and membership_pkey.
  const [row] = await query<MembershipRow>(
    sql`
      SELECT
        workspace.pk AS "workspacePk",
        workspace.id AS "workspaceId",
        workspace.slug,
        workspace.zone,
        workspace.plan,
        workspace.reuse_seconds AS "reuseSeconds",
        workspace.lifetime_seconds AS "lifetimeSeconds",
        app_user.pk AS "userPk",
        app_user.id AS "userId",
        app_user.email_proven_at IS NOT NULL AS confirmed,
        membership.role
      FROM workspace
      JOIN membership ON membership.workspace_pk = workspace.pk
      JOIN app_user ON app_user.pk = membership.user_pk
      WHERE workspace.slug = ${slug}
        AND workspace.deleted_at IS NULL
        AND app_user.id = ${userId}`,
  );
  return row && { ...row, role: roleOf(row.role), plan: planOf(row.plan) };
}

interface WorkspaceColumns {
  id: string;
  name: string;
  slug: string;
  zone: string;
  plan: string;
  reuseSeconds: number | null;
  lifetimeSeconds: number | null;
  repeatSeconds: number | null;
  forwardQuery: boolean;
  demo: boolean;
  createdAt: Date;
}

export function presentWorkspace(row: WorkspaceColumns, role: Role): Workspace {
  const { id, name, slug, zone, plan, forwardQuery, demo } = row;
  const { reuseSeconds, lifetimeSeconds, repeatSeconds } = row;
  const createdAt = row.createdAt.toISOString();
  const seconds = { reuseSeconds, lifetimeSeconds, repeatSeconds };
  return { id, name, slug, zone, plan, ...seconds, forwardQuery, demo, role, createdAt };
}

export async function listOfUser(userId: string): Promise<Workspace[]> {
  const memberships = await prisma().membership.findMany({
    where: { user: { id: userId }, workspace: { deletedAt: null } },
    include: { workspace: true },
    // The demo comes last: it is not where a person works.
    orderBy: [{ workspace: { demo: "asc" } }, { createdAt: "asc" }, { workspacePk: "asc" }],
  });
  return memberships.map((membership) =>
    presentWorkspace(membership.workspace, roleOf(membership.role)),
  );
}

export function findWorkspaceRow(workspacePk: number): Promise<WorkspaceColumns | null> {
  return prisma().workspace.findUnique({ where: { pk: workspacePk, deletedAt: null } });
}

interface InsertedWorkspace extends WorkspaceColumns {
  pk: number;
}

/** Undefined: the slug is taken. */
export async function insertWorkspace(
  tx: Connection,
  id: string,
  body: NewWorkspace & { demo?: boolean },
): Promise<InsertedWorkspace | undefined> {
  const [row] = await query<InsertedWorkspace>(
    sql`
      INSERT INTO workspace (id, name, slug, zone, demo)
      VALUES (${id}, ${body.name}, ${body.slug}, ${body.zone ?? "UTC"}, ${body.demo ?? false})
      ON CONFLICT (slug) DO NOTHING
      RETURNING pk, id, name, slug, zone, plan, reuse_seconds AS "reuseSeconds",
        lifetime_seconds AS "lifetimeSeconds", repeat_seconds AS "repeatSeconds",
        forward_query AS "forwardQuery", demo, created_at AS "createdAt"`,
    tx,
  );
  return row;
}

export async function insertMember(
  tx: Connection,
  workspacePk: number,
  userId: string,
  role: Role,
): Promise<void> {
  await query(
    sql`
      INSERT INTO membership (workspace_pk, user_pk, role)
      SELECT ${workspacePk}, pk, ${role}
      FROM app_user
      WHERE id = ${userId}`,
    tx,
  );
}

/** A demo with members keeps them and gets no other: one statement, because first runs race. */
export async function insertDemoOwner(userId: string): Promise<void> {
  await query(
    sql`
      INSERT INTO membership (workspace_pk, user_pk, role)
      SELECT workspace.pk, app_user.pk, 'owner'
      FROM workspace, app_user
      WHERE workspace.demo
        AND app_user.id = ${userId}
        AND NOT EXISTS (SELECT FROM membership WHERE workspace_pk = workspace.pk)
      ON CONFLICT DO NOTHING`,
  );
}

/** The editable fields of a workspace, locked until the transaction ends. */
export async function lockSettings(
  tx: Connection,
  workspacePk: number,
): Promise<Required<EditWorkspace> | undefined> {
  const [row] = await query<Required<EditWorkspace>>(
    sql`
      SELECT name, slug, zone, reuse_seconds AS "reuseSeconds",
        lifetime_seconds AS "lifetimeSeconds", repeat_seconds AS "repeatSeconds",
        forward_query AS "forwardQuery"
      FROM workspace
      WHERE pk = ${workspacePk}
      FOR NO KEY UPDATE`,
    tx,
  );
  return row;
}

/** Undefined: the slug is taken by another workspace. */
export async function updateWorkspaceRow(
  tx: Connection,
  workspacePk: number,
  edit: EditWorkspace,
): Promise<WorkspaceColumns | undefined> {
  const { name = null, slug = null, zone = null, forwardQuery = null } = edit;
  const [row] = await query<WorkspaceColumns>(
    sql`
      UPDATE workspace
      SET name = coalesce(${name}, name),
        slug = coalesce(${slug}, slug),
        zone = coalesce(${zone}, zone),
        forward_query = coalesce(${forwardQuery}, forward_query),
        reuse_seconds = CASE
          WHEN ${edit.reuseSeconds !== undefined} THEN ${edit.reuseSeconds ?? null}
          ELSE reuse_seconds
        END,
        lifetime_seconds = CASE
          WHEN ${edit.lifetimeSeconds !== undefined} THEN ${edit.lifetimeSeconds ?? null}
          ELSE lifetime_seconds
        END,
        repeat_seconds = CASE
          WHEN ${edit.repeatSeconds !== undefined} THEN ${edit.repeatSeconds ?? null}
          ELSE repeat_seconds
        END
      WHERE pk = ${workspacePk}
        AND NOT EXISTS (
          SELECT
          FROM workspace AS other
          WHERE other.slug = ${slug}
            AND other.pk <> ${workspacePk}
        )
      RETURNING id, name, slug, zone, plan, reuse_seconds AS "reuseSeconds",
        lifetime_seconds AS "lifetimeSeconds", repeat_seconds AS "repeatSeconds",
        forward_query AS "forwardQuery", demo, created_at AS "createdAt"`,
    tx,
  );
  return row;
}

/** PostgreSQL's code for a duplicate unique value. */
const uniqueViolation = "23505";

export function isSlugTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === uniqueViolation;
}

/** Members one at a time: two owners who remove each other must not leave a workspace without one. */
export async function lockMembers(
  tx: Connection,
  workspacePk: number,
): Promise<{ userPk: number; userId: string; role: string }[]> {
  await query(sql`SELECT FROM workspace WHERE pk = ${workspacePk} FOR UPDATE`, tx);
  return query(
    sql`
      SELECT app_user.pk AS "userPk", app_user.id AS "userId", membership.role
      FROM membership
      JOIN app_user ON app_user.pk = membership.user_pk
      WHERE membership.workspace_pk = ${workspacePk}`,
    tx,
  );
}

/** The workspaces of a person, including deleted ones, in the order of their pk. */
export function listMemberships(
  tx: Connection,
  userPk: number,
): Promise<{ pk: number; id: string; name: string; deleted: boolean }[]> {
  // Answered by membership_user_pk_idx.
  return query(
    sql`
      SELECT workspace.pk, workspace.id, workspace.name, workspace.deleted_at IS NOT NULL AS deleted
      FROM membership
      JOIN workspace ON workspace.pk = membership.workspace_pk
      WHERE membership.user_pk = ${userPk}
      ORDER BY workspace.pk`,
    tx,
  );
}

/** False: it was already deleted. */
export async function markDeleted(tx: Connection, workspacePk: number): Promise<boolean> {
  const rows = await query(
    sql`
      UPDATE workspace
      SET deleted_at = now()
      WHERE pk = ${workspacePk}
        AND deleted_at IS NULL
      RETURNING pk`,
    tx,
  );
  return rows.length === 1;
}

export async function listDeletedOf(userId: string, days: number): Promise<DeletedWorkspace[]> {
  // The database computes the end, as it does for the purge. Answered by app_user_id_key and membership_user_pk_idx.
  const rows = await query<Omit<DeletedWorkspace, "until"> & { until: Date }>(
    sql`
      SELECT workspace.id, workspace.name,
        workspace.deleted_at + ${days} * interval '1 day' AS until
      FROM app_user
      JOIN membership ON membership.user_pk = app_user.pk
      JOIN workspace ON workspace.pk = membership.workspace_pk
      WHERE app_user.id = ${userId}
        AND membership.role = 'owner'
        AND workspace.deleted_at > now() - ${days} * interval '1 day'
      ORDER BY workspace.deleted_at DESC`,
  );
  return rows.map((row) => ({ ...row, until: row.until.toISOString() }));
}

/** Undefined: the person has no such workspace that is deleted and within the grace period. */
export async function unmarkDeleted(
  tx: Connection,
  userId: string,
  id: string,
  days: number,
): Promise<{ pk: number; slug: string } | undefined> {
  // Answered by workspace_id_key and membership_pkey.
  const [row] = await query<{ pk: number; slug: string }>(
    sql`
      UPDATE workspace
      SET deleted_at = NULL
      FROM membership
      JOIN app_user ON app_user.pk = membership.user_pk
      WHERE workspace.id = ${id}
        AND workspace.deleted_at > now() - ${days} * interval '1 day'
        AND workspace.removing_at IS NULL
        AND membership.workspace_pk = workspace.pk
        AND membership.role = 'owner'
        AND app_user.id = ${userId}
      RETURNING workspace.pk, workspace.slug`,
    tx,
  );
  return row;
}

export async function deleteMember(
  tx: Connection,
  workspacePk: number,
  userPk: number,
): Promise<void> {
  await query(
    sql`DELETE FROM membership WHERE workspace_pk = ${workspacePk} AND user_pk = ${userPk}`,
    tx,
  );
}
