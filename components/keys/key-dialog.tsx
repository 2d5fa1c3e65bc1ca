"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import type { FormAction } from "#components/forms/form";
import { useCreated } from "#components/forms/use-created.ts";
import { Button } from "#components/ui/button";
import { Dialog, DialogContent, DialogTrigger } from "#components/ui/dialog";
import { type CreatedKey, CreatedKeyView } from "./created-key-view.tsx";
import { KeyForm } from "./key-form.tsx";
import type { KeyChoices } from "./key-limits.tsx";

interface KeyDialogProps {
  createKey: FormAction<CreatedKey>;
  choices: KeyChoices;
}

export function KeyDialog({ createKey, choices }: KeyDialogProps) {
  const t = useTranslations("apiKeys");
  const { created, setCreated, dialog } = useCreated<CreatedKey>();
  return (
    <Dialog {...dialog}>
      <DialogTrigger asChild>
        <Button variant="solid">
          <Plus aria-hidden />
          {t("create")}
        </Button>
      </DialogTrigger>
      {created ? (
        <DialogContent title={t("createdTitle")} description={t("createdText")}>
          <CreatedKeyView created={created} />
        </DialogContent>
      ) : (
        <DialogContent title={t("createTitle")}>
          <KeyForm save={createKey} onDone={setCreated} choices={choices} />
        </DialogContent>
      )}
    </Dialog>
  );
}
