import { noteSsoException } from "#lib/identity/oidc-sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { findProviderFor, identityName } from "#lib/identity/sso-providers";
import { emailDomain } from "#lib/identity/sso-providers/schema";
import { AppError } from "#lib/platform/errors";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { transaction } from "#lib/platform/postgres";
import { recordAudit } from "#lib/tenancy/audit";
import { withFreshProof } from "#lib/tenancy/live-actors";
import { listWorkspaces } from "#lib/tenancy/workspaces";

interface SignInProvider {
  /** As next-auth names it. */
  provider: string;
  name: string;
  workspace: { pk: number; name: string; slug: string };
  required: boolean;
}

const slugShape = /^[a-z0-9-]{1,64}$/;

/**
 * The provider for a work email, its domain, or the URL of a workspace. Says no more than that an email
 * domain was proven: a workspace without one is not found, as one that does not exist.
 */
export async function findSignInProvider(
  text: string,
  address: string,
): Promise<{ ok: true; found: SignInProvider } | { ok: false; code: "sso_unknown" | "too_many" }> {
  const attempt = await tryLimit("ssoLookUpPerAddress", addressSubject(address));
  if (!attempt.ok) return { ok: false, code: "too_many" };
  const word = text.trim().toLowerCase();
  const host = emailDomain.safeParse(word.split("@").at(-1)).data;
  const slug = host === undefined && slugShape.test(word) ? word : undefined;
  const found = await findProvider(host, slug);
  if (!found) return { ok: false, code: "sso_unknown" };
  await attempt.refund();
  return { ok: true, found };
}

async function findProvider(host?: string, slug?: string): Promise<SignInProvider | undefined> {
  const row = await findProviderFor(host, slug);
  if (!row) return undefined;
  const workspace = { pk: row.workspacePk, name: row.workspaceName, slug: row.workspaceSlug };
  const { name, required } = row;
  return { provider: identityName(row.id), name, workspace, required };
}

/** For members of a workspace. `mayExcept`: they may open it without its provider although it is required. */
export async function findBlockingProvider(
  user: SessionUser,
  slug: string,
): Promise<(SignInProvider & { mayExcept: boolean }) | undefined> {
  const member = (await listWorkspaces(user.id, user.ssoWorkspacePk)).find(
    (one) => one.slug === slug,
  );
  const found = member && (await findProvider(undefined, slug));
  const mayExcept = member?.role === "owner" && user.ssoWorkspacePk === null;
  return found && { ...found, mayExcept: found.required && mayExcept };
}

/** Owners keep another way in, so that a broken provider locks nobody out for good. It is recorded. */
export async function openByException(user: SessionUser, slug: string): Promise<void> {
  const found = await findBlockingProvider(user, slug);
  // defence: sso-exception-owners-only
  if (!found?.mayExcept) {
    throw new AppError("not_found", "This workspace doesn’t exist.");
  }
  const { pk } = found.workspace;
  const write = async () =>
    await transaction(async (tx) => {
      await noteSsoException(tx, user.sessionId, pk);
      const entry = { workspacePk: pk, actor: user.id, action: "sso.bypass" } as const;
      await recordAudit(tx, [{ ...entry, details: { name: found.name } }]);
    });
  await withFreshProof(user, write);
}
