"use client";

import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { loadPage } from "#components/auth/load-page.ts";
import type { FormAnswer } from "#components/forms/form";
import { useAction } from "#components/forms/use-action.ts";
import { Card } from "#components/ui/card";
import { ConfirmButton } from "../forms/confirm-button.tsx";

interface DeleteWorkspaceProps {
  name: string;
  /** Days in which it can be restored. */
  days: number;
  remove: () => Promise<FormAnswer<null>>;
}

export function DeleteWorkspace({ name, days, remove }: DeleteWorkspaceProps) {
  const t = useTranslations("settings");
  const runAction = useAction();
  const [pending, start] = useTransition();

  function run() {
    start(async () => {
      // It can be restored there at once.
      if (await runAction(remove)) loadPage("/app/new");
    });
  }

  return (
    <Card heading={t("delete")} note={t("deleteText", { days })}>
      <ConfirmButton
        className="justify-self-start text-danger"
        pending={pending}
        title={t("deleteTitle", { name })}
        question={t("deleteText", { days })}
        action={t("delete")}
        onConfirm={run}
      >
        {t("delete")}
      </ConfirmButton>
    </Card>
  );
}
