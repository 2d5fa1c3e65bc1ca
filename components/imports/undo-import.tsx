"use client";

import { Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import type { FormAnswer } from "#components/forms/form";
import { useAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
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
  const [isAsking, setIsAsking] = useState(false);
  const [pending, start] = useTransition();
  const runAction = useAction();
  const router = useRouter();
  const undo = () =>
    start(async () => {
      const started = await runAction(() => undoImport(shown.id));
      if (!started) return;
      onUndone({ ...shown, undoUntil: null, undoneAt: new Date().toISOString() });
      router.refresh();
    });
  return (
    <>
      <Button pending={pending} onClick={() => setIsAsking(true)}>
        <Undo2 aria-hidden />
        {t("undoImport")}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("undoTitle", { count: shown.made })}
        action={t("undoImport")}
        onConfirm={undo}
      >
        {t("undoText")}
      </ConfirmDialog>
    </>
  );
}
