/** For database tests: a workspace with an OpenID provider of its own. */
import { saveAccess, saveProvider } from "#lib/identity/sso-providers";
import { accessBody, providerBody } from "#lib/identity/sso-providers/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { createWorkspace, openWorkspace } from "#lib/tenancy/workspaces";
import { type TestOpenId, testClient } from "./openid.ts";
import { newPerson, signedIn } from "./people.ts";

export const plainAccess = {
  ...{ required: false, joins: true, pausesKeys: true },
  ...{ defaultRole: "viewer", groupRoles: [] },
};

export async function scopeIn(userId: string, slug: string): Promise<WorkspaceScope> {
  const { sessionId } = await signedIn(userId);
  const scope = await openWorkspace(userId, slug, sessionId);
  if (!scope) throw new Error(`No scope in ${slug}`);
  return scope;
}

/** A workspace whose provider may speak for `host`. */
export async function ssoWorkspace(openId: TestOpenId, slug: string, host: string, more = {}) {
  const owner = await newPerson();
  await createWorkspace(owner.id, { name: slug, slug });
  const scope = await scopeIn(owner.id, slug);
  const fields = { name: "Test", issuer: openId.issuer, ...testClient, ...more };
  await saveProvider(scope, providerBody.parse(fields));
  const [row] = await query<{ pk: number; id: string }>(
    sql`SELECT pk, id FROM sso_provider WHERE workspace_pk = ${scope.workspacePk}`,
  );
  if (!row) throw new Error("No provider");
  const provider = `oidc-${row.id}`;
  openId.allow(`http://localhost:3000/api/auth/callback/${provider}`);
  await proveDomain(row.pk, host);
  await saveAccess(scope, accessBody.parse(plainAccess));
  return { owner, scope, provider, pk: row.pk };
}

export async function proveDomain(providerPk: number, host: string): Promise<void> {
  await query(sql`
    INSERT INTO sso_domain (provider_pk, host, token, proven_at)
    VALUES (${providerPk}, ${host}, 'token', now())`);
}
