import { redirect } from "next/navigation";
import { DemoOutbox } from "#components/campaigns/demo-outbox";
import { SendView } from "#components/campaigns/send-view";
import { getCampaignStatus } from "#lib/outreach/campaigns";
import { listDemoMessages } from "#lib/outreach/demo-outbox";
import { listGateways } from "#lib/outreach/gateway-accounts";
import { listSends } from "#lib/outreach/sending";
import { listSendsQuery } from "#lib/outreach/sending/schema";
import { isFeatureOn } from "#lib/tenancy/features";
import { includes } from "#lib/tenancy/plans";
import { type PageOf, Texts, titleOf } from "../../../../../pages.tsx";
import { FeatureNote } from "../../../feature-note.tsx";
import { openCampaign } from "../../open-campaign.ts";
import {
  cancelSendingAction,
  pauseSendingAction,
  resumeSendingAction,
  settleSendsAction,
} from "../sending-actions.ts";

export const generateMetadata = titleOf("sending.title");

export default async function SendPage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const { scope } = await openCampaign(workspace, id);
  const unknownQuery = listSendsQuery.parse({ state: "unknown" });
  const [status, gateways, isOn, unknown, outbox] = await Promise.all([
    getCampaignStatus(scope, id),
    listGateways(scope),
    isFeatureOn("sending"),
    listSends(scope, id, unknownQuery),
    listDemoMessages(scope),
  ]);
  const path = `/app/${workspace}/campaigns/${id}`;
  if (status.sending.state === "draft") redirect(path);
  return (
    <Texts of={["sending", "gateways.outbox", "campaigns.messages", "recipients"]}>
      {isOn ? null : <FeatureNote />}
      <SendView
        workspace={workspace}
        id={id}
        checkPath={`${path}/check`}
        status={status}
        gateways={gateways}
        unknown={unknown}
        zone={scope.zone}
        isOn={isOn && includes(scope, "campaigns")}
        actions={
          scope.permissions.has("campaigns.write")
            ? {
                pause: pauseSendingAction.bind(null, workspace, id),
                resume: resumeSendingAction.bind(null, workspace, id),
                cancel: cancelSendingAction.bind(null, workspace, id),
                settle: settleSendsAction.bind(null, workspace, id),
              }
            : null
        }
      />
      {outbox ? <DemoOutbox messages={outbox} /> : null}
    </Texts>
  );
}
