/** Annotations: dated notes on the charts of a workspace and, optionally, of its share links. */

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

/** Oldest first; with `since`, from this moment on. */
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

export async function createAnnotation(
  scope: WorkspaceScope,
  { at, timezone, text }: AnnotationBody,
): Promise<string> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  const id = newId("note");
  await transaction(async (tx) => {
    await lockWorkspace(tx, workspacePk);
    assertRoom(await countRows(tx, workspacePk), annotationsMax, "annotations", {
      code: "conflict",
      problem: "annotations_full",
    });
    await tx.query(sql`
      INSERT INTO annotation (id, workspace_pk, at, text)
      VALUES (${id}, ${workspacePk}, ${at}::timestamp AT TIME ZONE ${timezone}, ${text})`);
    const details = { text };
    const action = "annotation.create" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: id, details }]);
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
    const action = "annotation.edit" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: id, details }]);
  });
}

export async function deleteAnnotation(scope: WorkspaceScope, id: string): Promise<void> {
  assertMay(scope, "links.write");
  const { workspacePk, actor } = scope;
  await transaction(async (tx) => {
    const { text } = await lockRow(tx, workspacePk, id);
    await tx.query(sql`DELETE FROM annotation WHERE id = ${id} AND workspace_pk = ${workspacePk}`);
    const action = "annotation.delete" as const;
    await recordAudit(tx, [{ workspacePk, actor, action, subject: id, details: { text } }]);
  });
}

/** Locked, so that the audit log names the text that each change found. */
async function lockRow(tx: Connection, workspacePk: number, id: string): Promise<AnnotationRow> {
  // Answered by annotation_id_key.
  // defence: annotation-of-workspace
  const row = await tx.one<AnnotationRow>(sql`
    SELECT id, at, text
    FROM annotation
    WHERE id = ${id}
      AND workspace_pk = ${workspacePk}
    FOR UPDATE`);
  if (!row) throw new AppError("not_found", "Annotation not found in this workspace.");
  return row;
}
