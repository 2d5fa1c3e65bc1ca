"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAnswer, useForm } from "../forms/form.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogContent } from "../ui/dialog.tsx";
import { DialogSubmit } from "../ui/dialog-submit.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { toast } from "../ui/toast.tsx";

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
            <JobForm
              verb={open}
              change={change.bind(null, open, queue, id)}
              onDone={() => setOpen(undefined)}
            />
          </DialogContent>
        )}
      </Dialog>
    </div>
  );
}

interface JobFormProps {
  verb: Verb;
  change: (data: FormData) => Promise<FormAnswer<null>>;
  onDone: () => void;
}

function JobForm({ verb, change, onDone }: JobFormProps) {
  const t = useTranslations("admin.system");
  const { form, pending, error, errorOf, typed } = useForm(change, () => {
    toast.success(t(verb === "retry" ? "retried" : "dropped"));
    onDone();
  });
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <Field label={t("reason")} hint={t("reasonHint")} error={errorOf("reason")}>
        {(control) => (
          <Textarea {...control} name="reason" rows={3} defaultValue={typed("reason")} />
        )}
      </Field>
      <DialogSubmit pending={pending}>{t(verb)}</DialogSubmit>
    </form>
  );
}
