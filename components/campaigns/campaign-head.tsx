"use client";

import { ChartNoAxesColumn, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { BackLink } from "#components/shell/back-link";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Button } from "#components/ui/button";
import { ConfirmButton } from "#components/ui/confirm-dialog";
import { toast } from "#components/ui/toast";
import type { CampaignState } from "#lib/outreach/campaign-overview/schema";
import { CampaignStateBadge } from "./state-badge.tsx";

interface CampaignHeadProps {
  workspace: string;
  campaign: { id: string; name: string; kind: "marketing" | "service"; recipients: number };
  state: CampaignState;
  createdAt: string;
  /** Whether the destination works. */
  check: ReactNode;
  remove: ((id: string) => Promise<FormAnswer<null>>) | null;
}

export function CampaignHead(props: CampaignHeadProps) {
  const { workspace, campaign, state, createdAt, check, remove } = props;
  const t = useTranslations("campaigns.frame");
  const format = useFormatter();
  const { id, name, kind, recipients } = campaign;
  return (
    <>
      <BackLink href={`/app/${workspace}/campaigns`}>{t("back")}</BackLink>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1">
          <div className="flex min-w-0 flex-wrap items-center gap-2">
            <h1 className="min-w-0 break-words font-semibold text-xl tracking-tight">{name}</h1>
            <CampaignStateBadge state={state} recipients={recipients} />
          </div>
          <p className="text-ink-muted text-sm">
            {t(`kinds.${kind}`)} ·{" "}
            {t("created", { date: format.dateTime(new Date(createdAt), { dateStyle: "medium" }) })}
          </p>
          {check}
        </div>
        <div className="flex flex-wrap gap-2">
          {recipients > 0 ? (
            <Button asChild>
              <PrefetchLink href={`/app/${workspace}/campaigns/${id}/report`}>
                <ChartNoAxesColumn aria-hidden />
                {t("report")}
              </PrefetchLink>
            </Button>
          ) : null}
          {remove ? (
            <DeleteCampaign workspace={workspace} campaign={campaign} remove={remove} />
          ) : null}
        </div>
      </div>
    </>
  );
}

interface DeleteCampaignProps extends Pick<CampaignHeadProps, "workspace" | "campaign"> {
  remove: NonNullable<CampaignHeadProps["remove"]>;
}

function DeleteCampaign({ workspace, campaign, remove }: DeleteCampaignProps) {
  const t = useTranslations("campaigns.frame");
  const router = useRouter();
  const runAction = useAction();
  const [pending, start] = useTransition();
  const { id, name, recipients } = campaign;
  const drop = () =>
    start(async () => {
      const deleted = await runAction(() => remove(id));
      if (!deleted) return;
      toast.success(t("deleted", { name }));
      router.push(`/app/${workspace}/campaigns`);
      router.refresh();
    });
  return (
    <ConfirmButton
      variant="ghost"
      pending={pending}
      title={t("deleteTitle", { name })}
      question={t("deleteText", { count: recipients })}
      action={t("delete")}
      onConfirm={drop}
    >
      <Trash2 aria-hidden />
      {t("delete")}
    </ConfirmButton>
  );
}
