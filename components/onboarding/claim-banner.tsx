"use client";

import { Link2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { PageBanner } from "#components/shell/page-banner";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";

interface ClaimBannerProps {
  count: number;
  /** Returns how many links were moved. */
  claim: () => Promise<FormAnswer<number>>;
  dismiss: () => Promise<FormAnswer<null>>;
}

/** Offers the links that this browser created before the person signed in. */
export function ClaimBanner({ count, claim, dismiss }: ClaimBannerProps) {
  const t = useTranslations("claim");
  const runAction = useAction();
  const [claiming, startClaim] = useTransition();
  const [dismissing, startDismiss] = useTransition();
  function move() {
    startClaim(async () => {
      const moved = await runAction(claim);
      if (moved) toast.success(t("done", { count: moved.done }));
    });
  }
  return (
    <PageBanner id="claim" Icon={Link2} heading={t("heading", { count })} text={t("text")}>
      <div className="flex flex-wrap gap-2">
        <Button
          pending={dismissing}
          onClick={() =>
            startDismiss(async () => {
              await runAction(dismiss);
            })
          }
        >
          {t("dismiss")}
        </Button>
        <Button variant="solid" pending={claiming} onClick={move}>
          {t("move")}
        </Button>
      </div>
    </PageBanner>
  );
}
