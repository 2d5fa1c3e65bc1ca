import { DemoOutbox } from "#components/campaigns/demo-outbox";
import { GatewayManager } from "#components/campaigns/gateway-manager";
import { listDemoMessages } from "#lib/outreach/demo-outbox";
import { listGateways, listOpenCampaigns } from "#lib/outreach/gateway-accounts";
import { isFeatureOn } from "#lib/tenancy/features";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { FeatureNote } from "../../feature-note.tsx";
import * as actions from "./actions.ts";

export const generateMetadata = titleOf("gateways.heading");

export default async function GatewaysPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const [gateways, campaigns, outbox, isOn] = await Promise.all([
    listGateways(scope),
    listOpenCampaigns(scope),
    listDemoMessages(scope),
    isFeatureOn("sending"),
  ]);
  const mayEdit = scope.permissions.has("workspace.write");
  return (
    <Texts of={["gateways"]}>
      {isOn ? null : <FeatureNote />}
      <GatewayManager
        gateways={gateways}
        campaigns={campaigns}
        base={`/app/${workspace}/campaigns`}
        isDemo={outbox !== undefined}
        check={
          scope.permissions.has("campaigns.write")
            ? actions.checkGatewayAction.bind(null, workspace)
            : null
        }
        change={
          mayEdit
            ? {
                create: actions.createGatewayAction.bind(null, workspace),
                edit: actions.editGatewayAction.bind(null, workspace),
                renewReceiptUrl: actions.renewReceiptUrlAction.bind(null, workspace),
                remove: actions.deleteGatewayAction.bind(null, workspace),
              }
            : null
        }
      />
      {outbox ? <DemoOutbox messages={outbox} /> : null}
    </Texts>
  );
}
