"use server";

import { getLocale } from "next-intl/server";
import { z } from "zod";
import type { FormAnswer } from "#components/forms/form";
import { revokeSharesOf } from "#lib/analytics/shares";
import { camelOf } from "#lib/basics/variants/schema";
import { roles } from "#lib/tenancy/access/schema";
import * as verbs from "#lib/tenancy/members";
import { inviteBody } from "#lib/tenancy/members/schema";
import { action, formOf, nameArgument } from "../../../../action.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";
import { answerAction, changeAction, formAction } from "../../../workspace-action.ts";

function answerOutcome(slug: string, outcome: verbs.MemberOutcome): FormAnswer<null> {
  refreshPages(slug);
  return outcome.ok ? { ok: true, done: null } : { ok: false, form: camelOf(outcome.code) };
}

export const inviteAction = formAction(
  [formOf(inviteBody, { email: "emailInvalid" })],
  async (scope, fields): Promise<FormAnswer<verbs.InviteResult & { recipient: string }>> => {
    const invited = await verbs.inviteMember(scope, fields, await getLocale());
    return { ok: true, done: { ...invited, recipient: fields.email ?? "" } };
  },
);

export const revokeInvitationAction = changeAction([nameArgument], verbs.revokeInvitation);

export const changeRoleAction = action(
  [nameArgument, nameArgument, z.enum(roles)],
  async (slug, userId, role): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) =>
      answerOutcome(slug, await verbs.changeRole(scope, userId, role)),
    );
  },
);

/** `endShares` also ends the member’s share links. */
export const removeMemberAction = action(
  [nameArgument, nameArgument, z.boolean()],
  async (slug, userId, endShares): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      const outcome = await verbs.removeMember(scope, userId);
      // Only after the removal, because the member could create new ones until then.
      if (outcome.ok && endShares) await revokeSharesOf(scope, userId);
      return answerOutcome(slug, outcome);
    });
  },
);

export const transferAction = action(
  [nameArgument, nameArgument],
  async (slug, userId): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) =>
      answerOutcome(slug, await verbs.transferOwnership(scope, userId)),
    );
  },
);

/** The pages are not refreshed: the person no longer has access. */
export const leaveAction = answerAction([], async (scope): Promise<FormAnswer<null>> => {
  const outcome = await verbs.leaveWorkspace(scope);
  return outcome.ok ? { ok: true, done: null } : { ok: false, form: camelOf(outcome.code) };
});
