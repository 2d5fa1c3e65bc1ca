"use client";

import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { loadPage } from "#components/auth/load-page.ts";
import type { FormAnswer } from "#components/forms/form";
import { useAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmDialog } from "#components/ui/confirm-dialog";

interface DeleteWorkspaceProps {
  name: string;
  /** Days in which it can be restored. */
  days: number;
  remove: () => Promise<FormAnswer<null>>;
}

export function DeleteWorkspace({ name, days, remove }: DeleteWorkspaceProps) {
  const t = useTranslations("settings");
  const runAction = useAction();
  const [open, setOpen] = useState(false);
  const [pending, start] = useTransition();

  function run() {
    start(async () => {
      // It can be restored there at once.
      if (await runAction(remove)) loadPage("/app/new");
    });
  }

  return (
    <Card heading={t("delete")} note={t("deleteText", { days })}>
      <Button
        className="justify-self-start text-danger"
        pending={pending}
        onClick={() => setOpen(true)}
      >
        {t("delete")}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={t("deleteTitle", { name })}
        action={t("delete")}
        onConfirm={run}
      >
        {t("deleteText", { days })}
      </ConfirmDialog>
    </Card>
  );
}
