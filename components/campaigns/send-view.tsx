"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { callApi } from "#components/forms/call-api.ts";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { useVisibleInterval } from "#components/shell/visible-interval.ts";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import type { Campaign, CampaignStatus } from "#lib/outreach/campaigns/schema";
import type { Gateway } from "#lib/outreach/gateway-accounts/schema";
import { type Send, type Sending, sendingShape } from "#lib/outreach/sending/schema";
import type { SendActions } from "./send-actions.ts";
import { SendExport } from "./send-export.tsx";
import { SendSetup } from "./send-setup.tsx";
import { SendStatus } from "./send-status.tsx";
import { SendTest } from "./send-test.tsx";
import { SendUnknown } from "./send-unknown.tsx";

interface SendViewProps {
  workspace: string;
  campaign: Campaign;
  status: CampaignStatus;
  gateways: readonly Gateway[];
  /** The first messages whose outcome is not known. */
  unknown: readonly Send[];
  /** Of the links; null: the domain is gone. */
  host: string | null;
  zone: string;
  /** Administrators have not turned sending off. */
  isOn: boolean;
  /** May see phones and texts. */
  mayView: boolean;
  /** Null: read-only. */
  actions: SendActions | null;
}

const pollEveryMs = 2_000;

/** The sending of a campaign: its start, its progress, and what needs a person. */
export function SendView(props: SendViewProps) {
  const { workspace, campaign, status, gateways, unknown, zone, isOn, mayView, actions } = props;
  const sending = useSending(workspace, campaign.id, status.sending);
  const noted = Object.values(sending.counts).reduce((sum, count) => sum + count, 0);
  const isStartable =
    sending.state === "draft" || (sending.state === "finished" && status.recipients > noted);
  return (
    <div className="grid max-w-3xl gap-4">
      {sending.state === "draft" ? null : (
        <SendStatus
          sending={sending}
          recipients={status.recipients}
          gateways={gateways}
          zone={zone}
          actions={actions}
          isOn={isOn}
        />
      )}
      {unknown.length > 0 ? (
        <SendUnknown
          messages={unknown}
          count={sending.counts.unknown}
          isCancelled={sending.state === "cancelled"}
          zone={zone}
          settle={actions?.settle ?? null}
        />
      ) : null}
      {isStartable && gateways.length === 0 ? <NoGateway workspace={workspace} /> : null}
      {isStartable && gateways.length > 0 && actions ? (
        <SendSetup {...props} sending={sending} actions={actions} />
      ) : null}
      {actions && mayView && isOn && gateways.length > 0 && status.recipients > 0 ? (
        <SendTest gateways={gateways} test={actions.test} />
      ) : null}
      <SendExport workspace={workspace} id={campaign.id} mayView={mayView} />
    </div>
  );
}

/** The state as of the last poll, or of the page when that is newer. The page is read again when the state changes. */
function useSending(workspace: string, id: string, given: Sending): Sending {
  const router = useRouter();
  const [polled, setPolled] = useState({ given, shown: given });
  const sending = polled.given === given ? polled.shown : given;
  const isOpen = sending.state === "scheduled" || sending.state === "sending";
  useVisibleInterval(isOpen ? pollEveryMs : undefined, () => {
    const path = `/campaigns/${encodeURIComponent(id)}/sending`;
    callApi({ workspace, path })
      .then(async (response) => {
        const shown = sendingShape.parse(await response.json());
        setPolled({ given, shown });
        const isOther =
          shown.state !== sending.state || shown.counts.unknown !== sending.counts.unknown;
        if (isOther) router.refresh();
      })
      .catch(() => undefined); // the next poll reports it too
  });
  return sending;
}

function NoGateway({ workspace }: { workspace: string }) {
  const t = useTranslations("sending");
  return (
    <Card heading={t("noGateway")} note={t("noGatewayText")}>
      <div>
        <Button asChild>
          <PrefetchLink href={`/app/${workspace}/settings/gateways`}>
            {t("toGateways")}
          </PrefetchLink>
        </Button>
      </div>
    </Card>
  );
}
