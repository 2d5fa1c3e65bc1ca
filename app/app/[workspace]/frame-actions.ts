"use server";

import type { FormAnswer, FormFailure } from "#components/forms/form";
import type { CreatedLink } from "#components/links/link-creator";
import { createLinks, type LinkOutcome } from "#lib/links/creating";
import { createLinkBody } from "#lib/links/fields/schema";
import { claimPublicLinks } from "#lib/links/public-links";
import { listNotifications, markNotificationsRead } from "#lib/tenancy/notifications";
import type { Notification } from "#lib/tenancy/notifications/schema";
import { closeSteps } from "#lib/tenancy/onboarding";
import { getWorkspace } from "#lib/tenancy/workspaces";
import { action, nameArgument, plainAction } from "../../action.ts";
import { takePendingUrl } from "../../pending-url.ts";
import { findMakerSecret, forgetMakerSecret } from "../../public-link-cookie.ts";
import { firstLinksUsedUp, refusalOf } from "../../refusals.ts";
import { refreshPages, requireScope, runInWorkspace } from "../access.ts";

export const listNotificationsAction = plainAction(
  [nameArgument],
  [],
  async (slug): Promise<Notification[]> => {
    return await listNotifications(await requireScope(slug));
  },
);

export const markNotificationsReadAction = plainAction(
  [nameArgument],
  undefined,
  async (slug): Promise<void> => {
    await markNotificationsRead(await requireScope(slug));
  },
);

export const closeStepsAction = plainAction(
  [nameArgument],
  undefined,
  async (slug): Promise<void> => {
    await closeSteps(await requireScope(slug));
    refreshPages(slug);
  },
);

/**
 * Creates the link that was requested before signing in; null if there is none or another page
 * created it.
 */
export const createPendingLinkAction = action(
  [nameArgument],
  async (slug): Promise<FormAnswer<CreatedLink | null>> => {
    return await runInWorkspace(slug, async (scope) => {
      // In the demo, the link stays pending until the person has a workspace of their own.
      if ((await getWorkspace(scope)).demo) return { ok: true, done: null };
      const parsed = createLinkBody.pick({ url: true }).safeParse({ url: await takePendingUrl() });
      if (!parsed.success) return { ok: true, done: null };
      const options = { source: "dashboard", prefill: true } as const;
      const [outcome] = await createLinks(scope, [parsed.data], options);
      if (!outcome?.ok) return failureOf(outcome);
      refreshPages(slug);
      const { id, shortLink } = outcome.link;
      return { ok: true, done: { id, shortLink } };
    });
  },
);

export const claimLinksAction = action(
  [nameArgument],
  async (slug): Promise<FormAnswer<number>> => {
    return await runInWorkspace(slug, async (scope) => {
      const outcome = await claimPublicLinks(scope, (await findMakerSecret()) ?? "");
      if (!outcome.ok) return { ok: false, form: "planFull" };
      refreshPages(slug);
      return { ok: true, done: outcome.count };
    });
  },
);

/** The browser forgets its secret, so nobody can claim the links anymore. */
export const dismissClaimAction = action(
  [nameArgument],
  async (slug): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async () => {
      await forgetMakerSecret();
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);

function failureOf(outcome: Extract<LinkOutcome, { ok: false }> | undefined): FormFailure {
  if (outcome?.code === "destination_refused") {
    const { key, values } = refusalOf(outcome.details);
    return { ok: false, form: key, values };
  }
  if (outcome?.code === "first_links_used_up") return firstLinksUsedUp(outcome.details);
  const message = outcome?.code === "quota_used_up" ? "planFull" : "urlInvalid";
  return { ok: false, form: outcome?.code === "url_loops" ? "urlLoops" : message };
}
