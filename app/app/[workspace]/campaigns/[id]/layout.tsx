import type { Metadata } from "next";
import type { ReactNode } from "react";
import { CampaignHead } from "#components/campaigns/campaign-head";
import { CampaignTabsOfPath } from "#components/campaigns/tabs-of-path";
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
    <Texts of={["campaigns.frame", "campaigns.states"]}>
      <CampaignHead
        workspace={workspace}
        campaign={{ id, name, kind, recipients }}
        state={state}
        createdAt={createdAt}
        mayExport={scope.permissions.has("people.view")}
        remove={
          scope.permissions.has("campaigns.write")
            ? deleteCampaignAction.bind(null, workspace)
            : null
        }
      />
      <CampaignTabsOfPath workspace={workspace} id={id} />
      {children}
    </Texts>
  );
}
