import { BannedBanner } from "#components/trust/banned-banner";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { noticeTokenOf } from "#lib/tenancy/ban-recipients";
import { findActiveBan } from "#lib/tenancy/bans";

/** Why the workspace is banned, for its members; nothing otherwise. */
export async function Banned({ scope }: { scope: WorkspaceScope }) {
  const ban = scope.banned ? await findActiveBan("workspace", scope.workspaceId) : undefined;
  if (!ban) return null;
  const isOwner = scope.role === "owner" && scope.userId !== null;
  return (
    <BannedBanner
      reason={ban.note}
      appeal={isOwner ? `/appeal?token=${noticeTokenOf(ban.id, scope.userId)}` : null}
      exports={
        scope.permissions.has("workspace.export") ? `/app/${scope.slug}/settings/export` : null
      }
    />
  );
}
