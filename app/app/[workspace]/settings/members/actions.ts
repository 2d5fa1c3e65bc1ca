"use server";

import { getLocale } from "next-intl/server";
import { revokeSharesOf } from "#lib/analytics/shares";
import { roles } from "#lib/tenancy/access/schema";
import {
  changeRole,
  type InviteResult,
  inviteMember,
  leaveWorkspace,
  type MemberOutcome,
  removeMember,
  revokeInvitation,
  transferOwnership,
} from "#lib/tenancy/members";
import { inviteBody } from "#lib/tenancy/members/schema";
import type { FormAnswer } from "../../../../../components/forms/form.tsx";
import { parseForm } from "../../../../form-data.ts";
import { refreshPages, runInWorkspace } from "../../../access.ts";

const errors = { not_found: "gone", last_owner: "lastOwner", owner_only: "ownerOnly" } as const;

function answerOutcome(slug: string, outcome: MemberOutcome): FormAnswer<null> {
  refreshPages(slug);
  return outcome.ok ? { ok: true, done: null } : { ok: false, form: errors[outcome.code] };
}

export async function inviteAction(
  slug: string,
  data: FormData,
): Promise<FormAnswer<InviteResult & { email: string }>> {
  const parsed = parseForm(data, inviteBody, { email: "emailInvalid" });
  if (!parsed.ok) return parsed;
  return await runInWorkspace(slug, async (scope) => {
    const invited = await inviteMember(scope, parsed.value, await getLocale());
    refreshPages(slug);
    return { ok: true, done: { ...invited, email: parsed.value.email ?? "" } };
  });
}

export async function revokeInvitationAction(slug: string, id: string): Promise<FormAnswer<null>> {
  return await runInWorkspace(slug, async (scope) => {
    await revokeInvitation(scope, String(id));
    refreshPages(slug);
    return { ok: true, done: null };
  });
}

export async function changeRoleAction(
  slug: string,
  userId: string,
  wanted: string,
): Promise<FormAnswer<null>> {
  const role = roles.find((one) => one === wanted);
  if (!role) return { ok: false, form: "unknown" };
  return await runInWorkspace(slug, async (scope) =>
    answerOutcome(slug, await changeRole(scope, String(userId), role)),
  );
}

/** `endShares`: the share links of the member end too. */
export async function removeMemberAction(
  slug: string,
  userId: string,
  endShares: boolean,
): Promise<FormAnswer<null>> {
  return await runInWorkspace(slug, async (scope) => {
    const outcome = await removeMember(scope, String(userId));
    // After the removal, which may be refused. Until then the member could create new ones.
    if (outcome.ok && endShares === true) await revokeSharesOf(scope, String(userId));
    return answerOutcome(slug, outcome);
  });
}

export async function transferAction(slug: string, userId: string): Promise<FormAnswer<null>> {
  return await runInWorkspace(slug, async (scope) =>
    answerOutcome(slug, await transferOwnership(scope, String(userId))),
  );
}

/** The pages are not refreshed: the person no longer has access. */
export async function leaveAction(slug: string): Promise<FormAnswer<null>> {
  return await runInWorkspace(slug, async (scope) => {
    const outcome = await leaveWorkspace(scope);
    return outcome.ok ? { ok: true, done: null } : { ok: false, form: errors[outcome.code] };
  });
}
