/** For tests of rooms: a person with a workspace of their own, and the scope in it. */
import { newId } from "#lib/ids";
import { query, sql } from "#lib/postgres";
import { createWorkspace, openWorkspace, type WorkspaceScope } from "#lib/workspaces";

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
