"use client";

import { UserPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { useCreated } from "#components/forms/use-created.ts";
import { Button } from "#components/ui/button";
import { CopyField } from "#components/ui/copy-field";
import {
  Dialog,
  DialogActions,
  DialogClose,
  DialogContent,
  DialogTrigger,
} from "#components/ui/dialog";
import { DialogSubmit } from "#components/ui/dialog-submit";
import { FormError } from "#components/ui/form-error";
import { InputField, SelectField } from "../ui/labeled.tsx";

export interface CreatedInvitation {
  address: string;
  email: keyof typeof readyMessages;
  /** Empty: for anyone with the URL. */
  recipient: string;
}

const readyMessages = {
  sent: "readySent",
  refused: "readyUnsent",
  no_server: "readyNoServer",
  not_wanted: "readyLink",
} as const;

const invitableRoles = ["member", "admin", "viewer"] as const;
const dayChoices = [1, 7, 30];
const defaultDays = "7";

export function InviteDialog({ invite }: { invite: FormAction<CreatedInvitation> }) {
  const t = useTranslations("members");
  const { created, setCreated, dialog } = useCreated<CreatedInvitation>();
  return (
    <Dialog {...dialog}>
      <DialogTrigger asChild>
        <Button variant="solid">
          <UserPlus aria-hidden />
          {t("invite")}
        </Button>
      </DialogTrigger>
      {created ? (
        <DialogContent
          title={t("readyTitle")}
          description={t(readyMessages[created.email], { email: created.recipient })}
        >
          <Ready address={created.address} />
        </DialogContent>
      ) : (
        <DialogContent title={t("inviteTitle")} description={t("inviteText")}>
          <InviteForm invite={invite} onMade={setCreated} />
        </DialogContent>
      )}
    </Dialog>
  );
}

interface InviteFormProps {
  invite: FormAction<CreatedInvitation>;
  onMade: (created: CreatedInvitation) => void;
}

function InviteForm({ invite, onMade }: InviteFormProps) {
  const t = useTranslations("members");
  const common = useTranslations("common");
  const { form, pending, error, typed, field } = useForm(invite, onMade);
  const [role, setRole] = useState<(typeof invitableRoles)[number]>("member");
  const days = dayChoices.map((count) => ({
    value: String(count),
    label: t("daysCount", { days: count }),
  }));
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <InputField
        {...field("email")}
        label={t("email")}
        hint={t("emailHint")}
        optional={common("optional")}
        type="email"
        autoComplete="off"
        autoFocus
      />
      <SelectField
        label={t("role")}
        hint={t(`${role}Hint`)}
        name="role"
        value={role}
        onValueChange={(value) => setRole(invitableRoles.find((one) => one === value) ?? role)}
        options={invitableRoles.map((one) => ({ value: one, label: t(one) }))}
      />
      <SelectField
        label={t("days")}
        name="days"
        defaultValue={typed("days", defaultDays)}
        options={days}
      />
      <DialogSubmit pending={pending}>{t("create")}</DialogSubmit>
    </form>
  );
}

function Ready({ address }: { address: string }) {
  const t = useTranslations("members");
  return (
    <div className="grid gap-4">
      <CopyField label={t("link")} text={address} copy={t("copy")} className="font-mono text-sm" />
      <DialogActions>
        <DialogClose asChild>
          <Button variant="solid">{t("done")}</Button>
        </DialogClose>
      </DialogActions>
    </div>
  );
}
