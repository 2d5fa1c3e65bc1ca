import { MemberManager } from "#components/members/member-manager";
import { mayInvitePeople } from "#lib/tenancy/instance-rules";
import { listInvitations, listMembers } from "#lib/tenancy/members";
import { getWorkspace } from "#lib/tenancy/workspaces";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope, requireUser } from "../../../access.ts";
import { QuotaNote } from "../../quota-note.tsx";
import {
  changeRoleAction,
  inviteAction,
  leaveAction,
  removeMemberAction,
  revokeInvitationAction,
  transferAction,
} from "./actions.ts";

export const generateMetadata = titleOf("members.title");

export default async function MembersPage({ params }: PageOf<"workspace">) {
  const { workspace: slug } = await params;
  const scope = await requireScope(slug);
  const user = await requireUser();
  const manages = scope.permissions.has("members.write");
  const [workspace, members, invitations, invites] = await Promise.all([
    getWorkspace(scope),
    listMembers(scope),
    manages ? listInvitations(scope) : [],
    manages && mayInvitePeople(user.id),
  ]);
  return (
    <Texts of={["members"]}>
      <QuotaNote scope={scope} name="members" />
      <MemberManager
        workspace={workspace.name}
        self={{ id: user.id, role: scope.role, manages, invites }}
        members={members}
        invitations={invitations}
        actions={{
          invite: inviteAction.bind(null, slug),
          revoke: revokeInvitationAction.bind(null, slug),
          changeRole: changeRoleAction.bind(null, slug),
          remove: removeMemberAction.bind(null, slug),
          transfer: transferAction.bind(null, slug),
          leave: leaveAction.bind(null, slug),
        }}
      />
    </Texts>
  );
}
