import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { CampaignCreator } from "#components/campaigns/campaign-editor";
import { CampaignSteps } from "#components/campaigns/campaign-steps";
import { LockBox } from "#components/plans/locked";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import { addAudienceBody } from "#lib/outreach/sources/schema";
import { includes } from "#lib/tenancy/plans";
import { type ListPageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope, requireUser } from "../../../access.ts";
import { createCampaignAction } from "../actions.ts";
import { openCampaign } from "../open-campaign.ts";
import { readSampleLinks } from "../sample-links.ts";
import { addAudienceAction } from "../source-actions.ts";

export const generateMetadata = titleOf("campaignForm.newTitle");

const texts = [
  "campaigns.steps",
  "campaignForm",
  "linkForm.folderWords",
  "linkForm.tagWords",
  "linkForm.utm",
  "namePicker",
];

export default async function NewCampaignPage({ params, searchParams }: ListPageOf<"workspace">) {
  const { workspace } = await params;
  const { from, audience } = await searchParams;
  const scope = await requireScope(workspace);
  if (!scope.permissions.has("campaigns.write")) notFound();
  const wanted = addAudienceBody.safeParse({ campaignId: from, audience });
  const [earlier, user, links, t, list] = await Promise.all([
    wanted.success ? openCampaign(workspace, wanted.data.campaignId) : undefined,
    requireUser(),
    readSampleLinks(scope),
    getTranslations("campaignForm"),
    getTranslations("campaigns.list"),
  ]);
  return (
    <Texts of={texts}>
      <BackLink href={`/app/${workspace}/campaigns`}>{list("heading")}</BackLink>
      <PageHead heading={t("newTitle")} note={t("newNote")} />
      <CampaignSteps workspace={workspace} />
      <LockBox capability="campaigns" className="mb-4" />
      {includes(scope, "campaigns") ? (
        <CampaignCreator
          workspace={workspace}
          owner={user.email}
          links={links}
          save={createCampaignAction.bind(null, workspace)}
          follows={
            earlier && wanted.data
              ? {
                  campaign: earlier.campaign,
                  audience: wanted.data.audience,
                  add: addAudienceAction.bind(null, workspace),
                }
              : undefined
          }
        />
      ) : null}
    </Texts>
  );
}
