/** Saved views of the list of links, private to a person or shared with the workspace. */
import { newId } from "#lib/basics/ids";
import { AppError } from "#lib/platform/errors";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, onlyCreatorPk, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { type NewSavedView, type SavedView, savedViewsMax } from "./schema.ts";

interface SavedViewRow {
  id: string;
  user_pk: number;
  name: string;
  search: string;
  shared: boolean;
}

export async function listSavedViews(scope: WorkspaceScope): Promise<SavedView[]> {
  assertMay(scope, "links.read");
  const { workspacePk, userPk } = scope;
  // Answered by saved_view_workspace_pk_user_pk_name_key.
  // defence: private-views
  const rows = await query<SavedViewRow>(sql`
    SELECT id, user_pk, name, search, shared
    FROM saved_view
    WHERE workspace_pk = ${workspacePk}
      AND (shared OR user_pk = ${userPk})
    ORDER BY name, pk`);
  return rows.map((row) => present(scope, row));
}

function present(scope: WorkspaceScope, { user_pk, ...view }: SavedViewRow): SavedView {
  return { ...view, mayDelete: mayDelete(scope, user_pk) };
}

/** Owners may delete their views, and admins shared ones. */
function mayDelete(scope: WorkspaceScope, ownerPk: number): boolean {
  const creatorPk = onlyCreatorPk(scope);
  return ownerPk === scope.userPk || (creatorPk === null && scope.permissions.has("links.write"));
}

/** Sharing needs the permission to edit links. */
export async function createSavedView(
  scope: WorkspaceScope,
  { name, search, shared }: NewSavedView,
): Promise<SavedView> {
  // defence: shared-view-needs-write
  assertMay(scope, shared ? "links.write" : "links.read");
  const { workspacePk, userPk, actor } = scope;
  if (userPk === null)
    throw new AppError("forbidden", "Only people who are signed in can save views.");
  const id = newId("view");
  return await transaction(async (tx) => {
    // One create at a time per workspace, so that the count is exact until the commit.
    await lockWorkspace(tx, workspacePk);
    if ((await countOwn(tx, workspacePk, userPk)) >= savedViewsMax) throw tooMany();
    const [row] = await tx.query<SavedViewRow>(sql`
      INSERT INTO saved_view (id, workspace_pk, user_pk, name, search, shared)
      VALUES (${id}, ${workspacePk}, ${userPk}, ${name}, ${search}, ${shared})
      ON CONFLICT (workspace_pk, user_pk, name) DO NOTHING
      RETURNING id, user_pk, name, search, shared`);
    if (!row) throw nameTaken(name);
    if (shared) {
      const details = { name };
      await recordAudit(tx, [
        { workspacePk, actor, action: "saved-view.share", subject: id, details },
      ]);
    }
    return present(scope, row);
  });
}

async function countOwn(tx: Connection, workspacePk: number, userPk: number): Promise<number> {
  // Answered by saved_view_workspace_pk_user_pk_name_key.
  const [row] = await tx.query<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM saved_view
    WHERE workspace_pk = ${workspacePk}
      AND user_pk = ${userPk}`);
  return row?.count ?? 0;
}

function tooMany(): AppError {
  const message = `You can save up to ${savedViewsMax} views in a workspace. Delete one first.`;
  const params = { max: savedViewsMax };
  return new AppError("conflict", message, { problem: "views_full", params });
}

function nameTaken(name: string): AppError {
  const message = `You already have a view "${name}". Choose another name.`;
  return new AppError("conflict", message, { problem: "view_name_taken" });
}

/** Throws not_found, also for a view that the actor may not delete. */
export async function deleteSavedView(scope: WorkspaceScope, id: string): Promise<void> {
  assertMay(scope, "links.read");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    // Answered by saved_view_id_key.
    const [row] = await tx.query<SavedViewRow>(sql`
      SELECT id, user_pk, name, search, shared
      FROM saved_view
      WHERE id = ${id}
        AND workspace_pk = ${workspacePk}
        AND (shared OR user_pk = ${scope.userPk})
      FOR UPDATE`);
    // defence: view-of-others-not-deleted
    if (!row || !mayDelete(scope, row.user_pk)) {
      throw new AppError("not_found", `View "${id}" not found in this workspace.`);
    }
    await tx.query(sql`DELETE FROM saved_view WHERE id = ${id}`);
    if (!row.shared) return;
    const details = { name: row.name };
    await recordAudit(tx, [
      { workspacePk, actor, action: "saved-view.delete", subject: id, details },
    ]);
  });
}
