"use client";

import { type FormAnswer, useForm } from "#components/forms/form";
import { DialogSubmit } from "#components/ui/dialog-submit";
import { Field } from "#components/ui/field";
import { FormError } from "#components/ui/form-error";
import { Textarea } from "#components/ui/textarea";
import { toast } from "#components/ui/toast";

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
  const { form, pending, error, errorOf, typed } = useForm(change, () => {
    toast.success(done);
    onDone();
  });
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <Field label={label} hint={hint} error={errorOf("reason")}>
        {(control) => (
          <Textarea {...control} name="reason" rows={3} defaultValue={typed("reason")} />
        )}
      </Field>
      <DialogSubmit pending={pending}>{submit}</DialogSubmit>
    </form>
  );
}
