"use client";

import { useTranslations } from "next-intl";
import type { Tag } from "#lib/tags/schema";
import { tagColors } from "#lib/tags/schema";
import { type FormAction, useForm } from "../forms/form.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, DialogClose, DialogContent } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { toast } from "../ui/toast.tsx";

interface TagDialogProps {
  /** Null: a new one. */
  tag: Tag | null;
  /** Tags that are listed: a new one begins with the next color. */
  already: number;
  save: FormAction<string>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function TagDialog({ tag, already, save, open, onOpenChange }: TagDialogProps) {
  const t = useTranslations("tags");
  const common = useTranslations("common");
  const { form, pending, error, errorOf, typed } = useForm(save, (name) => {
    onOpenChange(false);
    toast.success(t(tag ? "changed" : "created", { name }));
  });
  const color = tag?.color ?? tagColors[already % tagColors.length] ?? "red";
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t(tag ? "editTitle" : "createTitle")}>
        <form {...form} className="grid gap-4">
          <FormError>{error}</FormError>
          {tag ? <input type="hidden" name="id" value={tag.id} /> : null}
          <Field
            label={t("name")}
            error={errorOf("name")}
            {...(tag ? { hint: t("nameHint") } : {})}
          >
            {(control) => (
              <Input
                {...control}
                name="name"
                autoComplete="off"
                autoFocus
                required
                defaultValue={typed("name", tag?.name)}
              />
            )}
          </Field>
          <Field label={t("color")}>
            {(control) => (
              <Select
                {...control}
                name="color"
                defaultValue={typed("color", color)}
                options={tagColors.map((value) => ({
                  value,
                  label: <Badge tone={value}>{t(`colors.${value}`)}</Badge>,
                }))}
              />
            )}
          </Field>
          <DialogActions>
            <DialogClose asChild>
              <Button>{common("cancel")}</Button>
            </DialogClose>
            <Button type="submit" look="solid" pending={pending}>
              {tag ? common("save") : t("create")}
            </Button>
          </DialogActions>
        </form>
      </DialogContent>
    </Dialog>
  );
}
