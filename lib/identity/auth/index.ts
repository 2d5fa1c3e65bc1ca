import { adoptApiKey } from "#lib/identity/api-keys";
import { userOfCookie } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { claimDemo, listWorkspaces, openWorkspace, setUpWorkspace } from "#lib/tenancy/workspaces";
import { createAccount } from "./people.ts";
import { emailAddress } from "./schema.ts";
import { anyUser, findUserByEmail } from "./store.ts";

export { authOptions, ownUrl } from "./next.ts";
export { signInWithOAuth } from "./oauth.ts";
export { openOidcAttempt } from "./oidc.ts";
export { checkCredentials, signInByEmail, signUp } from "./people.ts";
export { oauthSites } from "./providers.ts";

export function hasOwner(): Promise<boolean> {
  return anyUser();
}

export async function getSessionUser(): Promise<SessionUser | undefined> {
  return userOfCookie(await getRequestCookies());
}

/** For pages and actions. Can be trusted, because the front replaces what the client sent. */
export async function getRequestAddress(): Promise<string> {
  return (await requestHeaders()).get("x-forwarded-for") ?? "";
}

export async function getRequestCookies(): Promise<string> {
  return (await requestHeaders()).get("cookie") ?? "";
}

/** For pages. Can’t be trusted, because the client sent it. */
export async function getRequestHost(): Promise<string> {
  return (await requestHeaders()).get("host") ?? "";
}

export async function getRequestOrigin(): Promise<{ address: string; agent: string }> {
  const headers = await requestHeaders();
  return {
    address: headers.get("x-forwarded-for") ?? "",
    agent: headers.get("user-agent") ?? "",
  };
}

/** Imported lazily, because the front uses this module too and must not load Next.js. */
async function requestHeaders(): Promise<Headers> {
  const { headers } = await import("next/headers");
  return headers();
}

interface Owner {
  email: string;
  password: string;
  apiKey: string | undefined;
}

/** Safe to repeat: every step happens once. False: the instance has another owner, and stays unchanged. */
export async function setUpOwner({ password, apiKey, ...owner }: Owner): Promise<boolean> {
  const email = emailAddress.parse(owner.email);
  await createAccount({ name: email.split("@")[0] ?? email, email, password }, false);
  const user = await findUserByEmail(email);
  if (!user) return false;
  // defence: demo-spares-workspaces
  const own = (await listWorkspaces(user.id)).find(({ demo }) => !demo);
  const slug = own?.slug ?? (await makeFirstWorkspace(user.id));
  const scope = await openWorkspace(user.id, slug);
  if (scope && apiKey !== undefined) await adoptApiKey(scope, apiKey);
  await claimDemo(user.id);
  return true;
}

const firstSlug = "my-workspace";
const slugTriesMax = 100;

async function makeFirstWorkspace(userId: string): Promise<string> {
  for (let tries = 1; tries <= slugTriesMax; tries++) {
    const slug = tries === 1 ? firstSlug : `${firstSlug}-${tries}`;
    const created = await setUpWorkspace(userId, { name: "My workspace", slug });
    if (created.ok) return created.workspace.slug;
  }
  throw new Error(`All slugs from ${firstSlug} to ${firstSlug}-${slugTriesMax} are taken`);
}
