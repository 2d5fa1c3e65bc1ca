/** SQL in transactions and for the lookups of every request. */
import { mapTable, namesIn } from "#lib/basics/variants/schema";
import { useLagMinutes } from "#lib/platform/batches";
import { config } from "#lib/platform/config";
import type { PlanName } from "#lib/platform/config/schema";
import { type Connection, query, SqlValues, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { type Membership, memberColumns } from "#lib/tenancy/access";
import { type Role, roleOf } from "#lib/tenancy/access/schema";
import { planOf } from "#lib/tenancy/plans";
import {
  type DeletedWorkspace,
  type EditWorkspace,
  type NewWorkspace,
  settingFields,
  type Workspace,
  type WorkspaceSettings,
} from "./schema.ts";

type MembershipRow = Omit<Membership, "role" | "plan"> & { role: string; plan: string };

/**
 * Also says whether the session is too old for the workspace, or was unused for too long, and
 * whether the workspace requires a session of its own OpenID provider.
 */
export async function findMembership(
  userId: string,
  slug: string,
  sessionId: string | null,
): Promise<FoundMembership | undefined> {
  // Uses workspace_slug_key, app_user_id_key, membership_pkey, session_pkey and
  // sso_provider_workspace_pk_key.
  const [found] = await query<MembershipRow & Omit<FoundMembership, "membership">>({
    // defence: sso-session-one-workspace
    // defence: sso-required
    text: `
      SELECT
        ${memberColumns},
        membership.role,
        coalesce(
          session.created_at <= now() - workspace.session_hours * interval '1 hour',
          false
        ) OR coalesce(
          greatest(now() - session.last_seen_at, session.idle_seconds * interval '1 second')
            >= (workspace.session_idle_minutes + ${useLagMinutes}) * interval '1 minute',
          false
        ) AS "isSessionOver",
        coalesce(
          sso_provider.required
            AND session.sso_provider_pk IS DISTINCT FROM sso_provider.pk
            AND NOT workspace.pk = ANY(session.sso_exceptions),
          false
        ) AS "isSsoMissing"
      FROM workspace
      JOIN membership ON membership.workspace_pk = workspace.pk
      JOIN app_user ON app_user.pk = membership.user_pk
      LEFT JOIN session ON session.id = $3::text
      LEFT JOIN sso_provider ON sso_provider.workspace_pk = workspace.pk
      WHERE workspace.slug = $1
        AND workspace.deleted_at IS NULL
        AND app_user.id = $2
        AND ($3::text IS NULL OR session.id IS NOT NULL)
        AND (session.sso_provider_pk IS NULL OR session.sso_provider_pk = sso_provider.pk)`,
    values: [slug, userId, sessionId],
  });
  if (!found) return undefined;
  const { isSessionOver, isSsoMissing, ...row } = found;
  const membership = { ...row, role: roleOf(row.role), plan: planOf(row.plan) };
  return { membership, isSessionOver, isSsoMissing };
}

interface FoundMembership {
  membership: Membership;
  isSessionOver: boolean;
  isSsoMissing: boolean;
}

interface WorkspaceRow extends WorkspaceSettings {
  id: string;
  plan: string;
  demo: boolean;
  createdAt: Date;
}

const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const selected = (names: readonly string[]) =>
  names.map((name) => `${columnOf(name)} AS "${name}"`).join(", ");

const settingColumns = selected(namesIn(settingFields));
const rowColumns = `${settingColumns}, ${selected(["id", "plan", "demo", "createdAt"])}`;

/** Sound because the row has every setting. */
function settingsOf(row: WorkspaceSettings): WorkspaceSettings {
  return mapTable(settingFields, (_, name) => row[name]) as WorkspaceSettings;
}

export function presentWorkspace(row: WorkspaceRow, role: Role): Workspace {
  const { id, plan, demo, createdAt } = row;
  return { id, ...settingsOf(row), plan, demo, role, createdAt: createdAt.toISOString() };
}

/** `onlyPk`: the one workspace of a session that its OpenID provider signed in. */
export async function listWorkspaces(
  userId: string,
  onlyPk: number | null = null,
): Promise<Workspace[]> {
  const memberships = await prisma().membership.findMany({
    where: {
      user: { id: userId },
      // defence: sso-session-lists-one
      workspace: { deletedAt: null, ...(onlyPk === null ? {} : { pk: onlyPk }) },
    },
    include: { workspace: true },
    // The demo comes last, because nobody works there.
    orderBy: [{ workspace: { demo: "asc" } }, { createdAt: "asc" }, { workspacePk: "asc" }],
  });
  return memberships.map((membership) =>
    presentWorkspace(membership.workspace, roleOf(membership.role)),
  );
}

export function findWorkspaceRow(workspacePk: number): Promise<WorkspaceRow | null> {
  return prisma().workspace.findUnique({ where: { pk: workspacePk, deletedAt: null } });
}

/** Instances that sell plans start with the free one. */
function planOfNew(): PlanName {
  const { FUXI_DEFAULT_PLAN, FUXI_STRIPE_SECRET_KEY } = config();
  return FUXI_DEFAULT_PLAN ?? (FUXI_STRIPE_SECRET_KEY ? "free" : "enterprise");
}

interface InsertedWorkspace extends WorkspaceRow {
  pk: number;
}

/** A workspace that the instance makes for itself has every feature. */
export interface InstanceWorkspace extends NewWorkspace {
  demo?: boolean;
  plan?: PlanName;
  /** Days from their creation until its links retire; null: as usual. */
  retireDays?: number | null;
}

export async function insertWorkspace(
  tx: Connection,
  id: string,
  {
    name,
    slug,
    zone = "UTC",
    demo = false,
    plan = demo ? "enterprise" : planOfNew(),
    retireDays = null,
  }: InstanceWorkspace,
): Promise<InsertedWorkspace | undefined> {
  const text = `
    INSERT INTO workspace
      (id, name, slug, zone, demo, plan, retire_people_days, retire_from_creation)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $7::int IS NOT NULL)
    ON CONFLICT (slug) DO NOTHING
    RETURNING pk, ${rowColumns}`;
  const values = [id, name, slug, zone, demo, plan, retireDays];
  return await tx.one<InsertedWorkspace>({ text, values });
}

export interface OwnWorkspaceRow
  extends Pick<InsertedWorkspace, "pk" | "id" | "slug" | "zone" | "plan" | "createdAt"> {
  banned: boolean;
}

/** A workspace of the instance itself. Uses workspace_slug_key. */
export function findOwnWorkspace(slug: string): Promise<OwnWorkspaceRow | undefined> {
  return query.one<OwnWorkspaceRow>(sql`
    SELECT pk, id, slug, zone, plan, created_at AS "createdAt", banned_at IS NOT NULL AS banned
    FROM workspace
    WHERE slug = ${slug}
      AND deleted_at IS NULL`);
}

export async function insertMember(
  tx: Connection,
  workspacePk: number,
  userId: string,
  role: Role,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO membership (workspace_pk, user_pk, role)
    SELECT ${workspacePk}, pk, ${role}
    FROM app_user
    WHERE id = ${userId}`);
}

export async function claimDemo(userId: string): Promise<void> {
  await query(sql`
    INSERT INTO membership (workspace_pk, user_pk, role)
    SELECT workspace.pk, app_user.pk, 'owner'
    FROM workspace, app_user
    WHERE workspace.demo
      AND app_user.id = ${userId}
      AND NOT EXISTS (SELECT FROM membership WHERE workspace_pk = workspace.pk)
    ON CONFLICT DO NOTHING`);
}

export async function lockSettings(
  tx: Connection,
  workspacePk: number,
): Promise<WorkspaceSettings | undefined> {
  const text = `SELECT ${settingColumns} FROM workspace WHERE pk = $1 FOR NO KEY UPDATE`;
  return await tx.one<WorkspaceSettings>({ text, values: [workspacePk] });
}

export async function updateWorkspaceRow(
  tx: Connection,
  workspacePk: number,
  { slug, ...edit }: EditWorkspace,
): Promise<WorkspaceRow | undefined> {
  const { list, place } = new SqlValues();
  const changes = namesIn(settingFields).flatMap((name) =>
    name === "slug" || edit[name] === undefined ? [] : `, ${columnOf(name)} = ${place(edit[name])}`,
  );
  const text = `
    UPDATE workspace
    SET slug = coalesce(${place(slug ?? null)}, slug)${changes.join("")}
    WHERE pk = ${place(workspacePk)}
      AND NOT EXISTS (
        SELECT
        FROM workspace AS other
        WHERE other.slug = ${place(slug ?? null)}
          AND other.pk <> ${place(workspacePk)}
      )
    RETURNING ${rowColumns}`;
  return await tx.one<WorkspaceRow>({ text, values: list });
}

const uniqueViolation = "23505"; // PostgreSQL's code

export function isSlugTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === uniqueViolation;
}

/** Two owners who remove each other must not leave a workspace without one. */
export async function lockMembers(
  tx: Connection,
  workspacePk: number,
): Promise<{ userPk: number; userId: string; role: string }[]> {
  await tx.query(sql`SELECT FROM workspace WHERE pk = ${workspacePk} FOR UPDATE`);
  return tx.query(sql`
    SELECT app_user.pk AS "userPk", app_user.id AS "userId", membership.role
    FROM membership
    JOIN app_user ON app_user.pk = membership.user_pk
    WHERE membership.workspace_pk = ${workspacePk}`);
}

/** Includes deleted ones, in the order of pk. Uses membership_user_pk_idx. */
export function listMemberships(
  tx: Connection,
  userPk: number,
): Promise<{ pk: number; id: string; name: string; deleted: boolean }[]> {
  // Uses membership_user_pk_idx.
  return tx.query(sql`
    SELECT workspace.pk, workspace.id, workspace.name, workspace.deleted_at IS NOT NULL AS deleted
    FROM membership
    JOIN workspace ON workspace.pk = membership.workspace_pk
    WHERE membership.user_pk = ${userPk}
    ORDER BY workspace.pk`);
}

export async function deleteMember(
  tx: Connection,
  workspacePk: number,
  userPk: number,
): Promise<void> {
  await tx.query(
    sql`DELETE FROM membership WHERE workspace_pk = ${workspacePk} AND user_pk = ${userPk}`,
  );
}

export async function markDeleted(tx: Connection, workspacePk: number): Promise<boolean> {
  return await tx.any(sql`
    UPDATE workspace
    SET deleted_at = now()
    WHERE pk = ${workspacePk}
      AND deleted_at IS NULL
    RETURNING pk`);
}

export async function listDeletedOf(userId: string, days: number): Promise<DeletedWorkspace[]> {
  // The same condition as in the purge. Uses app_user_id_key and membership_user_pk_idx.
  const rows = await query<Omit<DeletedWorkspace, "until"> & { until: Date }>(sql`
    SELECT workspace.id, workspace.name,
      workspace.deleted_at + ${days} * interval '1 day' AS until
    FROM app_user
    JOIN membership ON membership.user_pk = app_user.pk
    JOIN workspace ON workspace.pk = membership.workspace_pk
    WHERE app_user.id = ${userId}
      AND membership.role = 'owner'
      AND workspace.deleted_at > now() - ${days} * interval '1 day'
    ORDER BY workspace.deleted_at DESC`);
  return rows.map((row) => ({ ...row, until: row.until.toISOString() }));
}

/** Within the grace period. Uses workspace_id_key and membership_pkey. */
export async function unmarkDeleted(
  tx: Connection,
  userId: string,
  id: string,
  days: number,
): Promise<{ pk: number; slug: string } | undefined> {
  return await tx.one<{ pk: number; slug: string }>(sql`
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
    RETURNING workspace.pk, workspace.slug`);
}
