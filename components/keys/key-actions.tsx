"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { type FormAction, type FormAnswer, useAction, useForm } from "#components/forms/form";
import { useCreated } from "#components/forms/use-created.ts";
import { Button } from "#components/ui/button";
import { ConfirmButton } from "#components/ui/confirm-dialog";
import { Dialog, DialogContent, DialogSubmit, DialogTrigger } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { type ApiKey, keyOverlaps } from "#lib/identity/api-keys/schema";
import { SelectField } from "../ui/labeled.tsx";
import { type CreatedKey, CreatedKeyView } from "./created-key-view.tsx";
import { KeyForm } from "./key-form.tsx";
import type { KeyChoices } from "./key-limits.tsx";

export interface KeyActionsProps {
  apiKey: ApiKey;
  choices: KeyChoices;
  listHref: string;
  editKey: FormAction<null>;
  rotateKey: FormAction<CreatedKey>;
  resumeKey: () => Promise<FormAnswer<null>>;
  revokeKey: () => Promise<FormAnswer<null>>;
}

export function KeyActions(props: KeyActionsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      {props.apiKey.pausedAt ? <ResumeButton {...props} /> : null}
      <EditDialog {...props} />
      <RotateDialog {...props} />
      <RevokeDialog {...props} />
    </div>
  );
}

function ResumeButton({ apiKey: { name }, resumeKey }: KeyActionsProps) {
  const t = useTranslations("apiKeys");
  const runAction = useAction();
  const [pending, start] = useTransition();
  const resume = () =>
    start(async () => {
      if (await runAction(resumeKey)) toast.success(t("resumed", { name }));
    });
  return (
    <Button variant="solid" pending={pending} onClick={resume}>
      {t("resume")}
    </Button>
  );
}

function EditDialog({ apiKey, choices, editKey }: KeyActionsProps) {
  const t = useTranslations("apiKeys");
  const [open, setOpen] = useState(false);
  function close() {
    setOpen(false);
    toast.success(t("saved"));
  }
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button>{t("edit")}</Button>
      </DialogTrigger>
      <DialogContent side="right" title={t("editTitle")}>
        <KeyForm save={editKey} onDone={close} choices={choices} edited={apiKey} />
      </DialogContent>
    </Dialog>
  );
}

function RotateDialog({ rotateKey }: KeyActionsProps) {
  const t = useTranslations("apiKeys");
  const { created, setCreated, dialog } = useCreated<CreatedKey>();
  const { form, pending, error, errorOf } = useForm(rotateKey, setCreated);
  return (
    <Dialog {...dialog}>
      <DialogTrigger asChild>
        <Button>{t("rotate")}</Button>
      </DialogTrigger>
      {created ? (
        <DialogContent title={t("createdTitle")} description={t("createdText")}>
          <CreatedKeyView created={created} />
        </DialogContent>
      ) : (
        <DialogContent title={t("rotateTitle")} description={t("rotateText")}>
          <form {...form} className="grid gap-4">
            <FormError>{error}</FormError>
            <SelectField
              label={t("overlap")}
              error={errorOf("overlap")}
              name="overlap"
              defaultValue="86400"
              options={keyOverlaps.map((value) => ({ value, label: t(`overlaps.${value}`) }))}
            />
            <DialogSubmit pending={pending}>{t("rotate")}</DialogSubmit>
          </form>
        </DialogContent>
      )}
    </Dialog>
  );
}

function RevokeDialog({ apiKey: { name }, listHref, revokeKey }: KeyActionsProps) {
  const t = useTranslations("apiKeys");
  const router = useRouter();
  const runAction = useAction();
  async function revoke() {
    if (!(await runAction(revokeKey, t("notRevoked", { name })))) return;
    toast.success(t("revoked", { name }));
    router.push(listHref);
  }
  return (
    <ConfirmButton
      className="text-danger"
      title={t("revokeTitle", { name })}
      question={t("revokeText")}
      action={t("revokeAction")}
      onConfirm={revoke}
    >
      {t("revoke")}
    </ConfirmButton>
  );
}
