/** For database tests: a person with their own workspace, and the scope in it. */
import { newId } from "#lib/basics/ids";
import { admitApiKey, createApiKey } from "#lib/identity/api-keys";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import type { Role } from "#lib/tenancy/access/schema";
import { createWorkspace, openWorkspace } from "#lib/tenancy/workspaces";

export async function makeTestScope(name: string): Promise<WorkspaceScope> {
  const userId = newId("user");
  await query(sql`
    INSERT INTO app_user (id, email, name)
    VALUES (${userId}, ${`${name}@example.com`}, ${name})`);
  const slug = `${name}-space`;
  await createWorkspace(userId, { name, slug });
  const scope = await openWorkspace(userId, slug);
  if (!scope) throw new Error(`No scope in ${slug}`);
  return scope;
}

/** Another person with a role in the same workspace, and their scope in it. */
export async function joinTestScope(
  scope: WorkspaceScope,
  name: string,
  role: Role,
): Promise<WorkspaceScope> {
  const userId = newId("user");
  await query(sql`
    INSERT INTO app_user (id, email, name)
    VALUES (${userId}, ${`${name}@example.com`}, ${name})`);
  await query(sql`
    INSERT INTO membership (workspace_pk, user_pk, role)
    SELECT ${scope.workspacePk}, pk, ${role}
    FROM app_user
    WHERE id = ${userId}`);
  const joined = await openWorkspace(userId, scope.slug);
  if (!joined) throw new Error(`No scope in ${scope.slug}`);
  return joined;
}

/** The scope of a new API key of this person. */
export async function keyTestScope(scope: WorkspaceScope): Promise<WorkspaceScope> {
  const { key } = await createApiKey(scope, { name: "Test" });
  const admission = await admitApiKey(key, "203.0.113.7");
  if (!admission.ok) throw new Error("The key is not admitted");
  return admission.scope;
}
