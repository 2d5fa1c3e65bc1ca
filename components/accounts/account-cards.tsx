"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { loadPage } from "#components/auth/load-page.ts";
import { type FormAction, type FormAnswer, useForm } from "#components/forms/form";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import {
  Dialog,
  DialogActions,
  DialogClose,
  DialogContent,
  DialogSubmit,
  DialogTrigger,
} from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { InputField } from "../ui/labeled.tsx";
import { useConfirmEmail } from "./confirm-email-banner.tsx";
import { ConfirmPassword } from "./confirm-password.tsx";

interface NameCardProps {
  name: string;
  charsMax: number;
  change: FormAction<null>;
}

export function NameCard({ name, charsMax, change }: NameCardProps) {
  const t = useTranslations("security");
  const { form, pending, error, field } = useForm(change, () => toast.success(t("nameSaved")));
  return (
    <Card heading={t("name")}>
      <form {...form} className="grid gap-4">
        <FormError>{error}</FormError>
        <InputField
          {...field("name", name)}
          label={t("name")}
          hint={t("nameHint")}
          autoComplete="name"
          maxLength={charsMax}
          required
        />
        <Button type="submit" pending={pending} className="justify-self-start">
          {t("saveName")}
        </Button>
      </form>
    </Card>
  );
}

interface EmailCardProps {
  email: string;
  proven: boolean;
  password: boolean;
  /** `change` and `confirm` return the address that the email was sent to. */
  change: FormAction<string>;
  confirm: () => Promise<FormAnswer<string>>;
}

export function EmailCard({ email, proven, confirm, ...form }: EmailCardProps) {
  const t = useTranslations("security");
  const [open, setOpen] = useState(false);
  const { pending, send } = useConfirmEmail(confirm);

  return (
    <Card
      heading={t("email")}
      aside={
        <Badge tone={proven ? "green" : "yellow"}>{t(proven ? "confirmed" : "unconfirmed")}</Badge>
      }
    >
      <p className="break-all text-sm">{email}</p>
      {proven ? null : <p className="text-ink-muted text-sm">{t("unconfirmedText")}</p>}
      <div className="flex flex-wrap gap-2">
        {proven ? null : (
          <Button pending={pending} onClick={send}>
            {t("confirm.sendConfirm")}
          </Button>
        )}
        <Dialog open={open} onOpenChange={setOpen}>
          <DialogTrigger asChild>
            <Button>{t("changeEmail")}</Button>
          </DialogTrigger>
          <DialogContent side="right" title={t("changeEmail")} description={t("emailHint")}>
            <EmailForm
              {...form}
              onSent={(to) => {
                setOpen(false);
                toast.success(t("confirm.emailSent", { email: to }));
              }}
            />
          </DialogContent>
        </Dialog>
      </div>
    </Card>
  );
}

interface EmailFormProps extends Pick<EmailCardProps, "change" | "password"> {
  onSent: (email: string) => void;
}

function EmailForm({ change, password, onSent }: EmailFormProps) {
  const t = useTranslations("security");
  const { form, pending, error, errorOf, field } = useForm(change, onSent);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <InputField
        {...field("email")}
        label={t("newEmail")}
        type="email"
        autoComplete="email"
        required
      />
      {password ? <ConfirmPassword error={errorOf("passwordNow")} /> : null}
      <DialogSubmit pending={pending}>{t("changeEmail")}</DialogSubmit>
    </form>
  );
}

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

interface PasswordCardProps {
  has: boolean;
  change: FormAction<null>;
  limits: { min: number; max: number };
}

export function PasswordCard({ has, change, limits }: PasswordCardProps) {
  const t = useTranslations("security");
  if (!has) return <Card heading={t("password")} note={t("noPassword")} />;
  return (
    <Card heading={t("password")} note={t("passwordText")}>
      <PasswordForm change={change} limits={limits} />
    </Card>
  );
}

function PasswordForm({ change, limits }: Omit<PasswordCardProps, "has">) {
  const t = useTranslations("security");
  const auth = useTranslations("auth");
  const done = () => toast.success(t("passwordChanged"));
  const { form, pending, error, errorOf } = useForm(change, done);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <ConfirmPassword error={errorOf("passwordNow")} />
        <InputField
          label={t("newPassword")}
          hint={auth("passwordHint", limits)}
          error={errorOf("passwordNext")}
          name="passwordNext"
          type="password"
          autoComplete="new-password"
          required
        />
      </div>
      <div>
        <Button type="submit" pending={pending}>
          {t("changePassword")}
        </Button>
      </div>
    </form>
  );
}
