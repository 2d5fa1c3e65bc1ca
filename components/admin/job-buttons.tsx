"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { FormAnswer } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { ReasonForm } from "./reason-form.tsx";

type Verb = "retry" | "drop";

interface JobButtonsProps {
  queue: string;
  id: string;
  change: (verb: Verb, queue: string, id: string, data: FormData) => Promise<FormAnswer<null>>;
}

/** Retries or deletes a failed job. Each asks for its reason. */
export function JobButtons({ queue, id, change }: JobButtonsProps) {
  const t = useTranslations("admin.system");
  const [open, setOpen] = useState<Verb>();
  const name = `${queue} ${id}`;
  return (
    <div className="mt-1 flex gap-2">
      <Button size="sm" aria-label={t("retryJob", { name })} onClick={() => setOpen("retry")}>
        {t("retry")}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        aria-label={t("dropJob", { name })}
        onClick={() => setOpen("drop")}
      >
        {t("drop")}
      </Button>
      <Dialog open={open !== undefined} onOpenChange={() => setOpen(undefined)}>
        {open === undefined ? null : (
          <DialogContent title={t(`${open}Title`)} description={t(`${open}Text`)}>
            <ReasonForm
              change={change.bind(null, open, queue, id)}
              label={t("reason")}
              hint={t("reasonHint")}
              submit={t(open)}
              done={t(open === "retry" ? "retried" : "dropped")}
              onDone={() => setOpen(undefined)}
            />
          </DialogContent>
        )}
      </Dialog>
    </div>
  );
}
