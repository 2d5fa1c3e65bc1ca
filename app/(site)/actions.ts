"use server";

import type { FormAnswer } from "#components/forms/form";
import type { ShortenResult } from "#components/site/shorten-box";
import { getSessionUser, hasOwner } from "#lib/identity/auth";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { createLinks } from "#lib/links/creating";
import { createLinkBody } from "#lib/links/fields/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { isSignUpOpen } from "#lib/tenancy/instance-rules";
import { listWorkspaces, openWorkspace } from "#lib/tenancy/workspaces";
import { unlessBusy } from "../(auth)/busy.ts";
import { action, formOf } from "../action.ts";
import { storePendingUrl } from "../pending-url.ts";
import { firstLinksUsedUp, refusedField } from "../refusals.ts";

/** Creates a link at once for a signed-in user; otherwise the URL is stored in the browser until they sign in. */
export const shortenAction = action(
  [formOf(createLinkBody.pick({ url: true }), { url: "urlInvalid" })],
  async (fields): Promise<FormAnswer<ShortenResult>> => {
    const { url } = fields;
    return await unlessBusy(async () => {
      const user = await getSessionUser();
      const scope = user && (await findScope(user));
      if (scope) return await createIn(scope, url);
      if (!(await storePendingUrl(url))) return { ok: false, fields: { url: "urlLong" } };
      return { ok: true, done: { made: false, goTo: user ? "/app/new" : await signInPage() } };
    });
  },
);

/** The first workspace, other than the demo, in which the person may create links. */
async function findScope(user: SessionUser): Promise<WorkspaceScope | undefined> {
  const workspaces = await listWorkspaces(user.id);
  const first = workspaces.find(({ role, demo }) => role !== "viewer" && !demo);
  return first && (await openWorkspace(user.id, first.slug, user.sessionId));
}

async function signInPage(): Promise<string> {
  const open = (await isSignUpOpen()) || !(await hasOwner());
  return open ? "/signup" : "/signin";
}

async function createIn(scope: WorkspaceScope, url: string): Promise<FormAnswer<ShortenResult>> {
  const [outcome] = await createLinks(scope, [{ url }], { source: "dashboard", prefill: true });
  if (outcome?.ok) {
    const { shortLink } = outcome.link;
    return { ok: true, done: { made: true, shortLink, links: `/app/${scope.slug}/links` } };
  }
  if (outcome?.code === "destination_refused") return refusedField("url", outcome.details);
  if (outcome?.code === "url_loops") return { ok: false, fields: { url: "urlLoops" } };
  if (outcome?.code === "first_links_used_up") return firstLinksUsedUp(outcome.details);
  return { ok: false, form: outcome?.code === "quota_used_up" ? "planFull" : "unknown" };
}
