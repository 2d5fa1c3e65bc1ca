import { notFound } from "next/navigation";
import { DemoOutbox } from "#components/campaigns/demo-outbox";
import { SendView } from "#components/campaigns/send-view";
import { LockBox } from "#components/plans/locked";
import { findDomain } from "#lib/links/hosts";
import { getCampaign, getCampaignStatus } from "#lib/outreach/campaigns";
import type { Campaign } from "#lib/outreach/campaigns/schema";
import { listDemoMessages } from "#lib/outreach/demo-outbox";
import { listGateways } from "#lib/outreach/gateway-accounts";
import { listSends } from "#lib/outreach/sending";
import { listSendsQuery } from "#lib/outreach/sending/schema";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { isFeatureOn } from "#lib/tenancy/features";
import { includes } from "#lib/tenancy/plans";
import { type PageOf, Texts, titleOf } from "../../../../../pages.tsx";
import { requireScope } from "../../../../access.ts";
import { FeatureNote } from "../../../feature-note.tsx";
import {
  cancelSendingAction,
  pauseSendingAction,
  resumeSendingAction,
  sendTestAction,
  settleSendsAction,
  startSendingAction,
  tryStartAction,
} from "./actions.ts";

export const generateMetadata = titleOf("sending.title");

export default async function SendPage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const scope = await requireScope(workspace);
  const campaign = await getCampaign(scope, id).catch(missing);
  const unknownQuery = listSendsQuery.parse({ state: "unknown" });
  const [status, gateways, isOn, host, unknown, outbox] = await Promise.all([
    getCampaignStatus(scope, id),
    listGateways(scope),
    isFeatureOn("sending"),
    hostOf(scope, campaign),
    listSends(scope, id, unknownQuery),
    listDemoMessages(scope),
  ]);
  return (
    <Texts of={["sending", "linkForm.presets", "gateways.outbox"]}>
      {isOn ? null : <FeatureNote />}
      <LockBox capability="campaigns" className="mb-4" />
      <SendView
        workspace={workspace}
        campaign={campaign}
        status={status}
        gateways={gateways}
        unknown={unknown}
        host={host}
        zone={scope.zone}
        isOn={isOn && includes(scope, "campaigns")}
        mayView={scope.permissions.has("people.view")}
        actions={
          scope.permissions.has("campaigns.write")
            ? {
                tryStart: tryStartAction.bind(null, workspace, id),
                start: startSendingAction.bind(null, workspace, id),
                pause: pauseSendingAction.bind(null, workspace, id),
                resume: resumeSendingAction.bind(null, workspace, id),
                cancel: cancelSendingAction.bind(null, workspace, id),
                test: sendTestAction.bind(null, workspace, id),
                settle: settleSendsAction.bind(null, workspace, id),
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

function missing(error: unknown): never {
  if (error instanceof AppError && error.code === "not_found") notFound();
  throw error;
}
