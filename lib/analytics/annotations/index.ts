/**
 * Annotations: notes at a moment, drawn on the charts of a workspace. Every member reads them, those who may change
 * links write them, and a share shows them only if it says so.
 */

import { newId } from "#lib/basics/ids";
import { AppError, assertRoom } from "#lib/platform/errors";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { assertMay, lockWorkspace, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { type Annotation, type AnnotationBody, annotationsMax } from "./schema.ts";

interface AnnotationRow {
  id: string;
  at: Date;
  text: string;
}

/** All of the workspace, oldest first; with `since` those from this moment on. */
export async function listAnnotations(scope: WorkspaceScope, since?: Date): Promise<Annotation[]> {
  assertMay(scope, "analytics.read");
  // Answered by annotation_workspace_pk_at_idx.
  // defence: annotations-of-workspace
  const rows = await query<AnnotationRow>(sql`
    SELECT id, at, text
    FROM annotation
    WHERE workspace_pk = ${scope.workspacePk}
      AND at >= coalesce(${since ?? null}::timestamptz, '-infinity')
    ORDER BY at, pk`);
  return rows.map(({ id, at, text }) => ({ id, at: at.toISOString(), text }));
}

/** Returns its id. */
export async function createAnnotation(
  scope: WorkspaceScope,
  { at, timezone, text }: AnnotationBody,
): Promise<string> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  const id = newId("note");
  await transaction(async (tx) => {
    // One at a time per workspace: the count is exact until the commit.
    await lockWorkspace(tx, workspacePk);
    assertRoom(await countRows(tx, workspacePk), annotationsMax, "annotations", {
      code: "conflict",
      problem: "annotations_full",
    });
    await tx.query(sql`
      INSERT INTO annotation (id, workspace_pk, at, text)
      VALUES (${id}, ${workspacePk}, ${at}::timestamp AT TIME ZONE ${timezone}, ${text})`);
    const details = { text };
    await recordAudit(tx, [
      { workspacePk, actor, action: "annotation.create", subject: id, details },
    ]);
  });
  return id;
}

async function countRows(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by annotation_workspace_pk_at_idx.
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM annotation WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.count ?? 0;
}

/** Throws not_found. */
export async function editAnnotation(
  scope: WorkspaceScope,
  id: string,
  { at, timezone, text }: AnnotationBody,
): Promise<void> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const before = await lockRow(tx, workspacePk, id);
    const [after] = await tx.query<AnnotationRow>(sql`
      UPDATE annotation
      SET at = ${at}::timestamp AT TIME ZONE ${timezone}, text = ${text}
      WHERE id = ${id}
        AND workspace_pk = ${workspacePk}
      RETURNING id, at, text`);
    const details = {
      text: { from: before.text, to: text },
      at: { from: before.at.toISOString(), to: after?.at.toISOString() },
    };
    await recordAudit(tx, [
      { workspacePk, actor, action: "annotation.edit", subject: id, details },
    ]);
  });
}

/** Throws not_found. */
export async function deleteAnnotation(scope: WorkspaceScope, id: string): Promise<void> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const { text } = await lockRow(tx, workspacePk, id);
    await tx.query(sql`DELETE FROM annotation WHERE id = ${id} AND workspace_pk = ${workspacePk}`);
    await recordAudit(tx, [
      { workspacePk, actor, action: "annotation.delete", subject: id, details: { text } },
    ]);
  });
}

/** Two changes of an annotation follow each other, so that the audit log names what each found. */
async function lockRow(tx: Connection, workspacePk: number, id: string): Promise<AnnotationRow> {
  // Answered by annotation_id_key.
  const [row] = await query<AnnotationRow>(
    // defence: annotation-of-workspace
    sql`
      SELECT id, at, text
      FROM annotation
      WHERE id = ${id}
        AND workspace_pk = ${workspacePk}
      FOR UPDATE`,
    tx,
  );
  if (!row) throw new AppError("not_found", "Annotation not found in this workspace.");
  return row;
}
