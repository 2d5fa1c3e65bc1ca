/**
 * The link in the email about a changed second factor. It signs nobody in: it restores the factor and ends all sessions,
 * and its owner then signs in or resets the password.
 */
import { findUndo, restoreFactor } from "#lib/identity/second-factor";
import { endSessions } from "#lib/identity/sessions";
import { publishChanges } from "#lib/platform/cache-sync";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { transaction } from "#lib/platform/postgres";
import { recordAudit } from "#lib/tenancy/audit";

export async function undoFactorChange(
  token: string,
  address: string,
): Promise<{ ok: true } | { ok: false; code: "expired" | "too_many" }> {
  // Tokens cannot be guessed, so only failures count: others behind the same address cannot end an emailed link.
  const userPk = await findUndo(token);
  if (userPk === undefined) {
    const guess = await tryLimit("proofPerAddress", addressSubject(address));
    return { ok: false, code: guess.ok ? "expired" : "too_many" };
  }
  const changes = await transaction(async (tx) => {
    const id = await restoreFactor(tx, userPk, token);
    if (id === undefined) return undefined;
    await recordAudit(tx, [
      { workspacePk: null, actor: id, action: "user.factor_undo", subject: id },
    ]);
    // defence: factor-undo-ends-sessions
    return await endSessions(tx, userPk, null);
  });
  if (!changes) return { ok: false, code: "expired" };
  await publishChanges(changes);
  return { ok: true };
}
