import { redirect } from "next/navigation";
import { stepOf } from "#lib/outreach/campaign-overview/schema";
import { getSending } from "#lib/outreach/sending";
import type { PageOf } from "../../../../pages.tsx";
import { openCampaign } from "../open-campaign.ts";

/** Opens a campaign where it was left. */
export default async function CampaignPage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const { scope, campaign } = await openCampaign(workspace, id);
  const { state } = await getSending(scope, id);
  redirect(`/app/${workspace}/campaigns/${id}/${stepOf({ ...campaign, state })}`);
}
