/** Caches store a key with its workspace and its owner's role, so changes of these reload it. */
import { type CacheChange, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { type Connection, sql } from "#lib/platform/postgres";

export async function recordKeyChanges(
  tx: Connection,
  workspacePk: number,
  userPk: number | null,
): Promise<CacheChange[]> {
  const revision = await takeRevision(tx);
  const hashes = await listKeyHashes(tx, workspacePk, userPk);
  const changes = hashes.map((hash) => ({ entry: keyEntry(hash), revision }));
  await recordChanges(tx, changes);
  return changes;
}

export function keyEntry(hash: string): string {
  return `k:${hash}`;
}

async function listKeyHashes(
  tx: Connection,
  workspacePk: number,
  userPk: number | null,
): Promise<string[]> {
  // Includes previous secrets. Uses api_key_workspace_pk_idx.
  const rows = await tx.query<{ hash: string }>(
    // defence: member-previous-keys-dropped
    sql`
      SELECT encode(secret.hash, 'hex') AS hash
      FROM api_key
      CROSS JOIN LATERAL (VALUES (api_key.hash), (api_key.previous_hash)) AS secret (hash)
      WHERE secret.hash IS NOT NULL
        AND workspace_pk = ${workspacePk}
        AND revoked_at IS NULL
        AND (${userPk}::int IS NULL OR user_pk = ${userPk}::int)`,
  );
  return rows.map((row) => row.hash);
}

export function sessionEntry(id: string): string {
  return `s:${id}`;
}

export async function recordPersonChanges(tx: Connection, userPk: number): Promise<CacheChange[]> {
  const revision = await takeRevision(tx);
  // Uses session_user_pk_idx and api_key_user_pk_idx.
  const rows = await tx.query<{ entry: string }>(sql`
    SELECT ${sessionEntry("")} || id AS entry
    FROM session
    WHERE user_pk = ${userPk}
      AND ended_at IS NULL
    UNION ALL
    SELECT ${keyEntry("")} || encode(secret, 'hex')
    FROM api_key
    CROSS JOIN LATERAL unnest(ARRAY[api_key.hash, api_key.previous_hash]) AS secret
    WHERE secret IS NOT NULL
      AND user_pk = ${userPk}
      AND revoked_at IS NULL`);
  const changes = rows.map(({ entry }) => ({ entry, revision }));
  await recordChanges(tx, changes);
  return changes;
}
