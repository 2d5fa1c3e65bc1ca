"use client";

import { KeyRound } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { startTransition, useOptimistic, useState } from "react";
import { createPasskey, type OfferPasskey } from "#components/auth/passkey.ts";
import { type FormAction, type FormAnswer, useAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmButton } from "#components/ui/confirm-dialog";
import { Dialog, DialogContent, DialogSubmit, DialogTrigger } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import type { Passkey } from "#lib/identity/passkeys/schema";
import { InputField } from "../ui/labeled.tsx";

interface PasskeysCardProps extends AddPasskeyProps {
  passkeys: readonly Passkey[];
  remove: (id: string) => Promise<FormAnswer<null>>;
}

export function PasskeysCard({ passkeys, remove, ...adding }: PasskeysCardProps) {
  const t = useTranslations("security.passkeys");
  const attempt = useAction();
  const [shown, hide] = useOptimistic(passkeys, (before, removed: string) =>
    before.filter(({ id }) => id !== removed),
  );
  return (
    <Card heading={t("heading")} note={t("note")}>
      {shown.length > 0 ? (
        <ul aria-label={t("heading")} className="divide-y divide-line">
          {shown.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRemove={() =>
                startTransition(async () => {
                  hide(passkey.id);
                  if (await attempt(() => remove(passkey.id))) toast.success(t("removed"));
                })
              }
            />
          ))}
        </ul>
      ) : null}
      <div>
        <AddPasskey {...adding} />
      </div>
    </Card>
  );
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const t = useTranslations("security.passkeys");
  const format = useFormatter();
  const { name, createdAt, lastUsedAt } = passkey;
  const dateOf = (at: string) => format.dateTime(new Date(at), { dateStyle: "medium" });
  return (
    <li className="flex items-center gap-3 py-2.5 first:pt-0 last:pb-0">
      <KeyRound aria-hidden className="size-4 shrink-0 text-ink-muted" />
      <div className="grid min-w-0 flex-1">
        <span className="truncate text-sm">{name}</span>
        <span className="text-ink-muted text-xs">
          {t("added", { when: dateOf(createdAt) })}
          {" · "}
          {lastUsedAt ? t("used", { when: dateOf(lastUsedAt) }) : t("unused")}
        </span>
      </div>
      <ConfirmButton
        variant="ghost"
        size="sm"
        aria-label={t("removeOf", { name })}
        title={t("removeTitle", { name })}
        question={t("removeText")}
        action={t("remove")}
        onConfirm={onRemove}
      >
        {t("remove")}
      </ConfirmButton>
    </li>
  );
}

interface AddPasskeyProps {
  offer: OfferPasskey;
  add: FormAction<null>;
  /** A name for a passkey of this browser. */
  suggested: string;
  nameCharsMax: number;
}

function AddPasskey(props: AddPasskeyProps) {
  const t = useTranslations("security.passkeys");
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button>{t("add")}</Button>
      </DialogTrigger>
      <DialogContent title={t("add")} description={t("addText")}>
        <AddForm
          {...props}
          onAdded={() => {
            setOpen(false);
            toast.success(t("addedNow"));
          }}
        />
      </DialogContent>
    </Dialog>
  );
}

function AddForm({
  offer,
  add,
  suggested,
  nameCharsMax,
  onAdded,
}: AddPasskeyProps & { onAdded: () => void }) {
  const t = useTranslations("security.passkeys");
  const auth = useTranslations("auth");
  const create = (data: FormData) =>
    createPasskey(offer, {
      canceled: auth("passkeyCanceled"),
      submit: (answer) => {
        data.set("answer", answer);
        return add(data);
      },
    });
  const { form, pending, error, field } = useForm(create, onAdded);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <InputField
        {...field("name", suggested)}
        label={t("name")}
        hint={t("nameHint")}
        maxLength={nameCharsMax}
        required
      />
      <DialogSubmit pending={pending}>{t("continue")}</DialogSubmit>
    </form>
  );
}
