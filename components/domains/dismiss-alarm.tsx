"use client";

import { useTranslations } from "next-intl";
import { useTransition } from "react";
import type { FormAnswer } from "#components/forms/form";
import { useAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";

interface DismissAlarmProps {
  /** Name of the app. */
  app: string;
  dismiss: () => Promise<FormAnswer<null>>;
}

export function DismissAlarm({ app, dismiss }: DismissAlarmProps) {
  const t = useTranslations("domainHealth");
  const runAction = useAction();
  const [pending, start] = useTransition();

  function run() {
    start(async () => {
      if (await runAction(dismiss)) toast.success(t("dismissed"));
    });
  }

  return (
    <Button pending={pending} onClick={run} aria-label={t("dismissLabel", { app })}>
      {t("dismiss")}
    </Button>
  );
}
