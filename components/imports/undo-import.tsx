"use client";

import { Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { ConfirmButton } from "#components/ui/confirm-dialog";
import type { ListJob } from "#lib/links/list-jobs/schema";
import type { Import } from "#lib/transfer/imports/schema";

interface UndoImportProps {
  shown: Import;
  undoImport: (id: string) => Promise<FormAnswer<ListJob>>;
  onUndone: (shown: Import) => void;
}

/** Deletes the links that an import created; the page then shows the progress. */
export function UndoImport({ shown, undoImport, onUndone }: UndoImportProps) {
  const t = useTranslations("imports");
  const [pending, start] = useTransition();
  const runAction = useAction();
  const router = useRouter();
  const undo = () =>
    start(async () => {
      const started = await runAction(() => undoImport(shown.id));
      if (!started) return;
      onUndone({ ...shown, undoUntil: null, undoLinks: 0, undoneAt: new Date().toISOString() });
      router.refresh();
    });
  return (
    <ConfirmButton
      pending={pending}
      title={t("undoTitle", { count: shown.undoLinks })}
      question={t("undoText")}
      action={t("undoImport")}
      onConfirm={undo}
    >
      <Undo2 aria-hidden />
      {t("undoImport")}
    </ConfirmButton>
  );
}
