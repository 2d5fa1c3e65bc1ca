/** Keys of a person whom the sign-in provider of the workspace removed. Owners and admins resume them. */
import type { CacheChange } from "#lib/platform/cache-sync";
import { type Connection, sql } from "#lib/platform/postgres";
import { recordAudit } from "#lib/tenancy/audit";
import { recordKeyChanges } from "#lib/tenancy/key-changes";
import { notifyManagers } from "#lib/tenancy/notifications";

/** Call this in the transaction that ends the person’s session, and publish the changes. */
export async function pauseKeysOf(
  tx: Connection,
  workspacePk: number,
  userPk: number,
): Promise<CacheChange[]> {
  // Waits for keys that the session is creating: their transactions hold this lock.
  const person = await tx.one<{ name: string }>(
    // defence: key-made-while-leaving
    sql`SELECT name FROM app_user WHERE pk = ${userPk} FOR NO KEY UPDATE`,
  );
  // Uses api_key_user_pk_idx.
  const keys = await tx.query<{ id: string; name: string }>(sql`
    UPDATE api_key
    SET paused_at = now()
    WHERE workspace_pk = ${workspacePk}
      AND user_pk = ${userPk}
      AND revoked_at IS NULL
      AND paused_at IS NULL
    RETURNING id, name`);
  if (!person || keys.length === 0) return [];
  const entry = { workspacePk, actor: "system", action: "key.pause" } as const;
  await recordAudit(
    tx,
    keys.map(({ id, name }) => ({ ...entry, subject: id, details: { name } })),
  );
  const details = { name: person.name, keys: keys.length };
  await notifyManagers(tx, { workspacePk, kind: "key.paused", details });
  return await recordKeyChanges(tx, workspacePk, userPk);
}
