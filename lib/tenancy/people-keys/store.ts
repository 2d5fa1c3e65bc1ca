import { type Connection, query, sql } from "#lib/platform/postgres";

export interface KeyRow {
  version: number;
  sealed: Buffer;
}

/** SQL: of every call about people, also inside of transactions. Answered by people_key_pkey. */
export async function findKeys(workspacePk: number, tx?: Connection): Promise<KeyRow[]> {
  return await query.on(tx).query<KeyRow>(sql`
    SELECT version, sealed
    FROM people_key
    WHERE workspace_pk = ${workspacePk}
    ORDER BY version`);
}

export async function insertKey(
  tx: Connection,
  workspacePk: number,
  version: number,
  sealed: Buffer,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO people_key (workspace_pk, version, sealed)
    VALUES (${workspacePk}, ${version}, ${sealed})`);
}

export async function resealKey(
  tx: Connection,
  workspacePk: number,
  version: number,
  sealed: Buffer,
): Promise<void> {
  await tx.query(sql`
    UPDATE people_key
    SET sealed = ${sealed}
    WHERE workspace_pk = ${workspacePk}
      AND version = ${version}`);
}

/**
 * Locks a version, if it exists. KEY SHARE: writers do not wait for each other, and the version cannot be dropped.
 * UPDATE: waits for writers that hold it.
 */
export async function lockVersion(
  tx: Connection,
  workspacePk: number,
  version: number,
  lock: "KEY SHARE" | "UPDATE",
): Promise<boolean> {
  return await tx.any({
    // Answered by people_key_pkey.
    // defence: people-key-held
    text: `
      SELECT 1
      FROM people_key
      WHERE workspace_pk = $1
        AND version = $2
      FOR ${lock}`,
    values: [workspacePk, version],
  });
}

export async function deleteVersion(
  tx: Connection,
  workspacePk: number,
  version: number,
): Promise<void> {
  await tx.query(sql`
    DELETE FROM people_key
    WHERE workspace_pk = ${workspacePk}
      AND version = ${version}`);
}

/** Older versions that are not dropped yet. */
export async function listRotated(): Promise<{ workspacePk: number; version: number }[]> {
  // Few: each workspace has two rows, and more only during a rotation.
  return await query(sql`
    SELECT older.workspace_pk AS "workspacePk", older.version
    FROM people_key AS older
    WHERE older.version > 0
      AND EXISTS (
        SELECT 1
        FROM people_key AS newer
        WHERE newer.workspace_pk = older.workspace_pk
          AND newer.version > older.version
      )
    ORDER BY older.workspace_pk, older.version`);
}
