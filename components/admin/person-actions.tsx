"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { PersonChangeName } from "#lib/office/people/schema";
import { type FormAnswer, useForm } from "../forms/form.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Dialog, DialogContent } from "../ui/dialog.tsx";
import { DialogSubmit } from "../ui/dialog-submit.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { toast } from "../ui/toast.tsx";

interface PersonActionsProps {
  changes: readonly PersonChangeName[];
  change: (name: PersonChangeName, data: FormData) => Promise<FormAnswer<null>>;
}

/** Changes of an account. Each asks for its reason. */
export function PersonActions({ changes, change }: PersonActionsProps) {
  const t = useTranslations("admin.personActions");
  const [open, setOpen] = useState<PersonChangeName>();
  return (
    <Card heading={t("heading")} note={t("note")}>
      <div className="flex flex-wrap gap-2">
        {changes.map((name) => (
          <Button key={name} onClick={() => setOpen(name)}>
            {t(`names.${name}`)}
          </Button>
        ))}
      </div>
      <Dialog open={open !== undefined} onOpenChange={() => setOpen(undefined)}>
        {open === undefined ? null : (
          <DialogContent title={t(`names.${open}`)} description={t(`notes.${open}`)}>
            <ReasonForm name={open} change={change} onDone={() => setOpen(undefined)} />
          </DialogContent>
        )}
      </Dialog>
    </Card>
  );
}

interface ReasonFormProps extends Pick<PersonActionsProps, "change"> {
  name: PersonChangeName;
  onDone: () => void;
}

function ReasonForm({ name, change, onDone }: ReasonFormProps) {
  const t = useTranslations("admin.personActions");
  const { form, pending, error, errorOf, typed } = useForm(change.bind(null, name), () => {
    toast.success(t("done"));
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
      <DialogSubmit pending={pending}>{t(`names.${name}`)}</DialogSubmit>
    </form>
  );
}
