"use client";

import { Undo2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import type { ListJob } from "#lib/links/list-jobs/schema";
import type { Import } from "#lib/transfer/imports/schema";
import type { FormAnswer } from "../forms/form.tsx";
import { useAction } from "../forms/use-action.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";

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
