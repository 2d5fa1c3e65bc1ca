"use client";

import { MessageSquareShare, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Gateway, OpenCampaign } from "#lib/outreach/gateway-accounts/schema";
import type { GatewayCheck } from "#lib/outreach/gateways/schema";
import type { FormAction, FormAnswer } from "../forms/form.tsx";
import { useRemoval } from "../forms/removal.ts";
import { PageHead } from "../shell/page-head.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogContent, DialogTrigger } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { toast } from "../ui/toast.tsx";
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
  const t = useTranslations("gateways");
  const { shown, ask, question } = useRemoval(gateways, change?.remove, {
    removed: (name) => t("deleted", { name }),
    notRemoved: (name) => t("notDeleted", { name }),
  });
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        {change ? <AddGateway create={change.create} /> : null}
      </PageHead>
      {shown.length > 0 ? (
        <ul aria-label={t("heading")} className="grid max-w-3xl gap-4">
          {shown.map((gateway) => (
            <li key={gateway.id}>
              <GatewayCard
                gateway={gateway}
                check={check}
                change={change}
                onDelete={() => ask(gateway)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState icon={<MessageSquareShare aria-hidden />} title={t("emptyTitle")}>
          {t(change ? "emptyText" : "emptyReader")}
        </EmptyState>
      )}
      {question ? (
        <DeleteGateway
          gateway={question.thing}
          campaigns={campaigns.filter(({ gatewayId }) => gatewayId === question.thing.id)}
          base={base}
          dialog={question.dialog}
        />
      ) : null}
    </>
  );
}

function AddGateway({ create }: Pick<GatewayChanges, "create">) {
  const t = useTranslations("gateways");
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="solid">
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </DialogTrigger>
      <DialogContent title={t("addTitle")} description={t("addText")} className="sm:max-w-lg">
        <GatewayForm
          save={create}
          onDone={() => {
            setOpen(false);
            toast.success(t("added"));
          }}
        />
      </DialogContent>
    </Dialog>
  );
}
