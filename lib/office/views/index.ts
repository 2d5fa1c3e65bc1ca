/**
 * What an administrator sees of a workspace, a link, a domain and a person: with the verbs of their rooms, in a scope
 * that only `openTenant` makes. Nothing here has a secret of a tenant: keys have their first characters.
 */

import { parseId } from "#lib/basics/ids";
import { listApiKeys } from "#lib/identity/api-keys";
import { listOwnDomains } from "#lib/links/domains";
import { listDomainsQuery } from "#lib/links/domains/schema";
import { getLink, listLinks } from "#lib/links/reading";
import { listLinksQuery } from "#lib/links/reading/schema";
import { pkOfCode } from "#lib/platform/codes";
import { AppError } from "#lib/platform/errors";
import { parseAgent } from "#lib/platform/request-info";
import { roleOf } from "#lib/tenancy/access/schema";
import { listAudit } from "#lib/tenancy/audit";
import { listMembers } from "#lib/tenancy/members";
import { auditLook, auditLooks, type OperatorScope } from "#lib/tenancy/operators";
import { readUsage } from "#lib/tenancy/quotas";
import { listImports } from "#lib/transfer/imports";
import type { OfficeDomain, OfficeLink, OfficePerson, OfficeWorkspace } from "./schema.ts";
import {
  findDomainRow,
  findLinkOwner,
  findPersonRow,
  listPersonSessions,
  listPersonWorkspaces,
} from "./store.ts";
import { openTenant } from "./tenant.ts";

export { listOperations, operationsMax } from "./operations.ts";

const latestMax = 10;
const auditMax = 20;

function missing(): AppError {
  return new AppError("not_found", "Not found on this instance.");
}

/** A workspace by its id. */
export async function viewWorkspace(operator: OperatorScope, id: string): Promise<OfficeWorkspace> {
  const tenant = await openTenant(operator, { id });
  if (!tenant) throw missing();
  const { scope, ...rest } = tenant;
  const [members, usage, domains, links, imports, apiKeys, audit] = await Promise.all([
    listMembers(scope),
    readUsage(scope),
    listOwnDomains(scope, listDomainsQuery.parse({})),
    listLinks(scope, listLinksQuery.parse({ pageSize: latestMax, showArchived: "true" })),
    listImports(scope, { page: 1, pageSize: latestMax }),
    listApiKeys(scope),
    listAudit(scope, { pageSize: auditMax }),
  ]);
  return {
    id: scope.workspaceId,
    slug: scope.slug,
    plan: scope.plan,
    zone: scope.zone,
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

/** A link by its id. */
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

/** A domain by its id. Those of the instance belong to no workspace. */
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

/** A person by their id. Each of their workspaces has an entry about it. */
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
