import type { Metadata } from "next";
import type { ReactNode } from "react";
import { CampaignHead } from "#components/campaigns/campaign-head";
import { CampaignSteps } from "#components/campaigns/campaign-steps";
import { getSending } from "#lib/outreach/sending";
import { Texts } from "../../../../pages.tsx";
import { deleteCampaignAction } from "../actions.ts";
import { openCampaign } from "../open-campaign.ts";

interface CampaignLayoutProps {
  params: Promise<{ workspace: string; id: string }>;
  children: ReactNode;
}

export async function generateMetadata({ params }: CampaignLayoutProps): Promise<Metadata> {
  const { workspace, id } = await params;
  const { campaign } = await openCampaign(workspace, id);
  return { title: campaign.name };
}

export default async function CampaignLayout({ params, children }: CampaignLayoutProps) {
  const { workspace, id } = await params;
  const { scope, campaign } = await openCampaign(workspace, id);
  const { state } = await getSending(scope, id);
  const { name, kind, recipients, createdAt } = campaign;
  return (
    <Texts of={["campaigns.frame", "campaigns.states", "campaigns.drafts", "campaigns.steps"]}>
      <CampaignHead
        workspace={workspace}
        campaign={{ id, name, kind, recipients }}
        state={state}
        createdAt={createdAt}
        remove={
          scope.permissions.has("campaigns.write")
            ? deleteCampaignAction.bind(null, workspace)
            : null
        }
      />
      <CampaignSteps workspace={workspace} campaign={{ id, state, recipients }} />
      {children}
    </Texts>
  );
}
