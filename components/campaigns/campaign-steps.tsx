"use client";

import { Check } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { classNames } from "#components/ui/class-names.ts";
import {
  type CampaignState,
  type CampaignStep,
  campaignSteps,
  stepOf,
} from "#lib/outreach/campaign-overview/schema";

interface CampaignStepsProps {
  workspace: string;
  /** Omitted while the message of a new campaign is written. */
  campaign?: { id: string; state: CampaignState; recipients: number };
}

/** The way from a message to its sending. Steps that have been reached can be opened again. */
export function CampaignSteps({ workspace, campaign }: CampaignStepsProps) {
  const t = useTranslations("campaigns.steps");
  const last = usePathname().split("/").at(-1);
  const current = campaign ? campaignSteps.find((step) => step === last) : "message";
  const reached = campaign ? campaignSteps.indexOf(stepOf(campaign)) : 0;
  const isSent = campaign?.state === "finished";
  return (
    <nav aria-label={t("label")} className="mb-5">
      <ol className="flex flex-wrap items-center gap-x-1 gap-y-2 sm:gap-x-2">
        {campaignSteps.map((step, at) => (
          <li key={step} className="flex items-center gap-1 sm:gap-2">
            {at > 0 ? (
              <span aria-hidden className="hidden h-px w-6 bg-line-strong sm:block" />
            ) : null}
            <StepLink
              step={step}
              number={at + 1}
              isCurrent={step === current}
              isDone={at < reached || isSent}
              href={
                campaign && at <= reached
                  ? `/app/${workspace}/campaigns/${campaign.id}/${step}`
                  : undefined
              }
            />
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface StepLinkProps {
  step: CampaignStep;
  number: number;
  isCurrent: boolean;
  isDone: boolean;
  href: string | undefined;
}

function StepLink({ step, number, isCurrent, isDone, href }: StepLinkProps) {
  const t = useTranslations("campaigns.steps");
  const content = (
    <>
      <span
        className={classNames(
          "grid size-5 shrink-0 place-items-center rounded-full border border-line-strong text-xs tabular-nums",
          isDone && "border-accent text-accent",
          isCurrent && "border-accent bg-accent text-surface",
        )}
      >
        {isDone && !isCurrent ? <Check aria-hidden className="size-3" /> : number}
      </span>
      {t(`names.${step}`)}
      {isDone ? <span className="sr-only"> {t("done")}</span> : null}
    </>
  );
  const shared = "flex items-center gap-1.5 rounded-md px-1.5 py-1 text-sm";
  if (href === undefined) {
    return (
      <span
        aria-current={isCurrent ? "step" : undefined}
        className={classNames(shared, isCurrent ? "font-medium text-ink" : "text-ink-faint")}
      >
        {content}
      </span>
    );
  }
  return (
    <PrefetchLink
      href={href}
      aria-current={isCurrent ? "step" : undefined}
      className={classNames(
        shared,
        "text-ink-muted hover:bg-hover hover:text-ink aria-[current]:font-medium aria-[current]:text-ink",
      )}
    >
      {content}
    </PrefetchLink>
  );
}
