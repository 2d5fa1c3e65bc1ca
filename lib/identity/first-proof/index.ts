/**
 * Anyone can sign up with somebody else's address. The first person who proves it is the owner, and
 * everything that could let the creator back in ends in the same transaction.
 *
 * Without mail, nobody could prove an address, so API keys from that time keep working, and the
 * owner decides whether to keep or revoke each.
 */
import { dropEmailTokens } from "#lib/identity/email-tokens";
import { dropFactor, dropUndos } from "#lib/identity/second-factor";
import { endSessions } from "#lib/identity/sessions";
import {
  type CacheChange,
  publishChanges,
  recordChanges,
  takeRevision,
} from "#lib/platform/cache-sync";
import { type Recipient, sendEmail } from "#lib/platform/mail";
import { type Connection, sql } from "#lib/platform/postgres";
import { recordAudit } from "#lib/tenancy/audit";
import { keyEntry } from "#lib/tenancy/key-changes";
import { addNotification } from "#lib/tenancy/notifications";

/** Gives an unproven account to the owner of its address, without its former credentials. */
export async function claimAccount(
  tx: Connection,
  { pk, id }: { pk: number; id: string },
): Promise<CacheChange[]> {
  await deleteCredentials(tx, pk);
  // defence: first-proof-ends-factor
  await dropFactor(tx, pk);
  await dropUndos(tx, pk);
  await dropEmailTokens(tx, pk);
  const ended = await endSessions(tx, pk, null);
  // defence: first-proof-ends-shares
  const shares = await deleteShares(tx, id);
  // defence: first-proof-ends-invitations
  const invitations = await deleteInvitations(tx, id);
  // defence: first-proof-ends-keys
  const keys = await revokeKeys(tx, pk);
  const revision = await takeRevision(tx);
  const stopped = keys.flat().map((hash) => ({ entry: keyEntry(hash), revision }));
  await recordChanges(tx, stopped);
  const details = {
    sessions: ended.length,
    keys: keys.length,
    keysToReview: await countUnprovenKeys(tx, pk),
    shares,
    invitations,
  };
  await recordAudit(tx, [
    { workspacePk: null, actor: id, action: "user.claim", subject: id, details },
  ]);
  for (const workspacePk of await listWorkspacePks(tx, pk)) {
    await addNotification(tx, { workspacePk, userPk: pk, kind: "account.claimed", details });
  }
  return [...ended, ...stopped];
}

/** Called after the commit: the account belongs to the owner even if no email is sent. */
export async function announceClaim(to: Recipient, changes: readonly CacheChange[]): Promise<void> {
  await publishChanges(changes);
  await sendEmail(to, "claimed", {}).catch(() => undefined);
}

async function deleteCredentials(tx: Connection, userPk: number): Promise<void> {
  await tx.query(sql`
    UPDATE app_user
    SET password_hash = NULL, email_proven_at = now()
    WHERE pk = ${userPk}`);
  // Uses identity_user_pk_idx.
  // defence: first-proof-ends-identities
  await tx.query(sql`DELETE FROM identity WHERE user_pk = ${userPk}`);
}

async function deleteShares(tx: Connection, userId: string): Promise<number> {
  // Uses share_made_by_idx.
  const rows = await tx.query(sql`DELETE FROM share WHERE made_by = ${userId} RETURNING pk`);
  return rows.length;
}

async function deleteInvitations(tx: Connection, userId: string): Promise<number> {
  // Uses invitation_invited_by_idx.
  const rows = await tx.query(
    sql`DELETE FROM invitation WHERE invited_by = ${userId} RETURNING id`,
  );
  return rows.length;
}

/** Keys from before mail was configured stay. Uses api_key_user_pk_idx. */
async function revokeKeys(tx: Connection, userPk: number): Promise<string[][]> {
  // Uses api_key_user_pk_idx.
  const rows = await tx.query<{ hashes: string[] }>(sql`
    UPDATE api_key
    SET revoked_at = now()
    WHERE user_pk = ${userPk}
      AND revoked_at IS NULL
      AND NOT unproven
    RETURNING array_remove(
      ARRAY[encode(hash, 'hex'), encode(previous_hash, 'hex')], NULL) AS hashes`);
  return rows.map(({ hashes }) => hashes);
}

async function countUnprovenKeys(tx: Connection, userPk: number): Promise<number> {
  // Uses api_key_user_pk_idx.
  const [row] = await tx.query<{ count: number }>(sql`
    SELECT count(*) AS count
    FROM api_key
    WHERE user_pk = ${userPk}
      AND revoked_at IS NULL
      AND unproven`);
  return row?.count ?? 0;
}

async function listWorkspacePks(tx: Connection, userPk: number): Promise<number[]> {
  // Uses membership_user_pk_idx.
  const rows = await tx.query<{ pk: number }>(
    sql`SELECT workspace_pk AS pk FROM membership WHERE user_pk = ${userPk} ORDER BY workspace_pk`,
  );
  return rows.map(({ pk }) => pk);
}
