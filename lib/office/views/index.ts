/** What administrators see of tenants, without secrets. `openTenant` makes the scope for it. */
import { parseId, presentId } from "#lib/basics/ids";
import { listApiKeys } from "#lib/identity/api-keys";
import { listOwnDomains } from "#lib/links/domains";
import { listDomainsQuery } from "#lib/links/domains/schema";
import { getLink, listLinks } from "#lib/links/reading";
import { listLinksQuery } from "#lib/links/reading/schema";
import { pkOfCode } from "#lib/platform/codes";
import { AppError } from "#lib/platform/errors";
import { query, SqlValues, sql } from "#lib/platform/postgres";
import { parseAgent } from "#lib/platform/request-info";
import { scopeOfSystem, type WorkspaceScope } from "#lib/tenancy/access";
import { roleOf } from "#lib/tenancy/access/schema";
import { listAudit } from "#lib/tenancy/audit";
import { privateNetworksOf } from "#lib/tenancy/instance-rules";
import { listMembers } from "#lib/tenancy/members";
import { auditLook, auditLooks, type OperatorScope } from "#lib/tenancy/operators";
import { planOf, type RetirementSettings, retirementColumns } from "#lib/tenancy/plans";
import type { OwnLimits } from "#lib/tenancy/plans/schema";
import { readUsage } from "#lib/tenancy/quotas";
import { listImports } from "#lib/transfer/imports";
import type {
  OfficeDomain,
  OfficeLink,
  OfficeOperation,
  OfficePerson,
  OfficeWorkspace,
} from "./schema.ts";
import {
  findDomainRow,
  findLinkOwner,
  findPersonRow,
  listPersonSessions,
  listPersonWorkspaces,
} from "./store.ts";

const latestMax = 10;
const auditMax = 20;

function missing(): AppError {
  return new AppError("not_found", "Not found on this instance.");
}

export async function viewWorkspace(operator: OperatorScope, id: string): Promise<OfficeWorkspace> {
  const tenant = await openTenant(operator, { id });
  if (!tenant) throw missing();
  const { scope, ...rest } = tenant;
  const [members, usage, domains, links, imports, apiKeys, audit, privateNetworks] =
    await Promise.all([
      listMembers(scope),
      readUsage(scope),
      listOwnDomains(scope, listDomainsQuery.parse({})),
      listLinks(scope, listLinksQuery.parse({ pageSize: latestMax, showArchived: "true" })),
      listImports(scope, { page: 1, pageSize: latestMax }),
      listApiKeys(scope),
      listAudit(scope, { pageSize: auditMax }),
      privateNetworksOf(scope.workspacePk),
    ]);
  return {
    id: scope.workspaceId,
    slug: scope.slug,
    plan: scope.plan,
    zone: scope.zone,
    privateNetworks: privateNetworks.map(({ network, port }) =>
      port === null ? network : `${network}:${port}`,
    ),
    ...rest,
    members,
    usage,
    domains: domains.map((one) => ({ id: one.id, slug: one.slug, verified: one.verified })),
    links: links.map(({ id: link, shortLink, url, createdAt, clicks }) => ({
      id: link,
      shortLink,
      url,
      createdAt,
      clicks,
    })),
    imports: imports.map(({ id: one, name, state, createdAt, done, rows }) => ({
      id: one,
      name,
      state,
      createdAt,
      done,
      rows,
    })),
    apiKeys: apiKeys.map(({ id: key, name, hint, scopes, user, lastUsedAt, expiresAt }) => ({
      id: key,
      name,
      hint,
      scopes,
      user,
      lastUsedAt,
      expiresAt,
    })),
    audit,
  };
}

export async function viewLink(operator: OperatorScope, id: string): Promise<OfficeLink> {
  const uuid = parseId("link", id);
  const owner = uuid === undefined ? undefined : await findLinkOwner(uuid);
  const tenant = owner && (await openTenant(operator, { pk: owner.workspacePk }, id));
  if (!tenant) throw missing();
  const { scope, name } = tenant;
  const { link } = await getLink(scope, id);
  return {
    link,
    pk: owner.pk,
    code: pkOfCode(link.key) === owner.pk,
    retiredAt: owner.retiredAt?.toISOString() ?? null,
    bannedAt: owner.bannedAt?.toISOString() ?? null,
    workspace: { id: scope.workspaceId, slug: scope.slug, name },
    creator: owner.userId === null ? null : { id: owner.userId, name: owner.userName ?? "" },
    apiKey: owner.keyId === null ? null : { id: owner.keyId, name: owner.keyName ?? "" },
  };
}

/** Domains of the instance belong to no workspace. */
export async function viewDomain(operator: OperatorScope, id: string): Promise<OfficeDomain> {
  const row = await findDomainRow(id);
  if (!row) throw missing();
  const { workspacePk, ...domain } = row;
  if (workspacePk === null) {
    await auditLook(operator, null, { subject: id });
    return { ...domain, workspace: null };
  }
  const tenant = await openTenant(operator, { pk: workspacePk }, id);
  if (!tenant) throw missing();
  const { scope, name } = tenant;
  return { ...domain, workspace: { id: scope.workspaceId, slug: scope.slug, name } };
}

/** Adds an entry to the audit log of each of the person’s workspaces. */
export async function viewPerson(operator: OperatorScope, id: string): Promise<OfficePerson> {
  const row = await findPersonRow(id);
  if (!row) throw missing();
  const { pk, ...person } = row;
  const [workspaces, sessions] = await Promise.all([
    listPersonWorkspaces(pk),
    listPersonSessions(pk),
  ]);
  const pks = workspaces.map(({ workspacePk }) => workspacePk);
  await auditLooks(operator, [null, ...pks], { subject: id });
  return {
    ...person,
    workspaces: workspaces.map(({ id: workspace, name, slug, role }) => ({
      id: workspace,
      name,
      slug,
      role: roleOf(role),
    })),
    sessions: sessions.map(({ agent, ...session }) => {
      const { browser, os } = parseAgent(agent ?? "");
      return { ...session, browser, os };
    }),
  };
}

export const operationsMax = 50;

interface OperationRow extends Omit<OfficeOperation, "at" | "workspace"> {
  at: Date;
  workspaceId: string | null;
  workspaceName: string | null;
}

/** Newest first; `before` is the last one of the previous page. */
export async function listOperations(
  _: OperatorScope,
  before?: string,
): Promise<OfficeOperation[]> {
  const beforeId = parseId("aud", before ?? "") ?? null;
  // Answered by audit_operator; names by primary keys and unique ids.
  const rows = await query<OperationRow>(sql`
    SELECT
      audit.id, audit.at, audit.actor, actor.name AS "actorName", audit.action, audit.subject,
      coalesce(person.email, domain.slug) AS "subjectName",
      workspace.id AS "workspaceId",
      workspace.name AS "workspaceName",
      audit.address,
      audit.details
    FROM audit
    LEFT JOIN app_user AS actor ON actor.id = audit.actor
    LEFT JOIN app_user AS person ON person.id = audit.subject
    LEFT JOIN domain ON domain.id = audit.subject
    LEFT JOIN workspace ON workspace.pk = audit.workspace_pk
    WHERE audit.action LIKE 'operator.%'
      AND (${beforeId}::uuid IS NULL OR audit.id < ${beforeId}::uuid)
    ORDER BY audit.id DESC
    LIMIT ${operationsMax}`);
  return rows.map(({ id, at, workspaceId, workspaceName, ...row }) => ({
    ...row,
    id: presentId("aud", id),
    at: at.toISOString(),
    workspace: workspaceId === null ? null : { id: workspaceId, name: workspaceName ?? "" },
  }));
}

interface Tenant {
  scope: WorkspaceScope;
  name: string;
  createdAt: string;
  deletedAt: string | null;
}

interface TenantRow extends Omit<RetirementSettings, "plan"> {
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

/** Undefined if there is no such workspace. `subject` is the id of what is viewed in it. */
async function openTenant(
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
        pk, id, name, slug, zone, plan, plan_limits AS limits, banned_at IS NOT NULL AS banned,
        reuse_seconds AS "reuseSeconds", lifetime_seconds AS "lifetimeSeconds",
        created_at AS "createdAt", deleted_at AS "deletedAt", ${retirementColumns}
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
      workspacePk: pk,
      workspaceId: id,
      plan: planOf(plan),
      createdAt,
    }),
    name,
    createdAt: createdAt.toISOString(),
    deletedAt: deletedAt?.toISOString() ?? null,
  };
}
