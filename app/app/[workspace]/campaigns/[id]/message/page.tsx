import { CampaignEditor } from "#components/campaigns/campaign-editor";
import { MessageFacts } from "#components/campaigns/message-facts";
import { type PageOf, Texts } from "../../../../../pages.tsx";
import { requireUser } from "../../../../access.ts";
import { editCampaignAction } from "../../actions.ts";
import { openCampaign } from "../../open-campaign.ts";
import { readSampleLinks } from "../../sample-links.ts";

const texts = [
  "campaignForm",
  "linkForm.folderWords",
  "linkForm.tagWords",
  "linkForm.utm",
  "namePicker",
];

export default async function MessagePage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const { scope, campaign } = await openCampaign(workspace, id);
  const [user, links] = await Promise.all([requireUser(), readSampleLinks(scope)]);
  const mayWrite = scope.permissions.has("campaigns.write");
  return (
    <Texts of={texts}>
      {mayWrite ? (
        <CampaignEditor
          // After saving, the form starts again from the saved fields.
          key={JSON.stringify(campaign)}
          workspace={workspace}
          owner={user.email}
          links={links}
          save={editCampaignAction.bind(null, workspace)}
          campaign={campaign}
        />
      ) : null}
      {mayWrite && campaign.lastAddedAt === null ? null : (
        <MessageFacts campaign={campaign} links={links} isWriter={mayWrite} />
      )}
    </Texts>
  );
}
