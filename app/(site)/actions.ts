"use server";

import { z } from "zod";
import type { FormAnswer, FormFailure } from "#components/forms/form";
import type { ShortenAnswer } from "#components/site/shorten-box";
import { getRequestAddress, getSessionUser, hasOwner } from "#lib/identity/auth";
import type { SessionUser } from "#lib/identity/sessions/schema";
import { createLinks, type LinkOutcome } from "#lib/links/creating";
import { createLinkBody } from "#lib/links/fields/schema";
import { isShortenerOn, makePublicLink, newChallenge } from "#lib/links/public-links";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { isSignUpOpen } from "#lib/tenancy/instance-rules";
import { listWorkspaces, openWorkspace } from "#lib/tenancy/workspaces";
import { unlessBusy } from "../(auth)/busy.ts";
import { action, formOf } from "../action.ts";
import { storePendingUrl } from "../pending-url.ts";
import { keepMakerSecret } from "../public-link-cookie.ts";
import { firstLinksUsedUp, refusedField } from "../refusals.ts";

const workCharsMax = 100;
const shortenForm = createLinkBody.pick({ url: true }).extend({
  work: z.string().max(workCharsMax).optional(),
  /** The browser cannot work for a link without an account. */
  later: z.literal("on").optional(),
});

/**
 * Creates a link at once for a signed-in user, and for others if this instance offers it. Otherwise the URL is stored in the
 * browser until they sign in.
 */
export const shortenAction = action(
  [formOf(shortenForm, { url: "urlInvalid" })],
  async ({ url, work, later }): Promise<FormAnswer<ShortenAnswer>> => {
    return await unlessBusy(async () => {
      const user = await getSessionUser();
      const scope = user && (await findScope(user));
      if (scope) return await createIn(scope, url);
      const answer = user || later ? undefined : await createPublicly(url, work);
      if (answer) return answer;
      if (!(await storePendingUrl(url))) return { ok: false, fields: { url: "urlLong" } };
      return { ok: true, done: { made: false, goTo: user ? "/app/new" : await signInPage() } };
    });
  },
);

/** The first workspace, other than the demo, in which the person may create links. */
async function findScope(user: SessionUser): Promise<WorkspaceScope | undefined> {
  const workspaces = await listWorkspaces(user.id, user.ssoWorkspacePk);
  const first = workspaces.find(({ role, demo }) => role !== "viewer" && !demo);
  return first && (await openWorkspace(user.id, first.slug, user.sessionId));
}

async function signInPage(): Promise<string> {
  const open = (await isSignUpOpen()) || !(await hasOwner());
  return open ? "/signup" : "/signin";
}

async function createIn(scope: WorkspaceScope, url: string): Promise<FormAnswer<ShortenAnswer>> {
  const [outcome] = await createLinks(scope, [{ url }], { source: "dashboard", prefill: true });
  if (outcome?.ok) {
    const { shortLink } = outcome.link;
    const next = `/app/${scope.slug}/links`;
    return { ok: true, done: { made: true, shortLink, way: "now", next } };
  }
  return refusalOf(outcome);
}

function refusalOf(outcome: Extract<LinkOutcome, { ok: false }> | undefined): FormFailure {
  if (outcome?.code === "destination_refused") return refusedField("url", outcome.details);
  if (outcome?.code === "url_loops") return { ok: false, fields: { url: "urlLoops" } };
  if (outcome?.code === "first_links_used_up") return firstLinksUsedUp(outcome.details);
  return { ok: false, form: outcome?.code === "quota_used_up" ? "planFull" : "unknown" };
}

/** Undefined: this instance creates no links without an account. */
async function createPublicly(
  url: string,
  work: string | undefined,
): Promise<FormAnswer<ShortenAnswer> | undefined> {
  if (!(await isShortenerOn())) return undefined;
  const address = await getRequestAddress();
  const challenge = newChallenge(url, address);
  if (work === undefined) return { ok: true, done: { made: false, challenge } };
  const outcome = await makePublicLink({ url, address, work, secret: await keepMakerSecret() });
  if (outcome.ok) {
    const { shortLink } = outcome.link;
    const next = await signInPage();
    return { ok: true, done: { made: true, shortLink, way: "publicly", next } };
  }
  if (outcome.code === "off") return undefined;
  if (outcome.code === "work_refused") return { ok: true, done: { made: false, challenge } };
  if (outcome.code === "too_many") return { ok: false, form: "publicLinksUsedUp" };
  return refusalOf(outcome);
}
