/** Authentication: people and API keys. */

import { adoptApiKey } from "#lib/identity/api-keys";
import { userOfCookie } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { claimDemo, listWorkspaces, openWorkspace, setUpWorkspace } from "#lib/tenancy/workspaces";
import { createAccount } from "./people.ts";
import { emailAddress } from "./schema.ts";
import { anyUser, findUserByEmail } from "./store.ts";

export { authOptions, ownUrl } from "./next.ts";
export { signInWithOAuth } from "./oauth.ts";
export { checkCredentials, signInByEmail, signUp } from "./people.ts";
export { oauthSites } from "./providers.ts";

/** True once the instance has an owner; until then the first page creates one. */
export function hasOwner(): Promise<boolean> {
  return anyUser();
}

/** The signed-in user, for pages and actions. */
export async function getSessionUser(): Promise<SessionUser | undefined> {
  return userOfCookie(await getRequestCookies());
}

/** The visitor's address, for pages and actions: the front has replaced the client's claim. */
export async function getRequestAddress(): Promise<string> {
  return (await requestHeaders()).get("x-forwarded-for") ?? "";
}

/** The Cookie header, for pages and actions. */
export async function getRequestCookies(): Promise<string> {
  return (await requestHeaders()).get("cookie") ?? "";
}

/** The host that the browser came by, for pages: a claim of the client. */
export async function getRequestHost(): Promise<string> {
  return (await requestHeaders()).get("host") ?? "";
}

/** The origin of a page or action request, for the audit log. */
export async function getRequestOrigin(): Promise<{ address: string; agent: string }> {
  const headers = await requestHeaders();
  return {
    address: headers.get("x-forwarded-for") ?? "",
    agent: headers.get("user-agent") ?? "",
  };
}

/** Imported lazily: the front uses this module too, and must not load Next.js. */
async function requestHeaders(): Promise<Headers> {
  const { headers } = await import("next/headers");
  return headers();
}

interface Owner {
  email: string;
  password: string;
  apiKey: string | undefined;
}

/**
 * First start without a browser: the owner, their workspace, their API key. Every step happens once, however often this
 * runs; an instance with another owner is left unchanged, and the result is false.
 */
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
