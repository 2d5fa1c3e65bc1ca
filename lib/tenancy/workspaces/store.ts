/** The rows of workspaces and members; SQL in transactions and for the lookups of every request. */

import { useLagMinutes } from "#lib/platform/batches";
import { config } from "#lib/platform/config";
import type { PlanName } from "#lib/platform/config/schema";
import { type Connection, query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { type Membership, memberColumns } from "#lib/tenancy/access";
import { type Role, roleOf } from "#lib/tenancy/access/schema";
import { planOf } from "#lib/tenancy/plans";
import type { EditWorkspace, NewWorkspace, Workspace } from "./schema.ts";

type MembershipRow = Omit<Membership, "role" | "plan"> & { role: string; plan: string };

/** With whether the session is too old for the workspace, or was too long without a use. */
export async function findMembership(
  userId: string,
  slug: string,
  sessionId: string | null,
): Promise<{ membership: Membership; isSessionOver: boolean } | undefined> {
  // Runs for every page. Answered by workspace_slug_key, app_user_id_key, membership_pkey and session_pkey.
  const [found] = await query<MembershipRow & { isSessionOver: boolean }>({
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
        ) AS "isSessionOver"
      FROM workspace
      JOIN membership ON membership.workspace_pk = workspace.pk
      JOIN app_user ON app_user.pk = membership.user_pk
      LEFT JOIN session ON session.id = $3::text
      WHERE workspace.slug = $1
        AND workspace.deleted_at IS NULL
        AND app_user.id = $2`,
    values: [slug, userId, sessionId],
  });
  if (!found) return undefined;
  const { isSessionOver, ...row } = found;
  return { membership: { ...row, role: roleOf(row.role), plan: planOf(row.plan) }, isSessionOver };
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
  retireApiDays: number | null;
  retirePeopleDays: number | null;
  retireFromCreation: boolean;
  contactDays: number | null;
  codeCountries: string[];
  codesPerDay: number;
  codesStopped: boolean;
  sessionIdleMinutes: number | null;
  sessionHours: number | null;
  demo: boolean;
  createdAt: Date;
}

export function presentWorkspace(row: WorkspaceColumns, role: Role): Workspace {
  const { id, name, slug, zone, plan, forwardQuery, demo } = row;
  const { reuseSeconds, lifetimeSeconds, repeatSeconds } = row;
  const createdAt = row.createdAt.toISOString();
  const seconds = { reuseSeconds, lifetimeSeconds, repeatSeconds };
  const { retireApiDays, retirePeopleDays, retireFromCreation } = row;
  const retirement = { retireApiDays, retirePeopleDays, retireFromCreation };
  const { contactDays, codeCountries, codesPerDay, codesStopped } = row;
  const { sessionIdleMinutes, sessionHours } = row;
  return {
    ...{ id, name, slug, zone, plan, ...seconds, forwardQuery, ...retirement },
    ...{ contactDays, codeCountries, codesPerDay, codesStopped },
    ...{ sessionIdleMinutes, sessionHours, demo, role, createdAt },
  };
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

/** An instance that sells plans gives its new workspaces the free one. */
function planOfNew(): PlanName {
  const { FUXI_DEFAULT_PLAN, FUXI_STRIPE_SECRET_KEY } = config();
  return FUXI_DEFAULT_PLAN ?? (FUXI_STRIPE_SECRET_KEY ? "free" : "enterprise");
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
      INSERT INTO workspace (id, name, slug, zone, demo, plan)
      VALUES (
        ${id}, ${body.name}, ${body.slug}, ${body.zone ?? "UTC"}, ${body.demo ?? false},
        ${body.demo ? "enterprise" : planOfNew()}
      )
      ON CONFLICT (slug) DO NOTHING
      RETURNING pk, id, name, slug, zone, plan, reuse_seconds AS "reuseSeconds",
        lifetime_seconds AS "lifetimeSeconds", repeat_seconds AS "repeatSeconds",
        forward_query AS "forwardQuery", retire_api_days AS "retireApiDays",
        retire_people_days AS "retirePeopleDays",
        retire_from_creation AS "retireFromCreation", contact_days AS "contactDays",
        code_countries AS "codeCountries", codes_per_day AS "codesPerDay", codes_stopped AS "codesStopped",
        session_idle_minutes AS "sessionIdleMinutes", session_hours AS "sessionHours", demo,
        created_at AS "createdAt"`,
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
        forward_query AS "forwardQuery", retire_api_days AS "retireApiDays",
        retire_people_days AS "retirePeopleDays", retire_from_creation AS "retireFromCreation",
        contact_days AS "contactDays", code_countries AS "codeCountries",
        codes_per_day AS "codesPerDay", codes_stopped AS "codesStopped",
        session_idle_minutes AS "sessionIdleMinutes",
        session_hours AS "sessionHours"
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
        END,
        retire_api_days = CASE
          WHEN ${edit.retireApiDays !== undefined} THEN ${edit.retireApiDays ?? null}
          ELSE retire_api_days
        END,
        retire_people_days = CASE
          WHEN ${edit.retirePeopleDays !== undefined} THEN ${edit.retirePeopleDays ?? null}
          ELSE retire_people_days
        END,
        contact_days = CASE
          WHEN ${edit.contactDays !== undefined} THEN ${edit.contactDays ?? null}
          ELSE contact_days
        END,
        code_countries = coalesce(${edit.codeCountries ?? null}::text[], code_countries),
        codes_per_day = coalesce(${edit.codesPerDay ?? null}, codes_per_day),
        codes_stopped = coalesce(${edit.codesStopped ?? null}, codes_stopped),
        session_idle_minutes = CASE
          WHEN ${edit.sessionIdleMinutes !== undefined} THEN ${edit.sessionIdleMinutes ?? null}
          ELSE session_idle_minutes
        END,
        session_hours = CASE
          WHEN ${edit.sessionHours !== undefined} THEN ${edit.sessionHours ?? null}
          ELSE session_hours
        END,
        retire_from_creation = coalesce(${edit.retireFromCreation ?? null}, retire_from_creation)
      WHERE pk = ${workspacePk}
        AND NOT EXISTS (
          SELECT
          FROM workspace AS other
          WHERE other.slug = ${slug}
            AND other.pk <> ${workspacePk}
        )
      RETURNING id, name, slug, zone, plan, reuse_seconds AS "reuseSeconds",
        lifetime_seconds AS "lifetimeSeconds", repeat_seconds AS "repeatSeconds",
        forward_query AS "forwardQuery", retire_api_days AS "retireApiDays",
        retire_people_days AS "retirePeopleDays",
        retire_from_creation AS "retireFromCreation", contact_days AS "contactDays",
        code_countries AS "codeCountries", codes_per_day AS "codesPerDay", codes_stopped AS "codesStopped",
        session_idle_minutes AS "sessionIdleMinutes", session_hours AS "sessionHours", demo,
        created_at AS "createdAt"`,
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
