/** What the settings of the instance permit. With FUXI_SIGNUP=closed, invited people must not let in others. */
import { config, type PrivateNetwork } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { isFeatureOn } from "#lib/tenancy/features";

export async function isSignUpOpen(): Promise<boolean> {
  return config().FUXI_SIGNUP === "open" && (await isFeatureOn("signUp"));
}

export async function mayCreateWorkspaces(userId: string): Promise<boolean> {
  const { FUXI_WORKSPACES, FUXI_SIGNUP } = config();
  const creators = FUXI_WORKSPACES ?? (FUXI_SIGNUP === "open" ? "everyone" : "administrators");
  const isOpen = creators === "everyone" && (await isFeatureOn("workspaces"));
  return isOpen || (await isAdministrator(userId));
}

/** Whether the person may invite others to workspaces that they manage. */
export async function mayInvitePeople(userId: string | null): Promise<boolean> {
  if (config().FUXI_INVITATIONS === "workspaces") return true;
  return userId !== null && (await isAdministrator(userId));
}

async function isAdministrator(userId: string): Promise<boolean> {
  const row = await prisma().user.findUnique({
    where: { id: userId },
    select: { operator: true },
  });
  return row?.operator ?? false;
}

/** The private networks that the administrator has opened for SMS gateways, webhooks and the OpenID provider of the workspace. */
export async function privateNetworksOf(workspacePk: number): Promise<PrivateNetwork[]> {
  const opened = config().FUXI_PRIVATE_NETWORKS;
  if (opened.length === 0) return [];
  // Answered by workspace_pkey.
  const [row] = await query<{ id: string }>(
    sql`SELECT id FROM workspace WHERE pk = ${workspacePk}`,
  );
  // defence: networks-of-workspace
  return opened.filter(({ workspaceId }) => workspaceId === row?.id);
}
