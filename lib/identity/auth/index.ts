/** People and keys: who is asking, and how they prove it. */

import { adoptApiKey } from "#lib/identity/api-keys";
import { userOfCookie } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { adoptDemo, createWorkspace, listWorkspaces, openWorkspace } from "#lib/tenancy/workspaces";
import { makeAccount } from "./people.ts";
import { emailAddress } from "./schema.ts";
import { anyUser, findUserByEmail } from "./store.ts";

export { authOptions, ownAddress } from "./next.ts";
export { signIn, signInByLetter, signInElsewhere, signUp } from "./people.ts";
export { sites } from "./providers.ts";

/** True once somebody runs this installation; until then the first page makes the owner. */
export function hasOwner(): Promise<boolean> {
  return anyUser();
}

/** Who is signed in, for pages and actions. */
export async function getSessionUser(): Promise<SessionUser | undefined> {
  return userOfCookie((await requestHeaders()).get("cookie") ?? undefined);
}

/** The visitor's address, for pages and actions: the front has replaced what the client claimed. */
export async function getRequestAddress(): Promise<string> {
  return (await requestHeaders()).get("x-forwarded-for") ?? "";
}

/** From where the request of a page or an action comes, for the audit. */
export async function getRequestOrigin(): Promise<{ address: string; agent: string }> {
  const headers = await requestHeaders();
  return {
    address: headers.get("x-forwarded-for") ?? "",
    agent: headers.get("user-agent") ?? "",
  };
}

/** Imported late: the front enters this room too, and must not load Next.js. */
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
 * First start without a browser: the owner, their workspace, their API key. Every step is done once, however often this
 * runs; an installation that belongs to somebody else is left alone, and false is answered.
 */
export async function setUpOwner({ password, apiKey, ...owner }: Owner): Promise<boolean> {
  const email = emailAddress.parse(owner.email);
  await makeAccount({ name: email.split("@")[0] ?? email, email, password }, false);
  const user = await findUserByEmail(email);
  if (!user) return false;
  const slug = (await listWorkspaces(user.id))[0]?.slug ?? (await makeFirstWorkspace(user.id));
  const scope = await openWorkspace(user.id, slug);
  if (scope && apiKey !== undefined) await adoptApiKey(scope, apiKey);
  // Last, because the first workspace that somebody joined is where the dashboard begins.
  await adoptDemo(user.id);
  return true;
}

const firstSlug = "my-workspace";
const slugTriesMax = 100;

async function makeFirstWorkspace(userId: string): Promise<string> {
  for (let tries = 1; tries <= slugTriesMax; tries++) {
    const slug = tries === 1 ? firstSlug : `${firstSlug}-${tries}`;
    const made = await createWorkspace(userId, { name: "My workspace", slug });
    if (made.ok) return made.workspace.slug;
  }
  throw new Error(`All slugs from ${firstSlug} to ${firstSlug}-${slugTriesMax} are taken`);
}
