import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { CampaignHead } from "#components/campaigns/campaign-head";
import { CampaignSteps } from "#components/campaigns/campaign-steps";
import { DestinationCheckDetail } from "#components/links/destination-check";
import { checksDestinations, getCampaignCheck } from "#lib/links/destination-checks";
import { neverChecked } from "#lib/links/destination-checks/schema";
import type { Campaign } from "#lib/outreach/campaigns/schema";
import { getSending } from "#lib/outreach/sending";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { Texts } from "../../../../pages.tsx";
import { checkCampaignAction, deleteCampaignAction } from "../actions.ts";
import { openCampaign } from "../open-campaign.ts";

const texts = [
  "campaigns.frame",
  "campaigns.states",
  "campaigns.drafts",
  "campaigns.steps",
  "destinationCheck",
];

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
    <Texts of={texts}>
      <CampaignHead
        workspace={workspace}
        campaign={{ id, name, kind, recipients }}
        state={state}
        createdAt={createdAt}
        check={<Check scope={scope} campaign={campaign} />}
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

interface CheckProps {
  scope: WorkspaceScope;
  campaign: Campaign;
}

async function Check({ scope, campaign: { id, checkDestination, recipients } }: CheckProps) {
  if (!checkDestination || recipients === 0 || !checksDestinations()) return null;
  const [t, check] = await Promise.all([
    getTranslations("destinationCheck"),
    getCampaignCheck(scope, id),
  ]);
  const mayAsk = scope.permissions.has("campaigns.write");
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 text-xs">
      <span className="text-ink-muted">{t("label")}</span>
      <DestinationCheckDetail
        check={check ?? neverChecked}
        checkAgain={mayAsk ? checkCampaignAction.bind(null, scope.slug, id) : null}
      />
    </div>
  );
}
