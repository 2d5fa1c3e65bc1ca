/** The state of the steps is queried, so that links created over the API count too. */
import { query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import type { WorkspaceScope } from "#lib/tenancy/access";

export const stepNames = ["link", "click", "share"] as const;
export type StepName = (typeof stepNames)[number];

export async function findSteps(
  scope: WorkspaceScope,
): Promise<Record<StepName, boolean> | undefined> {
  const { workspacePk, userPk } = scope;
  if (userPk === null || !scope.permissions.has("links.write")) return undefined;
  // Uses membership_pkey, and the indexes that start with workspace_pk.
  const [row] = await query<{ closed: boolean } & Record<StepName, boolean>>(sql`
    SELECT
      steps_closed_at IS NOT NULL OR (
        -- Nobody did what a demo contains.
        SELECT demo FROM workspace WHERE workspace.pk = ${workspacePk}
      ) AS closed,
      EXISTS (
        -- Root links of domains exist without a url.
        SELECT 1 FROM link WHERE link.workspace_pk = ${workspacePk} AND link.url <> ''
      ) AS link,
      EXISTS (
        SELECT 1 FROM link_stat WHERE link_stat.workspace_pk = ${workspacePk} AND clicks > 0
      ) AS click,
      EXISTS (SELECT 1 FROM invitation WHERE invitation.workspace_pk = ${workspacePk})
        OR (
          SELECT count(*) > 1 FROM membership WHERE membership.workspace_pk = ${workspacePk}
        ) AS share
    FROM membership
    WHERE workspace_pk = ${workspacePk}
      AND user_pk = ${userPk}`);
  if (!row || row.closed) return undefined;
  const { link, click, share } = row;
  return link && click && share ? undefined : { link, click, share };
}

export async function closeSteps({ workspacePk, userPk }: WorkspaceScope): Promise<void> {
  if (userPk === null) return;
  await prisma().membership.updateMany({
    where: { workspacePk, userPk },
    data: { stepsClosedAt: new Date() },
  });
}
