/** The SQL of social images: an upload counts, looks up and inserts in one transaction. */
import { type Connection, query, sql } from "#lib/platform/postgres";

export interface ImageRow {
  id: string;
  width: number;
  height: number;
  createdAt: Date;
}

export async function findImageByHash(
  tx: Connection,
  workspacePk: number,
  hash: string,
): Promise<ImageRow | undefined> {
  // Answered by social_image_workspace_pk_hash_key.
  const [row] = await query<ImageRow>(
    sql`
      SELECT id, width, height, created_at AS "createdAt"
      FROM social_image
      WHERE workspace_pk = ${workspacePk}
        AND hash = ${hash}`,
    tx,
  );
  return row;
}

export async function countImages(tx: Connection, workspacePk: number): Promise<number> {
  // Answered by social_image_workspace_pk_hash_key.
  const [row] = await query<{ count: number }>(
    sql`SELECT count(*) AS count FROM social_image WHERE workspace_pk = ${workspacePk}`,
    tx,
  );
  return row?.count ?? 0;
}

/** Deletes the old images that no link uses. `base` and the id of an image are its URL. */
export async function deleteUnused(
  tx: Connection,
  workspacePk: number,
  base: string,
  days: number,
): Promise<void> {
  // Runs only while a workspace is full. Answered by social_image_workspace_pk_hash_key and link_workspace.
  await query(
    sql`
      DELETE FROM social_image
      WHERE workspace_pk = ${workspacePk}
        AND created_at < now() - ${days} * interval '1 day'
        AND ${base} || id NOT IN (
          SELECT image
          FROM link
          WHERE link.workspace_pk = ${workspacePk}
            AND image IS NOT NULL
        )`,
    tx,
  );
}

export async function insertImage(
  tx: Connection,
  workspacePk: number,
  row: { id: string; hash: string; jpeg: Uint8Array; width: number; height: number },
): Promise<ImageRow> {
  const [inserted] = await query<ImageRow>(
    sql`
      INSERT INTO social_image (id, workspace_pk, hash, jpeg, width, height)
      VALUES (${row.id}, ${workspacePk}, ${row.hash}, ${row.jpeg}, ${row.width}, ${row.height})
      RETURNING id, width, height, created_at AS "createdAt"`,
    tx,
  );
  if (!inserted) throw new Error("INSERT returned no row");
  return inserted;
}

export async function findJpeg(id: string): Promise<Buffer | undefined> {
  // Answered by social_image_id_key. A deleted workspace keeps its images as long as its links work.
  const [row] = await query<{ jpeg: Buffer }>(sql`SELECT jpeg FROM social_image WHERE id = ${id}`);
  return row?.jpeg;
}
