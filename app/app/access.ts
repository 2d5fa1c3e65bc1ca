import { revalidatePath } from "next/cache";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { FormAnswer } from "#components/forms/form";
import { getRequestOrigin, getSessionUser } from "#lib/identity/auth";
import { endSession } from "#lib/identity/sessions";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { AppError } from "#lib/platform/errors";
import { findErrorKey } from "#lib/platform/messages";
import { openPublicDemo, type WorkspaceScope } from "#lib/tenancy/access";
import { withOrigin } from "#lib/tenancy/audit";
import { openWorkspace } from "#lib/tenancy/workspaces";
import { sessionOver, ssoRequired } from "#lib/tenancy/workspaces/schema";
import { unlessUnavailable } from "../store-unavailable.ts";

/** The signed-in user, by whatever; everyone else is sent to sign in and returns to `next`. */
export const requireUser = cache(async (next = "/app"): Promise<SessionUser> => {
  const user = await getSessionUser();
  return user ?? redirect(`/signin?next=${encodeURIComponent(next)}`);
});

/** For pages of the account itself, which a session of a workspace’s OpenID provider does not open. */
export const requireOwner = cache(async (next = "/app"): Promise<SessionUser> => {
  const user = await requireUser(next);
  // defence: account-pages-not-by-sso
  return user.ssoWorkspacePk === null ? user : redirect("/signin/own");
});

/** The person’s scope in a workspace. Workspaces of others look like pages that don’t exist. */
export const requireScope = cache(async (slug: string): Promise<WorkspaceScope> => {
  const user = await requireUser(`/app/${slug}`);
  const scope = await openWorkspace(user.id, slug, user.sessionId).catch(async (error: unknown) => {
    const problem = error instanceof AppError ? error.problem?.code : undefined;
    if (problem === ssoRequired) return redirect(`/signin/sso?workspace=${slug}`);
    if (problem !== sessionOver) throw error;
    // Otherwise the sign-in page would send the person back here.
    await endSession(user.sessionId);
    return redirect(`/signin?next=${encodeURIComponent(`/app/${slug}`)}`);
  });
  return scope ?? notFound();
});

/** For the few pages that visitors without an account may open in the public demo. All others call `requireScope`. */
export const requireReader = cache(async (slug: string): Promise<WorkspaceScope> => {
  const demo = await openPublicDemo(slug);
  return demo && !(await getSessionUser()) ? demo : await requireScope(slug);
});

/**
 * Refreshes all pages of a workspace. `refresh` of next/cache would keep prefetched ones, and the open page may be one of them.
 */
export function refreshPages(slug: string): void {
  revalidatePath(`/app/${slug}`, "layout");
}

/** All pages show the name of the account. */
export function refreshAccount(): void {
  revalidatePath("/app", "layout");
}

/** Runs an action in a workspace. Client errors become messages; all others are thrown and logged. */
export async function runInWorkspace<Done>(
  slug: string,
  run: (scope: WorkspaceScope) => Promise<FormAnswer<Done>>,
): Promise<FormAnswer<Done>> {
  return await runAsAnyone(async (user) => {
    const scope = await openWorkspace(user.id, slug, user.sessionId);
    return scope ? await run(scope) : { ok: false, form: "notFound" };
  });
}

/**
 * Runs an action of a user, on the account itself: a session of a workspace’s OpenID provider is refused. If the session has
 * ended, the result says so instead of redirecting, so that no input is lost: the page then lets them sign in in place.
 */
export async function runAsUser<Done>(
  run: (user: SessionUser) => Promise<FormAnswer<Done>>,
): Promise<FormAnswer<Done>> {
  return await runAsAnyone(async (user) => {
    // defence: account-actions-not-by-sso
    if (user.ssoWorkspacePk !== null) return { ok: false, form: "ssoSession" };
    return await run(user);
  });
}

/** For actions that change nothing outside the one workspace that a session may be limited to. */
export async function runAsAnyone<Done>(
  run: (user: SessionUser) => Promise<FormAnswer<Done>>,
): Promise<FormAnswer<Done>> {
  return await withMessages(async () => {
    const user = await getSessionUser();
    if (!user) return { ok: false, form: "unauthorized" };
    return await withOrigin(await getRequestOrigin(), () => run(user));
  });
}

async function withMessages<Done>(run: () => Promise<FormAnswer<Done>>): Promise<FormAnswer<Done>> {
  try {
    return await unlessUnavailable(run);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, problem } = error;
    const message = findErrorKey(problem?.code) ?? findErrorKey(code);
    if (!message) throw error;
    return { ok: false, form: message, values: problem?.params ?? {} };
  }
}
