/**
 * The first proof of an email address.
 *
 * Anyone can sign up with an address that is not theirs. The person who proves it first, by an emailed link or with a connected
 * account, is the owner, and everything that could let the creator of the account back in ends in the same transaction:
 * password, sessions, connected accounts, second factor, email tokens, API keys, share links and invitations. The
 * workspaces stay, and the owner is told.
 *
 * Where mail was not configured, no address could be proved, so API keys of that time may be in production. They go
 * on working, and the owner keeps or revokes each.
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
import type { Connection } from "#lib/platform/postgres";
import { recordAudit } from "#lib/tenancy/audit";
import { keyEntry } from "#lib/tenancy/key-changes";
import { addNotification } from "#lib/tenancy/notifications";
import {
  countUnprovenKeys,
  deleteCredentials,
  deleteInvitations,
  deleteShares,
  listWorkspacePks,
  revokeKeys,
} from "./store.ts";

/**
 * Gives an unproven account, whose row the transaction has locked, to the owner of its address. Afterwards it has no
 * credentials but those that the caller adds.
 */
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

/** After the commit: makes the changes known, and tells the owner. The account is theirs whether or not it is sent. */
export async function announceClaim(to: Recipient, changes: readonly CacheChange[]): Promise<void> {
  await publishChanges(changes);
  await sendEmail(to, "claimed", {}).catch(() => undefined);
}
