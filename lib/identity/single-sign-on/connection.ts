/**
 * What a provider asserted about an existing account that is not connected to it. The browser keeps it,
 * sealed, until the owner has signed in their own way.
 */
import { z } from "zod";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { clientOfProvider, findAddressProblem } from "#lib/identity/sso-providers";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { sendEmail } from "#lib/platform/mail";
import { type Connection, sql, transaction } from "#lib/platform/postgres";
import { seal, unseal } from "#lib/platform/sealing";
import { recordAudit } from "#lib/tenancy/audit";
import { withFreshProof } from "#lib/tenancy/live-actors";

const purpose = "sso-connection";
const minutes = 30;
const cookieCharsMax = 4_096;

const shape = z.object({
  provider: z.string(),
  subject: z.string(),
  email: z.string(),
  userPk: z.int(),
  endsAt: z.number(),
});
export type PendingConnection = Omit<z.output<typeof shape>, "endsAt">;

function cookieName(): string {
  return config().FUXI_URL.startsWith("https:") ? "__Host-fuxi-connect" : "fuxi-connect";
}

/** The `Set-Cookie` header. */
export function sealConnection(pending: PendingConnection, now = Date.now()): string {
  const plain = JSON.stringify({ ...pending, endsAt: now + minutes * 60_000 });
  const value = seal(purpose, Buffer.from(plain)).toString("base64url");
  const secure = config().FUXI_URL.startsWith("https:") ? "; Secure" : "";
  return `${cookieName()}=${value}; Path=/; Max-Age=${minutes * 60}; HttpOnly; SameSite=Lax${secure}`;
}

/** Undefined: none, forged or too old. */
export function openConnection(cookies: string, now = Date.now()): PendingConnection | undefined {
  const pair = cookies
    .split(";")
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${cookieName()}=`));
  const text = pair?.slice(cookieName().length + 1);
  if (text === undefined || text.length > cookieCharsMax) return undefined;
  try {
    const plain: unknown = JSON.parse(unseal(purpose, Buffer.from(text, "base64url")).toString());
    const { endsAt, ...pending } = shape.parse(plain);
    // defence: sso-connection-ends
    return now < endsAt ? pending : undefined;
  } catch {
    return undefined;
  }
}

export interface ConnectionOffer {
  provider: string;
  name: string;
  issuer: string;
  workspace: { name: string; slug: string };
}

/** What the owner is asked. Undefined: the provider was removed, or may no longer speak for the address. */
export async function findConnectionOffer(
  pending: PendingConnection,
): Promise<ConnectionOffer | undefined> {
  const opened = await clientOfProvider(pending.provider);
  if (!opened?.row) return undefined;
  const { name, issuer, workspaceName, workspaceSlug } = opened.row;
  const asserted = { email: pending.email, emailVerified: undefined };
  if (await findAddressProblem(opened.row, asserted)) return undefined;
  const workspace = { name: workspaceName, slug: workspaceSlug };
  return { provider: pending.provider, name, issuer, workspace };
}

/** Only in a session of the account itself, with a fresh proof. The owner gets an email. */
export async function connectAccount(
  user: SessionUser,
  pending: PendingConnection,
  locale: string,
): Promise<ConnectionOffer> {
  const offer = await findConnectionOffer(pending);
  // defence: sso-connect-own-session
  if (!offer || user.pk !== pending.userPk || user.ssoWorkspacePk !== null) {
    throw new AppError("not_found", "This connection is no longer possible.");
  }
  const { provider } = pending;
  const write = () =>
    transaction(async (tx) => {
      if (!(await insertIdentity(tx, pending))) return;
      const details = { provider };
      await recordAudit(tx, [
        { workspacePk: null, actor: user.id, action: "user.connect", details },
      ]);
    });
  await withFreshProof(user, write);
  const values = { workspace: offer.workspace.name };
  await sendEmail({ email: user.email, locale }, "connected", values).catch(() => undefined);
  return offer;
}

async function insertIdentity(
  tx: Connection,
  { provider, subject, userPk }: PendingConnection,
): Promise<boolean> {
  return await tx.any(sql`
    INSERT INTO identity (provider, subject, user_pk)
    VALUES (${provider}, ${subject}, ${userPk})
    ON CONFLICT DO NOTHING
    RETURNING user_pk`);
}
