"use client";

import { CircleAlert, CircleCheck, MessageSquareShare, RefreshCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { type FormAction, type FormAnswer, useAction } from "#components/forms/form";
import type { Removal } from "#components/forms/removal.ts";
import { CardManager, CardTools } from "#components/named/card-manager";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmButton, ConfirmDialog } from "#components/ui/confirm-dialog";
import { CopyButton } from "#components/ui/copy-button";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { toast } from "#components/ui/toast";
import type { Gateway, OpenCampaign } from "#lib/outreach/gateway-accounts/schema";
import { type GatewayCheck, kindOf } from "#lib/outreach/gateways/schema";
import { GatewayForm } from "./gateway-form.tsx";

export interface GatewayChanges {
  create: FormAction<null>;
  edit: (id: string, data: FormData) => Promise<FormAnswer<null>>;
  renewReceiptUrl: (id: string) => Promise<FormAnswer<null>>;
  remove: (id: string) => Promise<FormAnswer<null>>;
}

interface GatewayManagerProps {
  gateways: readonly Gateway[];
  /** Campaigns that still have messages to send with one of the gateways. */
  campaigns: readonly OpenCampaign[];
  base: string;
  isDemo: boolean;
  check: ((id: string) => Promise<FormAnswer<GatewayCheck>>) | null;
  change: GatewayChanges | null;
}

export function GatewayManager(props: GatewayManagerProps) {
  const { gateways, campaigns, base, isDemo, check, change } = props;
  return (
    <CardManager
      messages="gateways"
      icon={<MessageSquareShare aria-hidden />}
      things={gateways}
      card={(gateway, onDelete) => (
        <GatewayCard
          gateway={gateway}
          isDemo={isDemo}
          check={check}
          change={change}
          onDelete={onDelete}
        />
      )}
      form={
        change
          ? (onDone) => <GatewayForm isDemo={isDemo} save={change.create} onDone={onDone} />
          : null
      }
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

interface DeleteGatewayProps {
  gateway: Gateway;
  campaigns: readonly OpenCampaign[];
  base: string;
  dialog: Removal<Gateway>["dialog"];
}

function DeleteGateway({ gateway: { name }, campaigns, base, dialog }: DeleteGatewayProps) {
  const t = useTranslations("gateways");
  if (campaigns.length === 0) {
    return (
      <ConfirmDialog {...dialog} title={t("deleteTitle", { name })} action={t("deleteAction")}>
        {t("deleteText")}
      </ConfirmDialog>
    );
  }
  const { open, onOpenChange } = dialog;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t("inUseTitle", { name })} description={t("inUseText")}>
        <ul aria-label={t("inUseBy")} className="grid gap-1 text-sm">
          {campaigns.map(({ id, name: campaign, state }) => (
            <li key={id} className="flex items-center justify-between gap-3">
              <PrefetchLink
                href={`${base}/${id}/send`}
                className="min-w-0 truncate underline underline-offset-4"
              >
                {campaign}
              </PrefetchLink>
              <span className="shrink-0 text-ink-muted">{t(`states.${state}`)}</span>
            </li>
          ))}
        </ul>
      </DialogContent>
    </Dialog>
  );
}

interface GatewayCardProps {
  gateway: Gateway;
  isDemo: boolean;
  check: ((id: string) => Promise<FormAnswer<GatewayCheck>>) | null;
  change: GatewayChanges | null;
  onDelete: () => void;
}

function GatewayCard({ gateway, isDemo, check, change, onDelete }: GatewayCardProps) {
  const t = useTranslations("gateways");
  const { id, name, settings, rate, receiptUrl } = gateway;
  return (
    <Card
      heading={name}
      note={[kindOf(settings).accountOf(settings), t("rateOf", { rate })]
        .filter(Boolean)
        .join(" · ")}
      aside={<Badge>{t(`kinds.${settings.kind}`)}</Badge>}
    >
      {receiptUrl ? <ReceiptUrl gateway={gateway} url={receiptUrl} change={change} /> : null}
      <div className="flex flex-wrap items-start gap-2">
        {check ? <CheckGateway name={name} check={() => check(id)} /> : null}
        {change ? (
          <CardTools
            messages="gateways"
            name={gateway.name}
            form={(onDone) => (
              <GatewayForm
                isDemo={isDemo}
                edited={gateway}
                save={(data) => change.edit(gateway.id, data)}
                onDone={onDone}
              />
            )}
            onDelete={onDelete}
          />
        ) : null}
      </div>
    </Card>
  );
}

interface ReceiptUrlProps {
  gateway: Gateway;
  url: string;
  change: GatewayChanges | null;
}

function ReceiptUrl({ gateway: { id, name, settings }, url, change }: ReceiptUrlProps) {
  const t = useTranslations("gateways");
  const runAction = useAction();
  const [pending, start] = useTransition();
  const renew = (run: GatewayChanges["renewReceiptUrl"]) =>
    start(async () => {
      if (await runAction(() => run(id))) toast.success(t("renewed"));
    });
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="font-medium">{t("receiptUrl")}</p>
      <div className="flex min-w-0 items-center gap-1 rounded-md bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 break-all font-mono text-xs">{url}</code>
        <CopyButton text={url} label={t("copyReceiptUrl", { name })} />
      </div>
      <p className="text-ink-muted">{t(`receiptHints.${settings.kind}`)}</p>
      {change ? (
        <div>
          <ConfirmButton
            size="sm"
            variant="ghost"
            className="-ml-2.5"
            pending={pending}
            aria-label={t("renewNamed", { name })}
            title={t("renewTitle", { name })}
            question={t("renewText")}
            action={t("renew")}
            onConfirm={() => renew(change.renewReceiptUrl)}
          >
            <RefreshCw aria-hidden />
            {t("renew")}
          </ConfirmButton>
        </div>
      ) : null}
    </div>
  );
}

function CheckGateway({
  name,
  check,
}: {
  name: string;
  check: () => Promise<FormAnswer<GatewayCheck>>;
}) {
  const t = useTranslations("gateways");
  const runAction = useAction();
  const [result, setResult] = useState<GatewayCheck>();
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      setResult(undefined);
      const answer = await runAction(check);
      if (answer) setResult(answer.done);
    });
  return (
    <>
      <Button size="sm" pending={pending} aria-label={t("testNamed", { name })} onClick={run}>
        {t("test")}
      </Button>
      <p role="status" className="order-last flex w-full gap-2 text-sm empty:hidden">
        {result ? (
          <>
            {result.ok ? (
              <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
            ) : (
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
            )}
            <span className="min-w-0 break-words">
              {t(`checks.${result.code}`)}
              {result.code === "refused" ? ` ${result.message}` : null}
            </span>
          </>
        ) : null}
      </p>
    </>
  );
}
