"use server";

import { getLocale } from "next-intl/server";
import { roles } from "#lib/tenancy/access/schema";
import {
  changeRole,
  type Invited,
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
import { answerIn, renewPages } from "../../../seat.ts";

const refusals = { not_found: "gone", last_owner: "lastOwner", owner_only: "ownerOnly" } as const;

function answer(slug: string, outcome: MemberOutcome): FormAnswer<null> {
  renewPages(slug);
  return outcome.ok ? { ok: true, done: null } : { ok: false, form: refusals[outcome.code] };
}

export async function inviteAction(
  slug: string,
  data: FormData,
): Promise<FormAnswer<Invited & { email: string }>> {
  const parsed = parseForm(data, inviteBody, { email: "emailInvalid" });
  if (!parsed.ok) return parsed;
  return await answerIn(slug, async (scope) => {
    const invited = await inviteMember(scope, parsed.value, await getLocale());
    renewPages(slug);
    return { ok: true, done: { ...invited, email: parsed.value.email ?? "" } };
  });
}

export async function revokeInvitationAction(slug: string, id: string): Promise<FormAnswer<null>> {
  return await answerIn(slug, async (scope) => {
    await revokeInvitation(scope, String(id));
    renewPages(slug);
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
  return await answerIn(slug, async (scope) =>
    answer(slug, await changeRole(scope, String(userId), role)),
  );
}

export async function removeMemberAction(slug: string, userId: string): Promise<FormAnswer<null>> {
  return await answerIn(slug, async (scope) =>
    answer(slug, await removeMember(scope, String(userId))),
  );
}

export async function transferAction(slug: string, userId: string): Promise<FormAnswer<null>> {
  return await answerIn(slug, async (scope) =>
    answer(slug, await transferOwnership(scope, String(userId))),
  );
}

/** The pages are not refreshed: the person no longer has access. */
export async function leaveAction(slug: string): Promise<FormAnswer<null>> {
  return await answerIn(slug, async (scope) => {
    const outcome = await leaveWorkspace(scope);
    return outcome.ok ? { ok: true, done: null } : { ok: false, form: refusals[outcome.code] };
  });
}
