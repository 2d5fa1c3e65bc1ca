"use client";

import { type FormAnswer, useForm } from "#components/forms/form";
import { DialogSubmit } from "#components/ui/dialog-submit";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { TextareaField } from "../ui/labeled.tsx";

interface ReasonFormProps {
  change: (data: FormData) => Promise<FormAnswer<null>>;
  label: string;
  hint: string;
  /** On the button. */
  submit: string;
  /** Shown after the change. */
  done: string;
  onDone: () => void;
}

/** A change by an administrator, which asks for its reason. */
export function ReasonForm({ change, label, hint, submit, done, onDone }: ReasonFormProps) {
  const { form, pending, error, field } = useForm(change, () => {
    toast.success(done);
    onDone();
  });
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <TextareaField {...field("reason")} label={label} hint={hint} rows={3} />
      <DialogSubmit pending={pending}>{submit}</DialogSubmit>
    </form>
  );
}
