import { type Connection, query, sql } from "#lib/platform/postgres";
import type { FolderOwnership } from "./access.ts";
import type { ListFolders } from "./schema.ts";

export interface FolderRow extends FolderOwnership {
  id: string;
  name: string;
  description: string | null;
  created_at: Date;
  updated_at: Date;
}

const columns = "pk, id, user_pk, name, description, access_level, created_at, updated_at";

export async function countRows(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by folder_name, which starts with the workspace.
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM folder WHERE workspace_pk = ${workspacePk}`,
  );
  return row?.count ?? 0;
}

export interface FolderValues {
  name: string;
  description: string | null;
  access_level: string | null;
}

/** Undefined if another folder of the workspace has that name. */
export function insertRow(
  tx: Connection,
  workspacePk: number,
  userPk: number | null,
  id: string,
  values: FolderValues,
) {
  return tx.one<FolderRow>({
    text: `
      INSERT INTO folder (id, workspace_pk, user_pk, name, description, access_level)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (workspace_pk, lower(name)) DO NOTHING
      RETURNING ${columns}`,
    values: [id, workspacePk, userPk, values.name, values.description, values.access_level],
  });
}

/** A page by name. With `userPk`, folders hidden from that person are omitted. */
export function listRows(
  workspacePk: number,
  { userPk, onlyPks }: { userPk: number | null; onlyPks: readonly number[] | null },
  { search, ids, page, pageSize }: ListFolders,
): Promise<FolderRow[]> {
  return query<FolderRow>({
    // Answered by folder_name, which has this order.
    text: `
      SELECT ${columns}
      FROM folder
      WHERE workspace_pk = $1
        AND ($2::int IS NULL OR access_level IS NOT NULL OR user_pk = $2)
        AND ($3::text IS NULL OR name ILIKE $3)
        AND ($4::text[] IS NULL OR id = ANY($4))
        AND ($7::int[] IS NULL OR pk = ANY($7))
      ORDER BY lower(name)
      LIMIT $5
      OFFSET $6`,
    values: [
      workspacePk,
      userPk,
      search ? `%${search.replace(/[\\%_]/g, "\\$&")}%` : null,
      ids ?? null,
      pageSize,
      (page - 1) * pageSize,
      onlyPks,
    ],
  });
}

export async function countLinksIn(folderPk: number, max: number): Promise<number> {
  // Answered by link_folder.
  const [row] = await query<{ links: number }>(sql`
    SELECT count(*) AS links
    FROM (SELECT 1 FROM link WHERE folder_pk = ${folderPk} LIMIT ${max}) AS part`);
  return row?.links ?? 0;
}

export function findRows(workspacePk: number, ids: readonly string[]): Promise<FolderRow[]> {
  return query<FolderRow>({
    // Answered by folder_id_key.
    text: `SELECT ${columns} FROM folder WHERE id = ANY($1::text[]) AND workspace_pk = $2`,
    values: [ids, workspacePk],
  });
}

export function lockRow(tx: Connection, workspacePk: number, id: string) {
  return tx.one<FolderRow>({
    // Answered by folder_id_key.
    text: `SELECT ${columns} FROM folder WHERE id = $1 AND workspace_pk = $2 FOR UPDATE`,
    values: [id, workspacePk],
  });
}

export function updateRow(tx: Connection, pk: number, values: FolderValues) {
  return tx.one<FolderRow>({
    text: `
      UPDATE folder
      SET name = $2, description = $3, access_level = $4, updated_at = now()
      WHERE pk = $1
      RETURNING ${columns}`,
    values: [pk, values.name, values.description, values.access_level],
  });
}

export function isNameTaken(error: unknown): boolean {
  return error instanceof Error && "constraint" in error && error.constraint === "folder_name";
}

export async function deleteRow(
  tx: Connection,
  workspacePk: number,
  pk: number,
  dueSeconds: number,
): Promise<void> {
  await tx.query(sql`DELETE FROM folder WHERE pk = ${pk}`);
  await tx.query(sql`
    INSERT INTO folder_clearing (folder_pk, workspace_pk, due_at)
    VALUES (${pk}, ${workspacePk}, now() + ${dueSeconds} * interval '1 second')`);
}

export async function findOthersPks(
  workspacePk: number,
  userPk: number,
  accessLevel: string | null,
): Promise<number[]> {
  // Answered by folder_name, which starts with the workspace.
  const rows = await query<{ pk: number }>(sql`
    SELECT pk
    FROM folder
    WHERE workspace_pk = ${workspacePk}
      AND access_level IS NOT DISTINCT FROM ${accessLevel}::text
      AND user_pk IS DISTINCT FROM ${userPk}::int`);
  return rows.map(({ pk }) => pk);
}

export async function takeClearing(tx: Connection): Promise<number | undefined> {
  // One row per folder deleted in the last minutes: no index.
  const [row] = await tx.query<{ folder_pk: number }>(sql`
    SELECT folder_pk
    FROM folder_clearing
    WHERE due_at <= now()
    ORDER BY due_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED`);
  return row?.folder_pk;
}

export async function endClearing(tx: Connection, folderPk: number): Promise<void> {
  await tx.query(sql`DELETE FROM folder_clearing WHERE folder_pk = ${folderPk}`);
}
