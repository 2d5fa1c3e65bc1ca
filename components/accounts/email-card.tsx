"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, type FormAnswer, useForm } from "#components/forms/form";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Dialog, DialogContent, DialogTrigger } from "#components/ui/dialog";
import { DialogSubmit } from "#components/ui/dialog-submit";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { InputField } from "../ui/labeled.tsx";
import { useConfirmEmail } from "./confirm-email-banner.tsx";
import { ConfirmPassword } from "./confirm-password.tsx";

interface EmailCardProps {
  email: string;
  proven: boolean;
  /** The account has one, which has to be entered. */
  password: boolean;
  /** Both return the address the email was sent to. */
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
          <DialogContent title={t("changeEmail")} description={t("emailHint")}>
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
