"use client";

import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { toast } from "#components/ui/toast";

interface DismissAlarmProps {
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
