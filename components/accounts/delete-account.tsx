"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { loadPage } from "#components/auth/load-page.ts";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import {
  Dialog,
  DialogActions,
  DialogClose,
  DialogContent,
  DialogTrigger,
} from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { ConfirmPassword } from "./confirm-password.tsx";

interface DeleteAccountProps {
  password: boolean;
  /** Returns the workspaces that prevent the deletion. */
  deleteAccount: FormAction<string[]>;
}

export function DeleteAccount({ password, ...actions }: DeleteAccountProps) {
  const t = useTranslations("security");
  return (
    <Card heading={t("delete")} note={t("deleteText")}>
      <Dialog>
        <DialogTrigger asChild>
          <Button className="justify-self-start text-danger">{t("delete")}</Button>
        </DialogTrigger>
        <DialogContent title={t("deleteTitle")} description={t("deleteText")}>
          <DeleteForm password={password} {...actions} />
        </DialogContent>
      </Dialog>
    </Card>
  );
}

function DeleteForm({ password, deleteAccount }: DeleteAccountProps) {
  const t = useTranslations("security");
  const common = useTranslations("common");
  const [owned, setOwned] = useState<readonly string[]>([]);
  const { form, pending, error, errorOf } = useForm(deleteAccount, (names) =>
    names.length === 0 ? loadPage("/") : setOwned(names),
  );
  const inTheWay = owned.length > 0 ? t("deleteOwner", { names: owned.join(", ") }) : undefined;
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error ?? inTheWay}</FormError>
      {password ? <ConfirmPassword error={errorOf("passwordNow")} /> : null}
      <DialogActions>
        <DialogClose asChild>
          <Button>{common("cancel")}</Button>
        </DialogClose>
        <Button type="submit" variant="danger" pending={pending}>
          {t("deleteAction")}
        </Button>
      </DialogActions>
    </form>
  );
}
