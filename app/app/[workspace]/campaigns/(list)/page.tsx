import { MessageSquareText } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { CampaignList } from "#components/campaigns/campaign-list";
import { Pager } from "#components/links/pager";
import { EmptyState } from "#components/ui/empty-state";
import { listCampaignOverview } from "#lib/outreach/campaign-overview";
import { campaignStates } from "#lib/outreach/campaign-overview/schema";
import { isFeatureOn } from "#lib/tenancy/features";
import { type ListPageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { FeatureNote } from "../../feature-note.tsx";
import { neighborPages, parseListing, readPage } from "../../listing.ts";

export const generateMetadata = titleOf("campaigns.list.heading");

export default async function CampaignsPage({ params, searchParams }: ListPageOf<"workspace">) {
  const { workspace: slug } = await params;
  const query = await searchParams;
  const listing = parseListing(query);
  const scope = await requireScope(slug);
  const t = await getTranslations("campaigns.list");
  if (!scope.permissions.has("campaigns.read")) {
    return (
      <EmptyState icon={<MessageSquareText aria-hidden />} title={t("heading")} wholePage>
        {t("notYours")}
      </EmptyState>
    );
  }
  const state = campaignStates.find((one) => one === query["state"]);
  const [{ rows, found }, isOn] = await Promise.all([
    readPage(listing, (page) => listCampaignOverview(scope, { ...page, state })),
    isFeatureOn("sending"),
  ]);
  const path = `/app/${slug}/campaigns`;
  return (
    <Texts of={["campaigns.list", "campaigns.states", "campaigns.drafts", "campaigns.messages"]}>
      {isOn ? null : <FeatureNote />}
      <CampaignList
        path={path}
        campaigns={rows}
        search={listing.search}
        state={state}
        mayWrite={scope.permissions.has("campaigns.write")}
      />
      <div className="mt-4 flex">
        <Pager {...neighborPages(path, listing, found, state ? { state } : {})} />
      </div>
    </Texts>
  );
}
