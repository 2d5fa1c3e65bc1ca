"use client";

import { useTranslations } from "next-intl";
import type { Folder } from "#lib/folders/schema";
import { type FormAction, useForm } from "../forms/form.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions, DialogClose, DialogContent } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { toast } from "../ui/toast.tsx";

const levels = ["write", "read", "none"] as const;

interface FolderDialogProps {
  /** Null: a new one. */
  folder: Folder | null;
  save: FormAction<string>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function FolderDialog({ folder, save, open, onOpenChange }: FolderDialogProps) {
  const t = useTranslations("folders");
  const common = useTranslations("common");
  const { form, pending, error, errorOf, typed } = useForm(save, (name) => {
    onOpenChange(false);
    toast.success(t(folder ? "changed" : "created", { name }));
  });
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t(folder ? "editTitle" : "createTitle")}>
        <form {...form} className="grid gap-4">
          <FormError>{error}</FormError>
          {folder ? <input type="hidden" name="id" value={folder.id} /> : null}
          <Field label={t("name")} error={errorOf("name")}>
            {(control) => (
              <Input
                {...control}
                name="name"
                autoComplete="off"
                autoFocus
                required
                defaultValue={typed("name", folder?.name)}
              />
            )}
          </Field>
          <Field
            label={t("description")}
            optional={common("optional")}
            error={errorOf("description")}
          >
            {(control) => (
              <Textarea
                {...control}
                name="description"
                rows={2}
                defaultValue={typed("description", folder?.description ?? "")}
              />
            )}
          </Field>
          <Field label={t("accessOf")}>
            {(control) => (
              <Select
                {...control}
                name="accessLevel"
                defaultValue={typed(
                  "accessLevel",
                  folder ? (folder.accessLevel ?? "none") : "write",
                )}
                options={levels.map((value) => ({ value, label: t(`access.${value}`) }))}
              />
            )}
          </Field>
          <DialogActions>
            <DialogClose asChild>
              <Button>{common("cancel")}</Button>
            </DialogClose>
            <Button type="submit" look="solid" pending={pending}>
              {folder ? common("save") : t("create")}
            </Button>
          </DialogActions>
        </form>
      </DialogContent>
    </Dialog>
  );
}
