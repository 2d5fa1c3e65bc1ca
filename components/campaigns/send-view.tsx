"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { callApi } from "#components/forms/call-api.ts";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { useVisibleInterval } from "#components/shell/visible-interval.ts";
import { Button } from "#components/ui/button";
import { isStartable } from "#lib/outreach/campaign-overview/schema";
import type { CampaignStatus } from "#lib/outreach/campaigns/schema";
import type { Gateway } from "#lib/outreach/gateway-accounts/schema";
import { type Send, type Sending, sendingShape } from "#lib/outreach/sending/schema";
import type { SendActions } from "./send-actions.ts";
import { SendStatus } from "./send-status.tsx";
import { SendUnknown } from "./send-unknown.tsx";

interface SendViewProps {
  workspace: string;
  id: string;
  checkPath: string;
  status: CampaignStatus;
  gateways: readonly Gateway[];
  unknown: readonly Send[];
  zone: string;
  /** False if administrators have turned sending off. */
  isOn: boolean;
  actions: SendActions | null;
}

const pollEveryMs = 2_000;

export function SendView(props: SendViewProps) {
  const { workspace, id, checkPath, status, gateways, unknown, zone, isOn, actions } = props;
  const t = useTranslations("sending");
  const sending = useSending(workspace, id, status.sending);
  return (
    <div className="grid max-w-3xl gap-4">
      <SendStatus
        sending={sending}
        recipients={status.recipients}
        gateways={gateways}
        zone={zone}
        actions={actions}
        isOn={isOn}
      />
      {unknown.length > 0 ? (
        <SendUnknown
          messages={unknown}
          count={sending.counts.unknown}
          isCancelled={sending.state === "cancelled"}
          zone={zone}
          settle={actions?.settle ?? null}
        />
      ) : null}
      {actions && isStartable({ ...status, sending }) ? (
        <Button asChild variant="solid" className="justify-self-start">
          <PrefetchLink href={checkPath}>{t("checkAdded")}</PrefetchLink>
        </Button>
      ) : null}
    </div>
  );
}

/** The state as of the last poll, or of a newer page. The page is reloaded when the state changes. */
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
