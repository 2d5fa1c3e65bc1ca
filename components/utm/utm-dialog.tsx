"use client";

import { useTranslations } from "next-intl";
import { utmNames } from "#lib/links/schema";
import type { UtmTemplate } from "#lib/utm/schema";
import { type FormAction, useForm } from "../forms/form.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, DialogClose, DialogContent } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Input } from "../ui/input.tsx";
import { toast } from "../ui/toast.tsx";

interface UtmDialogProps {
  /** Null: a new one. */
  template: UtmTemplate | null;
  save: FormAction<string>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function UtmDialog({ template, save, open, onOpenChange }: UtmDialogProps) {
  const t = useTranslations("utm");
  const words = useTranslations("linkForm.utm");
  const common = useTranslations("common");
  const { form, pending, error, errorOf, typed } = useForm(save, (name) => {
    onOpenChange(false);
    toast.success(t(template ? "changed" : "created", { name }));
  });
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t(template ? "editTitle" : "createTitle")}>
        <form {...form} className="grid gap-4">
          <FormError>{error}</FormError>
          {template ? <input type="hidden" name="id" value={template.id} /> : null}
          <Field
            label={t("name")}
            error={errorOf("name")}
            {...(template ? { hint: t("nameHint") } : {})}
          >
            {(control) => (
              <Input
                {...control}
                name="name"
                autoComplete="off"
                autoFocus
                required
                defaultValue={typed("name", template?.name)}
              />
            )}
          </Field>
          {utmNames.map((name) => (
            <Field key={name} label={words(name)} error={errorOf(name)}>
              {(control) => (
                <Input
                  {...control}
                  name={name}
                  autoComplete="off"
                  placeholder={words(`${name}_example`)}
                  defaultValue={typed(name, template?.[name] ?? "")}
                />
              )}
            </Field>
          ))}
          <DialogActions>
            <DialogClose asChild>
              <Button>{common("cancel")}</Button>
            </DialogClose>
            <Button type="submit" look="solid" pending={pending}>
              {template ? common("save") : t("create")}
            </Button>
          </DialogActions>
        </form>
      </DialogContent>
    </Dialog>
  );
}
