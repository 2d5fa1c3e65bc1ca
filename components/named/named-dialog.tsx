"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { DialogSubmit } from "#components/ui/dialog-submit";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { InputField } from "../ui/labeled.tsx";

/** An object of a workspace with a name. */
export interface NamedThing {
  id: string;
  name: string;
}

/** The message namespace of the object. */
export type NamedMessages = "tags" | "folders" | "forms" | "utm";

/** The form properties that the fields below the name need. */
export type FormFields = Pick<ReturnType<typeof useForm<string>>, "errorOf" | "typed">;

export interface NamedFields<Thing extends NamedThing> {
  messages: NamedMessages;
  nameHint?: string;
  /** The fields below the name; null for a new object. */
  fields: (thing: Thing | null, form: FormFields) => ReactNode;
}

interface NamedDialogProps<Thing extends NamedThing> extends NamedFields<Thing> {
  /** Null: a new one. */
  thing: Thing | null;
  save: FormAction<string>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function NamedDialog<Thing extends NamedThing>({
  messages,
  nameHint,
  fields,
  thing,
  save,
  open,
  onOpenChange,
}: NamedDialogProps<Thing>) {
  const t = useTranslations();
  const { form, pending, error, errorOf, typed, field } = useForm(save, (name) => {
    onOpenChange(false);
    toast.success(t(thing ? `${messages}.changed` : `${messages}.created`, { name }));
  });
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t(thing ? `${messages}.editTitle` : `${messages}.createTitle`)}>
        <form {...form} className="grid gap-4">
          <FormError>{error}</FormError>
          {thing ? <input type="hidden" name="id" value={thing.id} /> : null}
          <InputField
            {...field("name", thing?.name)}
            label={t(`${messages}.name`)}
            {...(thing && nameHint ? { hint: nameHint } : {})}
            autoComplete="off"
            autoFocus
            required
          />
          {fields(thing, { errorOf, typed })}
          <DialogSubmit pending={pending}>
            {thing ? t("common.save") : t(`${messages}.create`)}
          </DialogSubmit>
        </form>
      </DialogContent>
    </Dialog>
  );
}
