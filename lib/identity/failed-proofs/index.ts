/** Counts failures in the audit log, and notifies owners whose password someone may know. */
import { tryLimit } from "#lib/platform/limits";
import { log } from "#lib/platform/log";
import { sendEmail } from "#lib/platform/mail";
import { query, sql, transaction } from "#lib/platform/postgres";
import { onClose } from "#lib/platform/processes";
import { currentOrigin, type RequestOrigin, recordRepeated } from "#lib/tenancy/audit";
import { addNotification } from "#lib/tenancy/notifications";

export type FailedProof =
  | "password"
  | "code_after_password"
  | "code_after_email"
  | "code_after_connected"
  | "password_in_session"
  | "code_in_session"
  /** Its counter went backwards, so there are two of it. */
  | "passkey_copied";

interface Owner {
  id: string;
  email: string;
  locale: string | null;
}

const writing = new Set<Promise<void>>();
let opened = false;

export function noteFailure(
  userPk: number,
  kind: FailedProof,
  given: Partial<RequestOrigin> = {},
): void {
  const origin = { ...(currentOrigin() ?? { address: "", agent: "" }), ...given };
  const done = record(userPk, kind, origin).catch((error: unknown) => {
    log.warn({ event: "failed_proof.not_written", error: String(error) });
  });
  writing.add(done);
  void done.then(() => writing.delete(done));
  if (opened) return;
  opened = true;
  onClose("failed proofs", failuresWritten);
}

export async function failuresWritten(): Promise<void> {
  while (writing.size > 0) await Promise.all(writing);
}

async function record(userPk: number, kind: FailedProof, origin: RequestOrigin): Promise<void> {
  // Uses app_user_pkey.
  const [user] = await query<Owner>(
    sql`SELECT id, email, locale FROM app_user WHERE pk = ${userPk}`,
  );
  if (!user) return;
  await transaction((tx) =>
    recordRepeated(tx, { action: "user.sign_in_failed", subject: user.id, kind, origin }),
  );
  // defence: owner-told-of-known-password
  if (kind === "code_after_password") await tellOwner(userPk, user);
  // defence: owner-told-of-copied-passkey
  if (kind === "passkey_copied" && (await tryLimit("wrongCodeAlert", String(userPk))).ok) {
    await sendEmail({ email: user.email, locale: user.locale ?? "en" }, "passkeyCopied", {});
  }
}

/** A few wrong codes a day are probably typos. Beyond that, the owner is notified once every few hours. */
async function tellOwner(userPk: number, { email, locale }: Owner): Promise<void> {
  if ((await tryLimit("wrongCodeMistyped", String(userPk))).ok) return;
  // defence: owner-told-once
  if (!(await tryLimit("wrongCodeAlert", String(userPk))).ok) return;
  await transaction(async (tx) => {
    // Uses membership_user_pk_idx.
    const workspaces = await tx.query<{ pk: number }>(
      sql`SELECT workspace_pk AS pk FROM membership WHERE user_pk = ${userPk} ORDER BY workspace_pk`,
    );
    for (const { pk: workspacePk } of workspaces) {
      await addNotification(tx, { workspacePk, userPk, kind: "account.wrong_codes" });
    }
  });
  await sendEmail({ email, locale: locale ?? "en" }, "wrongCodes", {});
}
