/** The SQL of tables whose values are sealed with the keys of their workspace. */
import type { Connection } from "#lib/platform/postgres";

/**
 * A table with a row per sealed value, bound to its id, and the version of the key in `key_version`. The room that owns
 * the table declares it, and has an index for its rows of a workspace.
 */
export interface SealedTable {
  table: string;
  column: "sealed" | "metadata";
  /** SQL: the rows that need their key. */
  where?: string;
}

interface OlderRow {
  pk: number;
  bound: string;
  version: number;
  sealed: Buffer;
}

/** Locked rows with another version; only after a rotation. */
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

/** Answered by the primary key. */
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

/** Whether a value is sealed with a version; only after a rotation. */
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
