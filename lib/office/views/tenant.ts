/** The scope of a workspace for an administrator. Opening one leaves an entry in its audit log. */
import { query, SqlValues } from "#lib/platform/postgres";
import { scopeOfSystem, type WorkspaceScope } from "#lib/tenancy/access";
import { auditLook, type OperatorScope } from "#lib/tenancy/operators";
import { planOf } from "#lib/tenancy/plans";
import type { OwnLimits } from "#lib/tenancy/plans/schema";

interface Tenant {
  scope: WorkspaceScope;
  name: string;
  createdAt: string;
  /** When it was deleted; it can be restored for some days. */
  deletedAt: string | null;
}

interface TenantRow {
  pk: number;
  id: string;
  name: string;
  slug: string;
  zone: string;
  plan: string;
  limits: OwnLimits | null;
  banned: boolean;
  reuseSeconds: number | null;
  lifetimeSeconds: number | null;
  createdAt: Date;
  deletedAt: Date | null;
}

/** Undefined: there is no such workspace. `subject` is what is viewed in it. */
export async function openTenant(
  operator: OperatorScope,
  where: { id: string } | { pk: number },
  subject?: string,
): Promise<Tenant | undefined> {
  const { list: values, place } = new SqlValues();
  const condition = "id" in where ? `id = ${place(where.id)}` : `pk = ${place(where.pk)}`;
  const [row] = await query<TenantRow>({
    // SQL: a workspace that was deleted too. Answered by workspace_id_key or workspace_pkey.
    text: `
      SELECT
        pk,
        id,
        name,
        slug,
        zone,
        plan,
        plan_limits AS limits,
        banned_at IS NOT NULL AS banned,
        reuse_seconds AS "reuseSeconds",
        lifetime_seconds AS "lifetimeSeconds",
        created_at AS "createdAt",
        deleted_at AS "deletedAt"
      FROM workspace
      WHERE ${condition}`,
    values,
  });
  if (!row) return undefined;
  // defence: operator-looks-recorded
  await auditLook(operator, row.pk, { subject: subject ?? row.id });
  const { pk, id, name, createdAt, deletedAt, plan, ...rest } = row;
  return {
    scope: scopeOfSystem({
      ...rest,
      ...{ workspacePk: pk, workspaceId: id, plan: planOf(plan), createdAt },
    }),
    name,
    createdAt: createdAt.toISOString(),
    deletedAt: deletedAt?.toISOString() ?? null,
  };
}
