"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { type FormAction, type FormAnswer, useAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { Dialog, DialogContent, DialogSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { SelectField } from "../ui/labeled.tsx";
import { HostField } from "./host-field.tsx";

interface DomainChangesProps {
  host: string;
  links: number;
  path: string;
  /** Other workspaces in which the person may add domains. */
  workspaces: readonly { id: string; name: string }[];
  rename: FormAction<string>;
  transfer: FormAction<null>;
  remove: () => Promise<FormAnswer<null>>;
}

export function DomainChanges(props: DomainChangesProps) {
  const t = useTranslations("domains");
  const [open, setOpen] = useState<"rename" | "transfer" | "delete">();
  const close = () => setOpen(undefined);
  return (
    <Card heading={t("changes")} note={t("changesNote")}>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setOpen("rename")}>{t("rename")}</Button>
        {props.workspaces.length > 0 ? (
          <Button onClick={() => setOpen("transfer")}>{t("transfer")}</Button>
        ) : null}
        <Button className="text-danger" onClick={() => setOpen("delete")}>
          {t("delete")}
        </Button>
      </div>
      {open === "rename" ? <RenameDialog {...props} close={close} /> : null}
      {open === "transfer" ? <TransferDialog {...props} close={close} /> : null}
      <DeleteDialog {...props} open={open === "delete"} close={close} />
    </Card>
  );
}

type DialogProps = DomainChangesProps & { close: () => void };

function RenameDialog({ host, path, rename, close }: DialogProps) {
  const t = useTranslations("domains");
  const router = useRouter();
  const { form, pending, error, errorOf, typed } = useForm(rename, (to) => {
    close();
    router.replace(`${path}/${to}`);
  });
  return (
    <Dialog open onOpenChange={close}>
      <DialogContent side="right" title={t("renameTitle")} description={t("renameText", { host })}>
        <form {...form} className="grid gap-4">
          <FormError>{error}</FormError>
          <HostField error={errorOf("slug")} initial={typed("slug", host)} />
          <DialogSubmit pending={pending}>{t("rename")}</DialogSubmit>
        </form>
      </DialogContent>
    </Dialog>
  );
}

function TransferDialog({ host, path, workspaces, transfer, close }: DialogProps) {
  const t = useTranslations("domains");
  const router = useRouter();
  // Controlled, because React resets a form after its action, and the selection must stay.
  const [chosen, choose] = useState(workspaces[0]?.id ?? "");
  const { form, pending, error, errorOf } = useForm(transfer, () => {
    close();
    toast.success(t("transferred", { host }));
    router.replace(path);
  });
  return (
    <Dialog open onOpenChange={close}>
      <DialogContent title={t("transferTitle")} description={t("transferText", { host })}>
        <form {...form} className="grid gap-4">
          <FormError>{error}</FormError>
          <SelectField
            label={t("workspace")}
            error={errorOf("workspaceId")}
            value={chosen}
            onValueChange={choose}
            options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <input type="hidden" name="workspaceId" value={chosen} />
          <DialogSubmit pending={pending}>{t("transfer")}</DialogSubmit>
        </form>
      </DialogContent>
    </Dialog>
  );
}

function DeleteDialog({ host, links, path, remove, open, close }: DialogProps & { open: boolean }) {
  const t = useTranslations("domains");
  const runAction = useAction();
  const router = useRouter();
  const [, start] = useTransition();

  function run() {
    start(async () => {
      if (!(await runAction(remove))) return;
      toast.success(t("deleted", { host }));
      router.replace(path);
    });
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={close}
      title={t("deleteTitle", { host })}
      action={t("deleteAction")}
      onConfirm={run}
    >
      {t("deleteText", { links })}
    </ConfirmDialog>
  );
}
