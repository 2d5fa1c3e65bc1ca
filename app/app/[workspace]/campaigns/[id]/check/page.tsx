import { CheckView } from "#components/campaigns/check-view";
import { DemoOutbox } from "#components/campaigns/demo-outbox";
import { LockBox } from "#components/plans/locked";
import { findDomain } from "#lib/links/hosts";
import { isStartable } from "#lib/outreach/campaign-overview/schema";
import { getCampaignStatus, listRecipients } from "#lib/outreach/campaigns";
import { type Campaign, listRecipientsQuery } from "#lib/outreach/campaigns/schema";
import { listDemoMessages } from "#lib/outreach/demo-outbox";
import { listGateways } from "#lib/outreach/gateway-accounts";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { isFeatureOn } from "#lib/tenancy/features";
import { includes } from "#lib/tenancy/plans";
import { type PageOf, Texts, titleOf } from "../../../../../pages.tsx";
import { FeatureNote } from "../../../feature-note.tsx";
import { openCampaign } from "../../open-campaign.ts";
import { sendTestAction, startSendingAction, tryStartAction } from "../sending-actions.ts";

export const generateMetadata = titleOf("sending.checkTitle");

/** The texts of these recipients are read until one can be shown: others have opted out or lost their link. */
const samplesRead = 20;
const texts = [
  "sending",
  "recipients",
  "linkForm.presets",
  "gateways.outbox",
  "campaignForm.preview",
  "campaignForm.problems",
  "campaigns.messages",
];

export default async function CheckPage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const { scope, campaign } = await openCampaign(workspace, id);
  const samples = listRecipientsQuery.parse({ status: "ready", pageSize: samplesRead });
  const [status, recipients, gateways, isOn, host, outbox] = await Promise.all([
    getCampaignStatus(scope, id),
    listRecipients(scope, id, samples),
    listGateways(scope),
    isFeatureOn("sending"),
    hostOf(scope, campaign),
    listDemoMessages(scope),
  ]);
  const mayWrite = scope.permissions.has("campaigns.write");
  return (
    <Texts of={texts}>
      {isOn ? null : <FeatureNote />}
      <LockBox capability="campaigns" className="mb-4" />
      <CheckView
        workspace={workspace}
        campaign={campaign}
        status={status}
        sample={recipients.find(({ text }) => text !== null)}
        gateways={gateways}
        host={host}
        zone={scope.zone}
        isOn={isOn && includes(scope, "campaigns")}
        mayView={scope.permissions.has("people.view")}
        actions={
          mayWrite && isStartable(status)
            ? {
                tryStart: tryStartAction.bind(null, workspace, id),
                start: startSendingAction.bind(null, workspace, id),
                test: sendTestAction.bind(null, workspace, id),
              }
            : null
        }
      />
      {outbox ? <DemoOutbox messages={outbox} /> : null}
    </Texts>
  );
}

/** The host of the links, which is fixed text in the template of a gateway. */
async function hostOf(scope: WorkspaceScope, { link }: Campaign): Promise<string | null> {
  const { domain } = link;
  return (await findDomain(scope, typeof domain === "string" ? domain : undefined))?.slug ?? null;
}
