import { type Connection, query, sql } from "#lib/platform/postgres";

export interface KeyRow {
  version: number;
  sealed: Buffer;
}

/** SQL: of every call about people, also inside of transactions. Answered by people_key_pkey. */
export async function findKeys(workspacePk: number, tx?: Connection): Promise<KeyRow[]> {
  return await query<KeyRow>(
    sql`
      SELECT version, sealed
      FROM people_key
      WHERE workspace_pk = ${workspacePk}
      ORDER BY version`,
    tx,
  );
}

export async function insertKey(
  tx: Connection,
  workspacePk: number,
  version: number,
  sealed: Buffer,
): Promise<void> {
  await query(
    sql`
      INSERT INTO people_key (workspace_pk, version, sealed)
      VALUES (${workspacePk}, ${version}, ${sealed})`,
    tx,
  );
}

export async function resealKey(
  tx: Connection,
  workspacePk: number,
  version: number,
  sealed: Buffer,
): Promise<void> {
  await query(
    sql`
      UPDATE people_key
      SET sealed = ${sealed}
      WHERE workspace_pk = ${workspacePk}
        AND version = ${version}`,
    tx,
  );
}

/** A shared lock: writers do not wait for each other, and the version cannot be dropped. */
export async function lockVersion(
  tx: Connection,
  workspacePk: number,
  version: number,
): Promise<boolean> {
  const rows = await query(
    // Answered by people_key_pkey.
    sql`
      SELECT 1
      FROM people_key
      WHERE workspace_pk = ${workspacePk}
        AND version = ${version}
      FOR KEY SHARE`,
    tx,
  );
  return rows.length > 0;
}

/** Waits for writers that hold the version. */
export async function lockVersionForDrop(
  tx: Connection,
  workspacePk: number,
  version: number,
): Promise<boolean> {
  const rows = await query(
    // Answered by people_key_pkey.
    sql`
      SELECT 1
      FROM people_key
      WHERE workspace_pk = ${workspacePk}
        AND version = ${version}
      FOR UPDATE`,
    tx,
  );
  return rows.length > 0;
}

export async function deleteVersion(
  tx: Connection,
  workspacePk: number,
  version: number,
): Promise<void> {
  await query(
    sql`
      DELETE FROM people_key
      WHERE workspace_pk = ${workspacePk}
        AND version = ${version}`,
    tx,
  );
}

/** Older versions that are not dropped yet. */
export async function listRotated(): Promise<{ workspacePk: number; version: number }[]> {
  return await query(
    // Few: each workspace has two rows, and more only during a rotation.
    sql`
      SELECT older.workspace_pk AS "workspacePk", older.version
      FROM people_key AS older
      WHERE older.version > 0
        AND EXISTS (
          SELECT 1
          FROM people_key AS newer
          WHERE newer.workspace_pk = older.workspace_pk
            AND newer.version > older.version
        )
      ORDER BY older.workspace_pk, older.version`,
  );
}
