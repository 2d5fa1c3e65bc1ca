import { type Connection, query, sql } from "#lib/platform/postgres";

export interface KeyRow {
  version: number;
  sealed: Buffer;
}

/** SQL, because calls in transactions need it too. Uses people_key_pkey. */
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

/** KEY SHARE: writers do not wait, and the version stays. UPDATE: waits for the writers. */
export async function lockVersion(
  tx: Connection,
  workspacePk: number,
  version: number,
  lock: "KEY SHARE" | "UPDATE",
): Promise<boolean> {
  return await tx.any({
    // Uses people_key_pkey.
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

/** Older versions that still exist. Workspaces have two rows, and more only during a rotation. */
export async function listRotated(): Promise<{ workspacePk: number; version: number }[]> {
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

/** A table with sealed values, bound to their ids. The room that owns it declares it and its index. */
export interface SealedTable {
  table: string;
  column: "sealed" | "metadata";
  /** SQL for the rows that need their key. */
  where?: string;
}

interface OlderRow {
  pk: number;
  bound: string;
  version: number;
  sealed: Buffer;
}

export async function listOlder(
  tx: Connection,
  { table, column }: SealedTable,
  { workspacePk, version }: { workspacePk: number; version: number },
  max: number,
): Promise<OlderRow[]> {
  const text = `
    SELECT pk, id::text AS bound, key_version AS version, ${column} AS sealed
    FROM ${table}
    WHERE workspace_pk = $1
      AND key_version <> $2
    ORDER BY pk
    LIMIT $3
    FOR UPDATE`;
  return await tx.query<OlderRow>({ text, values: [workspacePk, version, max] });
}

// Uses the primary key.
export async function replaceSealed(
  tx: Connection,
  { table, column }: SealedTable,
  version: number,
  rows: readonly { pk: number; sealed: Buffer }[],
): Promise<void> {
  const text = `
    UPDATE ${table} AS old
    SET ${column} = given.sealed,
      key_version = $1
    FROM unnest($2::bigint[], $3::bytea[]) AS given (pk, sealed)
    WHERE old.pk = given.pk`;
  const values = [version, rows.map(({ pk }) => pk), rows.map(({ sealed }) => sealed)];
  await tx.query({ text, values });
}

export async function useVersion(
  tx: Connection,
  tables: readonly SealedTable[],
  workspacePk: number,
  version: number,
): Promise<boolean> {
  const uses = tables.map(
    ({ table, where = "true" }) =>
      `EXISTS (SELECT FROM ${table} WHERE workspace_pk = $1 AND key_version = $2 AND ${where})`,
  );
  const text = `SELECT 1 WHERE ${uses.join(" OR ")}`;
  return (await tx.query({ text, values: [workspacePk, version] })).length > 0;
}
