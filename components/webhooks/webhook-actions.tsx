"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { type FormAction, type FormAnswer, useAction, useForm } from "#components/forms/form";
import { useCreated } from "#components/forms/use-created.ts";
import { Button } from "#components/ui/button";
import { ConfirmButton } from "#components/ui/confirm-dialog";
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogSubmit,
  DialogTrigger,
} from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { isChat, overlapChoices, type Webhook } from "#lib/outreach/webhooks/schema";
import { SelectField } from "../ui/labeled.tsx";
import { WebhookForm, WebhookSecret } from "./webhook-form.tsx";

interface WebhookActionsProps {
  workspace: string;
  webhook: Webhook;
  hosts: readonly string[];
  listHref: string;
  edit: FormAction<null>;
  rotate: FormAction<string>;
  turn: (active: boolean) => Promise<FormAnswer<null>>;
  remove: () => Promise<FormAnswer<null>>;
}

export function WebhookActions(props: WebhookActionsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <TurnButton {...props} />
      <EditDialog {...props} />
      {isChat(props.webhook.format) ? null : <RotateDialog {...props} />}
      <DeleteDialog {...props} />
    </div>
  );
}

function TurnButton({ webhook: { state }, turn }: WebhookActionsProps) {
  const t = useTranslations("webhooks");
  const runAction = useAction();
  const [pending, start] = useTransition();
  const active = state !== "active";
  const run = () =>
    start(async () => {
      if (await runAction(() => turn(active))) toast.success(t(active ? "activated" : "paused"));
    });
  return (
    <Button variant={active ? "solid" : "outline"} pending={pending} onClick={run}>
      {t(active ? "activate" : "pause")}
    </Button>
  );
}

function EditDialog({ workspace, webhook, hosts, edit }: WebhookActionsProps) {
  const t = useTranslations("webhooks");
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button>{t("edit")}</Button>
      </DialogTrigger>
      <DialogContent side="right" title={t("editTitle")}>
        <WebhookForm
          workspace={workspace}
          hosts={hosts}
          edited={webhook}
          save={edit}
          onDone={() => {
            setOpen(false);
            toast.success(t("saved"));
          }}
        />
      </DialogContent>
    </Dialog>
  );
}

function RotateDialog({ webhook: { format }, rotate }: WebhookActionsProps) {
  const t = useTranslations("webhooks");
  const { created, setCreated, dialog } = useCreated<string>();
  const { form, pending, error, errorOf } = useForm(rotate, setCreated);
  return (
    <Dialog {...dialog}>
      <DialogTrigger asChild>
        <Button>{t("rotate")}</Button>
      </DialogTrigger>
      {created ? (
        <DialogContent title={t("createdTitle")} description={t("createdText")}>
          <WebhookSecret secret={created}>
            <DialogClose asChild>
              <Button variant="solid">{t("secretSaved")}</Button>
            </DialogClose>
          </WebhookSecret>
        </DialogContent>
      ) : (
        <DialogContent
          title={t("rotateTitle")}
          description={t(format === "dub" ? "rotateAtOnce" : "rotateText")}
        >
          <form {...form} className="grid gap-4">
            <FormError>{error}</FormError>
            {format === "dub" ? (
              <input type="hidden" name="overlapHours" value="0" />
            ) : (
              <SelectField
                label={t("overlap")}
                error={errorOf("overlapHours")}
                name="overlapHours"
                defaultValue="24"
                options={overlapChoices.map((hours) => ({
                  value: String(hours),
                  label: hours === 0 ? t("noOverlap") : t("overlapHours", { hours }),
                }))}
              />
            )}
            <DialogSubmit pending={pending}>{t("rotate")}</DialogSubmit>
          </form>
        </DialogContent>
      )}
    </Dialog>
  );
}

function DeleteDialog({ webhook: { name }, listHref, remove }: WebhookActionsProps) {
  const t = useTranslations("webhooks");
  const router = useRouter();
  const runAction = useAction();
  async function confirm() {
    if (!(await runAction(remove, t("notDeleted", { name })))) return;
    toast.success(t("deleted", { name }));
    router.push(listHref);
  }
  return (
    <ConfirmButton
      className="text-danger"
      title={t("deleteTitle", { name })}
      question={t("deleteText")}
      action={t("deleteAction")}
      onConfirm={confirm}
    >
      {t("delete")}
    </ConfirmButton>
  );
}
