"use client";

import { MessageSquareShare } from "lucide-react";
import type { FormAction, FormAnswer } from "#components/forms/form";
import { CardManager } from "#components/named/card-manager";
import type { Gateway, OpenCampaign } from "#lib/outreach/gateway-accounts/schema";
import type { GatewayCheck } from "#lib/outreach/gateways/schema";
import { GatewayCard } from "./gateway-card.tsx";
import { DeleteGateway } from "./gateway-delete.tsx";
import { GatewayForm } from "./gateway-form.tsx";

export interface GatewayChanges {
  create: FormAction<null>;
  edit: (id: string, data: FormData) => Promise<FormAnswer<null>>;
  renewReceiptUrl: (id: string) => Promise<FormAnswer<null>>;
  remove: (id: string) => Promise<FormAnswer<null>>;
}

interface GatewayManagerProps {
  gateways: readonly Gateway[];
  /** What still has to be sent with one of them. */
  campaigns: readonly OpenCampaign[];
  /** The path of the list of campaigns. */
  base: string;
  /** Null: may not use gateways. */
  check: ((id: string) => Promise<FormAnswer<GatewayCheck>>) | null;
  /** Null: read-only. */
  change: GatewayChanges | null;
}

/** The gateways of a workspace, with their forms. */
export function GatewayManager({ gateways, campaigns, base, check, change }: GatewayManagerProps) {
  return (
    <CardManager
      messages="gateways"
      icon={<MessageSquareShare aria-hidden />}
      things={gateways}
      card={(gateway, onDelete) => (
        <GatewayCard gateway={gateway} check={check} change={change} onDelete={onDelete} />
      )}
      form={change ? (onDone) => <GatewayForm save={change.create} onDone={onDone} /> : null}
      remove={change?.remove}
      question={({ thing, dialog }) => (
        <DeleteGateway
          gateway={thing}
          campaigns={campaigns.filter(({ gatewayId }) => gatewayId === thing.id)}
          base={base}
          dialog={dialog}
        />
      )}
    />
  );
}
