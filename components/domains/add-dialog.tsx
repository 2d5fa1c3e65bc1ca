"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormAction, useForm } from "#components/forms/form";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { DialogSubmit } from "#components/ui/dialog-submit";
import { FormError } from "#components/ui/form-error";
import { HostField } from "./host-field.tsx";

interface AddDialogProps {
  path: string;
  add: FormAction<string>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Continues to the page of the new domain, which shows its DNS records. */
export function AddDialog({ path, add, open, onOpenChange }: AddDialogProps) {
  const t = useTranslations("domains");
  const router = useRouter();
  const { form, pending, error, errorOf, typed } = useForm(add, (host) => {
    onOpenChange(false);
    router.push(`${path}/${host}`);
  });
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t("addTitle")}>
        <form {...form} className="grid gap-4">
          <FormError>{error}</FormError>
          <HostField error={errorOf("slug")} initial={typed("slug")} />
          <DialogSubmit pending={pending}>{t("add")}</DialogSubmit>
        </form>
      </DialogContent>
    </Dialog>
  );
}
