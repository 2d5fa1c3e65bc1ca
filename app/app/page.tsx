import { redirect } from "next/navigation";
import { listWorkspaces } from "#lib/tenancy/workspaces";
import { requireUser } from "./access.ts";

/** Opens the person’s first own workspace, or the form that creates one. */
export default async function DashboardPage() {
  const user = await requireUser();
  const first = (await listWorkspaces(user.id, user.ssoWorkspacePk)).find(({ demo }) => !demo);
  redirect(first ? `/app/${first.slug}/links` : "/app/new");
}
