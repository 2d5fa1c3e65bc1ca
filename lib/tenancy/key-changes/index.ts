/**
 * Invalidates API keys when their workspace or member changes: caches store a key together with the workspace and the
 * role of its owner, so every process reloads it. The same for the sessions and keys of a person.
 */
import { type CacheChange, recordChanges, takeRevision } from "#lib/platform/cache-sync";
import { type Connection, query, sql } from "#lib/platform/postgres";

/** Makes every process reload the keys of a member, or of the whole workspace. */
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

/** The cache entry of an API key, by the hexadecimal SHA-256 of its text. */
export function keyEntry(hash: string): string {
  return `k:${hash}`;
}

/** Hashes of the valid keys and of their previous secrets, in hexadecimal: those of one member, or of the whole workspace. */
async function listKeyHashes(
  tx: Connection,
  workspacePk: number,
  userPk: number | null,
): Promise<string[]> {
  // Answered by api_key_workspace_pk_idx.
  const rows = await query<{ hash: string }>(
    // defence: member-previous-keys-dropped
    sql`
      SELECT encode(secret.hash, 'hex') AS hash
      FROM api_key
      CROSS JOIN LATERAL (VALUES (api_key.hash), (api_key.previous_hash)) AS secret (hash)
      WHERE secret.hash IS NOT NULL
        AND workspace_pk = ${workspacePk}
        AND revoked_at IS NULL
        AND (${userPk}::int IS NULL OR user_pk = ${userPk}::int)`,
    tx,
  );
  return rows.map((row) => row.hash);
}

/** The cache entry of a session. */
export function sessionEntry(id: string): string {
  return `s:${id}`;
}

/** Makes every process reload the sessions and the keys of a person. */
export async function recordPersonChanges(tx: Connection, userPk: number): Promise<CacheChange[]> {
  const revision = await takeRevision(tx);
  // Answered by session_user_pk_idx and api_key_user_pk_idx.
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
