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

type Verb = "approve" | "decline";

interface KeyDecisionProps {
  id: string;
  name: string;
  decide: (verb: Verb, id: string, data: FormData) => Promise<FormAnswer<null>>;
}

/** Approves or declines a pending API key, with a reason that its creator reads. */
export function KeyDecision({ id, name, decide }: KeyDecisionProps) {
  const t = useTranslations("admin.apiKeys");
  const [open, setOpen] = useState<Verb>();
  return (
    <div className="mt-1 flex gap-2">
      <Button size="sm" aria-label={t("approveKey", { name })} onClick={() => setOpen("approve")}>
        {t("approve")}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        aria-label={t("declineKey", { name })}
        onClick={() => setOpen("decline")}
      >
        {t("decline")}
      </Button>
      <Dialog open={open !== undefined} onOpenChange={() => setOpen(undefined)}>
        {open === undefined ? null : (
          <DialogContent title={t(`${open}Title`)} description={t(`${open}Text`)}>
            <DecisionForm
              verb={open}
              decide={decide.bind(null, open, id)}
              onDone={() => setOpen(undefined)}
            />
          </DialogContent>
        )}
      </Dialog>
    </div>
  );
}

interface DecisionFormProps {
  verb: Verb;
  decide: (data: FormData) => Promise<FormAnswer<null>>;
  onDone: () => void;
}

function DecisionForm({ verb, decide, onDone }: DecisionFormProps) {
  const t = useTranslations("admin.apiKeys");
  const { form, pending, error, errorOf, typed } = useForm(decide, () => {
    toast.success(t(verb === "approve" ? "approved" : "declined"));
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
