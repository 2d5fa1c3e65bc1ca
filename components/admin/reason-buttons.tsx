"use client";

import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Button, type ButtonProps } from "#components/ui/button";
import { Dialog, DialogContent, DialogSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { TextareaField } from "../ui/labeled.tsx";

/** A change by an administrator: the texts of its button, its dialog, and the toast afterwards. */
export interface ReasonedChange extends Partial<Pick<ButtonProps, "variant" | "aria-label">> {
  button: string;
  title: string;
  text: string;
  submit: string;
  done: string;
  change: FormAction<null>;
}

interface ReasonButtonsProps extends Partial<Pick<ButtonProps, "size" | "className" | "disabled">> {
  changes: readonly ReasonedChange[];
  label: string;
  hint: string;
}

/** A button for each change. Its dialog asks for the reason. */
export function ReasonButtons({ changes, label, hint, ...look }: ReasonButtonsProps) {
  const [open, setOpen] = useState<ReasonedChange>();
  const close = () => setOpen(undefined);
  return (
    <>
      {changes.map((one) => (
        <Button
          key={one.button}
          variant={one.variant}
          aria-label={one["aria-label"]}
          {...look}
          onClick={() => setOpen(one)}
        >
          {one.button}
        </Button>
      ))}
      <Dialog open={open !== undefined} onOpenChange={close}>
        {open ? (
          <DialogContent title={open.title} description={open.text}>
            <ReasonForm asked={open} label={label} hint={hint} onDone={close} />
          </DialogContent>
        ) : null}
      </Dialog>
    </>
  );
}

interface ReasonFormProps extends Pick<ReasonButtonsProps, "label" | "hint"> {
  asked: ReasonedChange;
  onDone: () => void;
}

function ReasonForm({ asked: { change, done, submit }, label, hint, onDone }: ReasonFormProps) {
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
